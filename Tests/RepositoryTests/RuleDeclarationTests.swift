import Foundation
import ReconciliationSQL
import Rules
import Testing

@Suite("A rule's file declares what the night has to know about the rule")
struct RuleDeclarationTests {
  @Test(
    "a header says what its rule finds and which columns its query returns", arguments: Rule.all)
  func columns(_ rule: Rule) throws {
    #expect(rule.query.text.contains("\n-- Finds "))
    let columns = try #require(SQLHeader(rule.query).values("Gives"))
    #expect(Array(columns.prefix(4)) == ["level", "environment", "reason", "detail"])
    #expect(["", "family_key"].contains(columns.dropFirst(4).joined(separator: ",")))
    #expect(!rule.key.isEmpty)
  }

  @Test("the levels are those of the query and of the data dictionary", arguments: Rule.all)
  func levels(_ rule: Rule) throws {
    let levels = try #require(SQLHeader(rule.query).values("Levels"))
    let words = ["error", "warning", "info"]
    let query = rule.query.text.split(separator: "\n").filter { !$0.hasPrefix("--") }
      .joined(separator: "\n")
    #expect(levels == words.filter { query.contains("'\($0)'") })
    let dictionary = try Repository.text("reports/README.md")
    let line = try #require(
      dictionary.split(separator: "\n").first { $0.hasPrefix("| `\(rule.name)` | ") })
    let level = line.split(separator: "|")[1]
    #expect(Set(levels) == Set(words.filter { level.contains($0) }))
  }

  @Test("a rule and the files of match/ that it declares name each other", arguments: Rule.all)
  func exceptions(_ rule: Rule) {
    let files = [SQLFile.matchLedger, .matchSample] + SQLFile.matchExceptions
    let naming = names(of: files, naming: rule)
    let declared = SQLHeader(rule.query).values("Exception")
    #expect(declared?.sorted() == (naming.isEmpty ? ["none"] : naming))
    // Nothing else says which chains a rule about purchases has to see.
    #expect(!rule.isOfPurchases || !naming.isEmpty)
  }

  @Test("a rule and the file that tells when time changes it name each other", arguments: Rule.all)
  func time(_ rule: Rule) {
    let naming = names(of: [.carriedDue], naming: rule)
    // Every night applies a rule of the night to everything, so its file declares no `Time`.
    let declared = rule.isOfPurchases ? SQLHeader(rule.query).values("Time") : ["no"]
    #expect(declared == (naming.isEmpty ? ["no"] : naming))
  }

  @Test("what can resolve a finding is known, and time comes last", arguments: Rule.all)
  func resolved(_ rule: Rule) {
    #expect(!rule.resolved.dropLast().contains("time"))
    #expect(Set(rule.resolved).count == rule.resolved.count)
    let findings = SQLFile.all.filter { $0.layer == "findings" }
    #expect(!rule.resolved.isEmpty || findings.contains { $0.text.contains("'\(rule.name)'") })
    let text = rule.query.text.replacing("-- Resolved   ", with: "-- Resolved   luck, ")
    #expect(Rule(SQLFile(rule.query.name, text)) == nil)
  }

  @Test(
    "a rule's texts for an explanation are in its header, or explain_verdict.sql has them",
    arguments: Rule.all)
  func texts(_ rule: Rule) {
    #expect((rule.otherwise == nil) == SQLFile.explainVerdict.text.contains("when '\(rule.name)'"))
    let texts = [rule.sentence, rule.otherwise].compactMap { $0 }
    for text in texts {
      #expect(!text.isEmpty && !text.hasSuffix(".") && !text.contains(".sql"), "\(text)")
    }
  }

  /// The files of which a comment names a rule, sorted.
  private func names(of files: [SQLFile], naming rule: Rule) -> [String] {
    files.filter { file in
      file.text.split(separator: "\n").contains { line in
        let comment = line.drop { $0 == " " }
        return comment.hasPrefix("--")
          && comment.split { !$0.isLetter && $0 != "_" }.contains(Substring(rule.name))
      }
    }.map { "\($0.name).sql" }.sorted()
  }

  @Test(
    "a header without a line that the program uses, or with such a line twice, declares nothing",
    arguments: Rule.all)
  func incomplete(_ rule: Rule) throws {
    let lines = rule.query.text.split(separator: "\n", omittingEmptySubsequences: false)
    for word in ["Judges", "Key", "Resolved", "Sentence", "Otherwise"] {
      let place = try #require(lines.firstIndex { $0.hasPrefix("-- \(word) ") }, "\(word)")
      for count in [0, 2] {
        var changed = lines
        changed.replaceSubrange(
          place...place, with: Array(repeating: lines[place], count: count))
        #expect(Rule(SQLFile(rule.query.name, changed.joined(separator: "\n"))) == nil, "\(word)")
      }
    }
    #expect(Rule(rule.query) == rule)
  }
}
