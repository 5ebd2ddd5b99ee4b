import Foundation
import Testing

@Suite("Decision records")
struct DecisionTests {
  private static let records = Result {
    try Repository.files(below: "docs/decisions", ending: ".md")
      .filter { !$0.hasSuffix("/README.md") }
  }

  @Test("each record has a date, a context, a decision and a consequence, and fits on a screen")
  func form() throws {
    let records = try Self.records.get()
    #expect(records.count > 40)
    for record in records {
      let page = MarkdownText(try Repository.text(record))
      #expect(page.headings(level: 1).count == 1, "\(record)")
      #expect(
        page.headings(level: 2) == ["Context", "Decision", "Consequence"], "\(record)")
      #expect(
        page.text.contains(/\n\nDecided on \d{4}-\d{2}-\d{2}\.\n\n/), "\(record)")
      #expect(page.text.split(separator: "\n").count <= 50, "\(record)")
    }
  }

  @Test("the index has one line for each record, with its title and its date")
  func index() throws {
    var lines: [String] = []
    for record in try Self.records.get() {
      let page = MarkdownText(try Repository.text(record))
      let name = URL(filePath: record).lastPathComponent
      let title = page.headings(level: 1).first ?? ""
      let date = page.text.firstMatch(of: /Decided on (\S+)\./)?.output.1 ?? ""
      lines.append("| [\(title)](\(name)) | \(date) |")
    }
    let index = try Repository.text("docs/decisions/README.md")
    let listed = index.split(separator: "\n").filter { $0.hasPrefix("| [") }.map(String.init)
    #expect(listed.sorted() == lines.sorted())
  }
}
