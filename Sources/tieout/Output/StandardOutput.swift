import FileSystem
import Glibc
import Runs
import Waiting

/// Writes a command's output.
enum StandardOutput {
  /// Writes a text without a line end, while the command may use the database.
  ///
  /// A stop request ends a write that waits for a reader. Otherwise a reader that does not read
  /// would keep the database in use permanently. If the reader has closed the pipe, the rest is
  /// dropped without an error.
  ///
  /// - Throws: ``ReconciliationError`` with `stopped`, or with `reports` if the output cannot be
  ///   written.
  static func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes a text and a line end.
  static func writeLine(_ text: String) throws { try write("\(text)\n") }

  /// Writes bytes.
  static func write(_ bytes: [UInt8]) throws {
    try write(bytes) { _ in StopRequest.ofProcess.isMade }
  }

  /// Writes the text about work that is done; a stop request comes too late for it.
  static func writeResult(_ text: String) throws {
    try write(Array(text.utf8), "The command is done, but its output") { _ in false }
  }

  private static func write(
    _ bytes: [UInt8], _ subject: String = "The output", unless shouldStop: (Bool) -> Bool
  ) throws {
    switch StandardStream.output.write(bytes, unless: shouldStop) {
    case .written, .failed(EPIPE): break
    case .stopped:
      throw ReconciliationError(.stopped, "Stopped before all output was written.")
    case .failed(let code):
      let advice = adviceOnWriting(
        code, elsewhere: "write it to another place", otherwise: "Write it to another place.")
      throw ReconciliationError(
        .reports, "\(subject) could not be written (\(systemErrorText(code))). \(advice)")
    }
  }
}
