/// The text in a file that people read, with the same number of lines as the file.
///
/// For Markdown it is everything except code. For Swift and SQL it is the comments and string
/// literals. For settings and scripts it is the comments. For templates it is everything except
/// markup.
struct Prose {
  /// The text.
  ///
  /// Parts that are not text are left out; line breaks are kept.
  let text: String

  /// Extracts the text of a file; nil for a kind of file without text.
  init?(of path: String, content: String) {
    switch path.split(separator: ".").last {
    case "md": text = Self.markdown(content)
    case "swift": text = Self.literals(content, comment: "//", quote: "\"")
    case "sql": text = Self.literals(content, comment: "--", quote: "'")
    case "yaml", "service", "timer", "cron", "logrotate": text = Self.comments(content)
    case "mustache", "html": text = Self.outside(content, of: ["<": ">", "{": "}"])
    default: return nil
    }
  }

  private static func markdown(_ content: String) -> String {
    var isCode = false
    let lines = content.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode || line.hasPrefix("```") { return "" }
      let parts = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      let words = parts.map { $0.offset.isMultiple(of: 2) ? String($0.element) : "." }.joined()
      return words.replacing(/\]\([^)]*\)/, with: "]")
    }
    return lines.joined(separator: "\n")
  }

  private static func comments(_ content: String) -> String {
    content.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in line.firstIndex(of: "#").map { String(line[$0...].dropFirst()) } ?? "" }
      .joined(separator: "\n")
  }

  /// The text outside pairs of characters.
  private static func outside(_ content: String, of pairs: [Character: Character]) -> String {
    var closing: Character?
    var text = ""
    for character in content {
      if let awaited = closing {
        if character == awaited { closing = nil }
        text += character.isNewline ? "\n" : ""
      } else if let awaited = pairs[character] {
        closing = awaited
        text += "."
      } else {
        text.append(character)
      }
    }
    return text
  }

  /// The comments up to the end of the line, and the text between quotes.
  private static func literals(
    _ content: String, comment: String, quote: Character
  ) -> String {
    var isLong = false
    let lines = content.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if quote == "\"", line.contains("\"\"\"") {
        defer { isLong.toggle() }
        return ""
      }
      return isLong ? String(line) : literals(in: line, comment: comment, quote: quote)
    }
    return lines.joined(separator: "\n")
  }

  private static func literals(in line: Substring, comment: String, quote: Character) -> String {
    var text = ""
    var rest = line
    while let first = rest.first {
      if rest.hasPrefix(comment) { return text + rest.dropFirst(comment.count).drop { $0 == "/" } }
      rest = rest.dropFirst()
      guard first == quote else { continue }
      while let next = rest.first, next != quote {
        // A backslash and the character after it are not words.
        rest = rest.dropFirst(next == "\\" ? 2 : 1)
        text.append(next == "\\" ? "." : next)
      }
      rest = rest.dropFirst()
      text += "."
    }
    return text
  }
}
