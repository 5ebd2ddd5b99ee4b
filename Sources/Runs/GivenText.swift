/// A text that a person gives with an option, such as a reason.
package enum GivenText {
  /// The maximum length in bytes.
  private static let mostBytes = 64 << 10

  /// The text, if it says something and can be stored.
  ///
  /// - Parameter option: The name of the option, for the error.
  /// - Throws: ``ReconciliationError`` with `unknown`.
  package static func checked(_ text: String, of option: String) throws -> String {
    guard text.contains(where: { !$0.isWhitespace }), text.utf8.count <= mostBytes,
      !text.utf8.contains(0)
    else {
      throw ReconciliationError(
        .unknown, "\(option) is empty, longer than 64 KiB or contains a NUL. Give a text.")
    }
    return text
  }
}
