import FileSystem
import Intake

/// One file of the inbox, as the directory walk found it.
struct InboxFile: Sendable {
  /// The path below the inbox, as reports name it.
  let path: String
  /// The place of the bytes; outside the inbox for a file that only counts as one of the inbox.
  let place: FilePlace
  let folder: Folder
  let bytes: Int64
  let modifiedNanoseconds: Int64
  let inode: UInt64
  /// The reason not to open the file, if the walk already knows one.
  let refusal: FileSystemError?
  /// The size at which the file was loaded, if it has grown since; nil: all of it is read.
  var byteLimit: Int64?
  /// The file that this file may have grown out of; it ended in a line without a line end.
  var earlier: OpenFiles.File?
  /// Whether the file has grown since; then its line without a line end is read in the longer file.
  var passesOverOpenLine = false

  init(
    path: String, place: FilePlace, folder: Folder, status: FileStatus,
    refusal: FileSystemError? = nil
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
  var location: String { place.location }
}
