import FileSystem
import Runs

/// Reads something that is verified.
///
/// - Throws: ``ReconciliationError`` with `reports` if a file or a folder cannot be read, and the
///   other errors of `read`.
func verifying<Value>(_ read: () throws -> Value) throws -> Value {
  do { return try read() } catch let error as FileSystemError {
    throw ReconciliationError(.reports, "\(error). Nothing more was verified. \(error.remedy)")
  }
}
