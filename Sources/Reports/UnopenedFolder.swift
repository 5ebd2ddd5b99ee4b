import FileSystem
import Glibc
import Runs

extension OpenFolder {
  /// Opens the reports folder that a person names.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if there is none, else with `reports`.
  static func reports(_ path: String) throws(ReconciliationError) -> OpenFolder {
    do { return try OpenFolder(path) } catch {
      throw error.asError(of: "The reports folder \(path)", ifNotThere: "Name it with --reports.")
    }
  }
}

extension FileSystemError {
  /// What to do if something cannot be opened, listed or read.
  var remedy: String {
    code == EACCES ? "Let this user open it." : "Correct this and try again."
  }

  /// The error of a command that cannot open a folder that a person names: `unknown` if there is
  /// none, else `reports`.
  ///
  /// - Parameters:
  ///   - folder: The words for the folder, with its path.
  ///   - advice: What to do if there is none.
  func asError(of folder: String, ifNotThere advice: String) -> ReconciliationError {
    ReconciliationError(
      isNotThere ? .unknown : .reports,
      "\(folder) cannot be opened: \(words). \(isNotThere ? advice : remedy)")
  }
}
