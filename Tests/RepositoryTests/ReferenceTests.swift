import Foundation
import Testing

@Suite("docs/operating.md")
struct ReferenceTests {
  private static func page() throws -> MarkdownText {
    MarkdownText(try Repository.text("docs/operating.md"))
  }

  private static func programs() throws -> [String] {
    try Repository.files(below: "Sources/tieout", ending: ".swift").map { try Repository.text($0) }
  }

  @Test("docs/operating.md lists every exit status of the program, and no other")
  func exitStatuses() throws {
    let rows = try Self.page().section("Exit statuses").text
    let listed = rows.matches(of: /(?m)^\| (\d+) \|/).compactMap { Int($0.output.1) }
    let ending = try Repository.text("Sources/tieout/Ending.swift")
    let body = try #require(
      ending.firstMatch(of: /(?s)static func status\(of.*?\n  \}\n/)?.output)
    var given: Set = [0, 64]
    given.formUnion(body.matches(of: /\b(\d\d)\b/).compactMap { Int($0.output.1) })
    for text in try Self.programs() {
      given.formUnion(text.matches(of: /ExitCode\((\d+)\)/).compactMap { Int($0.output.1) })
    }
    #expect(listed == given.sorted())
  }

  @Test("docs/operating.md lists every metric, and no other")
  func metrics() throws {
    let rows = try Self.page().section("Metrics").text.split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.joined()
    let listed = rows.matches(of: /`(tieout_[a-z_]+)`/).map { String($0.output.1) }
    let sources = try Repository.files(below: "Sources/Reports/Metrics", ending: ".swift")
      .map { try Repository.text($0) }
    let given = try (sources + Self.programs()).flatMap { text in
      text.matches(of: /"(tieout_[a-z_]+)/).map { String($0.output.1) }
    }
    #expect(listed.count > 8)
    #expect(listed.sorted() == Set(given).sorted())
  }
}
