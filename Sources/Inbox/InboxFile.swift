package import FileSystem
package import Intake

/// One file of the inbox, as the directory walk found it.
package struct InboxFile: Sendable {
  /// The path below the inbox, as reports name it.
  package let path: String
  /// The place of the bytes; outside the inbox for a file that only counts as one of the inbox.
  package let place: FilePlace
  package let folder: Folder
  package let bytes: Int64
  package let modifiedNanoseconds: Int64
  package let inode: UInt64
  /// The reason not to open the file, if the walk already knows one.
  package let refusal: FileRefusal?
  /// The size at which the file was loaded, if it has grown since; nil: all of it is read.
  package var byteLimit: Int64?
  /// The file that this file may have grown out of; it ended in a line without a line end.
  package var earlier: OpenFiles.File?
  /// Whether the file has grown since; then its line without a line end is read in the longer file.
  package var passesOverOpenLine = false

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
