import CLinux

/// The width of a text on a terminal, in columns.
enum TextWidth {
  /// The columns that a terminal needs for the text.
  ///
  /// Chinese, Japanese and Korean characters and most emoji take two columns, and combining marks
  /// none.
  static func columns(of text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { columns, scalar in
      // A character that this glibc does not know yet takes one.
      let width = tieoutColumns(scalar.value)
      return columns + Int(width < 0 ? 1 : width)
    }
  }

  /// The text with spaces to the right, or to the left, so that it fills a number of columns.
  static func padded(_ text: String, to columns: Int, onLeft: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, columns - self.columns(of: text)))
    return onLeft ? padding + text : text + padding
  }

  /// The text without its middle, so that it fits into a number of columns.
  ///
  /// Texts that begin or end with the same words stay different.
  static func withoutMiddle(_ text: String, above columns: Int) -> String {
    guard self.columns(of: text) > columns else { return text }
    let begin = beginning(of: text, columns / 2)
    let end = beginning(of: text.reversed(), columns - columns / 2 - 1)
    return String(begin) + "…" + String(end.reversed())
  }

  /// The first characters that fit into a number of columns.
  private static func beginning(of text: some Sequence<Character>, _ columns: Int) -> [Character] {
    var room = columns
    return text.prefix {
      room -= self.columns(of: String($0))
      return room >= 0
    }
  }
}
