/// The part of a file that people read as text, with the same number of lines as the file.
///
/// Of Markdown that is everything but code, of Swift and SQL the comments and string literals, of settings and scripts
/// the comments, of templates everything but markup.
struct Prose {
  /// The text; what nobody reads as text is left out, line breaks stay.
  let text: String

  /// Takes the text out of a file; nil for a kind of file that holds none.
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

  /// What stands outside of pairs of signs.
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

  /// Comments to the end of the line, and what stands between quotes.
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
        // A backslash and what it escapes are no words.
        rest = rest.dropFirst(next == "\\" ? 2 : 1)
        text.append(next == "\\" ? "." : next)
      }
      rest = rest.dropFirst()
      text += "."
    }
    return text
  }
}
