import FileSystem
import Intake

/// One file of the inbox, as the directory walk found it.
struct InboxFile: Sendable {
  /// The path below the inbox, as reports name it.
  let path: String
  /// Where its bytes are; that is elsewhere for what is only taken for a file of the inbox.
  let place: FilePlace
  let folder: Folder
  let bytes: Int64
  let modifiedNanoseconds: Int64
  let inode: UInt64
  /// Why it is not to be opened, where the walk knows that already.
  let refusal: FileSystemError?
  /// Of a file that has grown since, the bytes that it had when it was loaded; nil: all of it.
  var byteLimit: Int64?
  /// The file that lay here, or was this one, when it ended in a line without a line end.
  var earlier: OpenFiles.File?
  /// Whether it has grown since, so that such a line is read in the longer file.
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

  /// The whole path, links resolved as far as the inbox itself; put together when it is needed, as an
  /// inbox can hold a hundred thousand.
  var location: String { place.location }
}
