package import FileSystem
package import Intake

/// One file of the inbox, as the directory walk found it.
package struct InboxFile: Sendable {
  /// The path below the inbox, as reports name it.
  package let path: String
  /// The place of the bytes.
  ///
  /// It is outside the inbox for a file in an archive, and for a catalogue that a dry run fetched.
  package let place: FilePlace
  /// The folder of the inbox, which says what kind of record the file contains.
  package let folder: Folder
  /// The size in bytes when the file was found.
  package let bytes: Int64
  /// The time of the last modification, in nanoseconds since 1970.
  package let modifiedNanoseconds: Int64
  /// The number of the inode.
  package let inode: UInt64
  /// The reason not to open the file, if the walk already knows one.
  package let refusal: FileRefusal?
  /// The number of bytes to read, if only the beginning of the file counts; nil: all of it is read.
  package var byteLimit: Int64?
  /// The files that this file may have grown out of; each ended in a line without a line end.
  package var earlier: [FilesWithOpenLine.File] = []
  /// Whether the file has grown since; then its line without a line end is read in the longer file.
  package var passesOverOpenLine = false

  /// Describes a file from its status.
  package init(
    path: String, place: FilePlace, folder: Folder, status: FileStatus,
    refusal: FileRefusal? = nil
  ) {
    self.path = path
    self.place = place
    self.folder = folder
    self.refusal = refusal
    bytes = status.bytes
    modifiedNanoseconds = status.modifiedNanoseconds
    inode = status.inode
  }

  /// The whole path; links are resolved only up to the inbox itself.
  ///
  /// It is computed when it is needed, because an inbox can hold a hundred thousand files.
  package var location: String { place.location }
}
