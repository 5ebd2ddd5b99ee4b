import Foundation
import Testing

@Suite("The words of docs/glossary.md")
struct GlossaryTests {
  private static let replaced = Result {
    ReplacedWords(glossary: try Repository.text("docs/glossary.md") + "\n" + otherWords)
  }

  @Test("no text uses a replaced word")
  func clean() throws {
    #expect(try Self.replaced.get().count > 20)
    for path in try Self.paths() {
      let hits = try Self.hits(in: path)
      #expect(hits.isEmpty, "\(path) uses \(hits.map { "“\($0.words)” in line \($0.line)" })")
    }
  }

  @Test("a replaced word is found in text, not in code")
  func found() throws {
    let words = ReplacedWords(glossary: "| alert | | \"alarm\" |\n| match | | \"near miss\" |")
    let hit = ReplacedWords.Hit(line: 2, words: "near miss")
    func hits(_ path: String, _ content: String) throws -> [ReplacedWords.Hit] {
      words.hits(in: try #require(Prose(of: path, content: content)).text)
    }
    #expect(try hits("a.md", "One\nNear\nmiss.") == [hit])
    #expect(try hits("a.md", "`alarm` [x](alarm.md) near. Miss\n```\nalarm\n```\nalarming") == [])
    #expect(try hits("a.swift", "let alarm = 1\nsay(\"a near-miss\")") == [hit])
    #expect(try hits("a.swift", "\n/// A near\n/// miss.") == [hit])
    #expect(try hits("a.swift", "let near_miss = alarm(\"near_miss\")") == [])
    #expect(try hits("a.sql", "select alarm -- x\n, 'near miss'") == [hit])
    #expect(try hits("a.yaml", "alarm: 1\n# near miss") == [hit])
    #expect(try hits("a.mustache", "<p class='alarm'>\n{{alarm}} near miss") == [hit])
    #expect(Prose(of: "a.png", content: "alarm") == nil)
  }

  /// The files that people write, except for the glossary and these tests.
  private static func paths() throws -> [String] {
    let more = try ["Benchmarks", "Fuzzing", "Plugins"].flatMap { try Repository.files(below: $0) }
    return (try Repository.writtenFiles() + more).filter {
      $0 != "docs/glossary.md" && !$0.hasPrefix("Tests/RepositoryTests/GlossaryTests")
    }
  }

  private static func hits(in path: String) throws -> [ReplacedWords.Hit] {
    guard let content = try Repository.textOfWritten(path),
      let prose = Prose(of: path, content: content)
    else { return [] }
    return try replaced.get().hits(in: prose.text)
  }
}
