import Waiting

/// Writes messages and log lines for people.
enum StandardError {
  /// Writes a text without a line end.
  ///
  /// Nobody reads a message that cannot be written, and the exit status must still be the one of the
  /// work. So a failure is ignored. After a stop request it waits for no reader.
  static func write(_ text: String) {
    _ = StandardStream.errors.write(Array(text.utf8)) { isReady in
      !isReady && StopRequest.ofProcess.madeAt != nil
    }
  }

  /// Writes a text and a line end.
  static func writeLine(_ text: String) { write("\(text)\n") }
}
