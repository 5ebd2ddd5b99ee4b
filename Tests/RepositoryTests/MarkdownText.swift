import Foundation

/// A page of documentation, split at its headings.
struct MarkdownText {
  private let lines: [String]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The text of the page.
  var text: String { lines.joined(separator: "\n") }

  /// The headings of a level, without the number signs.
  func headings(level: Int) -> [String] {
    let sign = String(repeating: "#", count: level) + " "
    return lines.filter { $0.hasPrefix(sign) }.map { String($0.dropFirst(sign.count)) }
  }

  /// The anchors for links, derived from the headings of every level as GitHub does.
  var anchors: Set<String> {
    var isCode = false
    var anchors: Set<String> = []
    for line in lines {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, line.hasPrefix("#") else { continue }
      let heading = line.drop { $0 == "#" }.dropFirst().lowercased()
      anchors.insert(
        String(
          heading.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            .map { $0 == " " ? "-" : $0 }))
    }
    return anchors
  }

  /// The text under a heading, up to the next heading.
  func section(_ heading: String) -> MarkdownText {
    let rest = lines.drop { line in
      line.drop { $0 == "#" } != " " + heading || !line.hasPrefix("#")
    }
    return MarkdownText(
      rest.dropFirst().prefix { !$0.hasPrefix("#") }.joined(separator: "\n"))
  }

  /// The names in backticks at the start of the rows, in the table with this first column.
  func names(inTableOf column: String) -> [String] {
    guard
      let header = lines.indices.dropLast().first(where: { index in
        let name = lines[index].dropFirst(2).prefix { $0 != "|" }
        return lines[index + 1].hasPrefix("| ---")
          && name.trimmingCharacters(in: .whitespaces) == column
      })
    else { return [] }
    return lines[header...].dropFirst(2).prefix { $0.hasPrefix("|") }.compactMap { row in
      let name = row.split(separator: "`", omittingEmptySubsequences: false)
      return name.count > 2 && name[0] == "| " ? String(name[1]) : nil
    }
  }
}
