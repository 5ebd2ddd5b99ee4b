import FileSystem
import Runs

/// Explains an error of a file or folder.
///
/// - Parameter otherwise: What has happened, and what to do, if `body` fails. Parts of `body` may be
///   explained by the same words; an error has them once.
/// - Throws: ``ReconciliationError`` with `reports` instead of an error of the file system, and the
///   other errors of `body`.
func explainingFileErrors<Result>(
  otherwise: String = "", _ body: () throws -> Result
) throws -> Result {
  func explained(_ words: String) -> ReconciliationError {
    ReconciliationError(.reports, otherwise.isEmpty ? words : "\(words) \(otherwise)")
  }
  do { return try body() } catch let error as FileSystemError {
    throw explained("\(error).")
  } catch let error as ReconciliationError
    where error.code == .reports && !error.message.hasSuffix(otherwise)
  {
    throw explained(error.message)
  }
}
