import FileSystem
import Glibc

extension FileSystemError {
  /// What to do if something is there but cannot be opened.
  var remedy: String {
    code == EACCES ? "Let this user open it." : "Correct this and try again."
  }
}
