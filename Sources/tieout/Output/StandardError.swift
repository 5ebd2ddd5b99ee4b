import Waiting

/// Writes messages and log lines for people.
enum StandardError {
  /// Writes a text without a line end.
  ///
  /// A failure is ignored: the exit status must be that of the work, and there is no other place
  /// for the message. After a stop request it does not wait for a slow reader.
  static func write(_ text: String) {
    _ = StandardStream.errors.write(Array(text.utf8)) { isReady in
      !isReady && StopRequest.ofProcess.madeAt != nil
    }
  }

  /// Writes a text and a line end.
  static func writeLine(_ text: String) { write("\(text)\n") }
}
