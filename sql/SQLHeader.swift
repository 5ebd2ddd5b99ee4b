/// What the header of a file declares: the lines `-- Word  values` of its first comment.
package struct SQLHeader {
  private let lines: [Substring]

  /// Reads the header of a file, which ends at the first line without a comment.
  package init(_ file: SQLFile) {
    lines = Array(file.text.split(separator: "\n").prefix { $0.hasPrefix("--") })
  }

  /// The text behind a word; nil if not exactly one line begins with the word.
  package func text(_ word: String) -> String? {
    let declaring = lines.filter { $0.hasPrefix("-- \(word) ") }
    guard declaring.count == 1 else { return nil }
    return String(declaring[0].dropFirst(4 + word.count).drop { $0 == " " })
  }

  /// The values behind a word, which commas separate; nil if not exactly one line begins with the
  /// word.
  package func values(_ word: String) -> [String]? {
    text(word)?.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }
}
