import Foundation
import ReconciliationSQL
import Testing

@testable import Configuration
@testable import Explain
@testable import Intake
@testable import Page
@testable import Rules

@Suite("What several SQL statements need is in one file")
struct StandsOnceTests {
  /// Something that was written in several files, and the file in which it is.
  struct Phrase: CustomTestStringConvertible, Sendable {
    let words: String
    let file: String
    /// Files in which the same words mean something else.
    var others: Set<String> = []

    var testDescription: String { words }
  }

  static let phrases = [
    Phrase(words: "'2091-", file: "schema_policy"),
    Phrase(words: "America/Los_Angeles", file: "schema_policy"),
    Phrase(words: "date_bin\\(", file: "schema_function"),
    // A finding in words.
    Phrase(words: "%s, since %s", file: "schema_finding"),
    // The end of the names that begin like a given one.
    Phrase(words: "\\|\\| 'g'", file: "schema_finding"),
    Phrase(words: "'Sandbox' else 'Production'|\\w, 'Production'\\)", file: "schema_delivery"),
    Phrase(words: "'server', 'on_demand'", file: "schema_catalogue"),
    Phrase(words: "when 'error' then|'error', 'warning', 'info'\\]", file: "schema_order"),
    // The value of a price in a catalogue is no identifier.
    Phrase(
      words: "length\\(([^,]+)\\)( nulls first)?,\\s+\\1\\b|int4send\\(length\\(",
      file: "schema_order",
      others: ["judge_price"]),
    Phrase(
      words: "occurred_at desc,\\s+(\\w+\\.)?status,\\s+(\\w+\\.)?delivery_id",
      file: ""),
    Phrase(words: "to 30 days", file: "report_liabilities"),
    Phrase(words: "1–6|days < 7", file: "page_risk"),
    Phrase(words: "limit 100000", file: ""),
    Phrase(words: "'(28 days|672 hours)'", file: ""),
    Phrase(words: "- serving_days\\(\\)", file: "schema_function"),
    Phrase(words: "- cause_days\\(\\)", file: "judge_night"),
    Phrase(words: "min\\(input_file\\.file_id\\)", file: "schema_file"),
    // The runs of a day up to a night's own (is_run_of_day).
    Phrase(
      words: "night\\.as_of_on = run\\.as_of_on|\\brun\\.as_of_on = night\\.as_of_on",
      file: ""),
    Phrase(
      words: "obligation_key, 'd(elivery)? ' \\|\\||'claim ' \\|\\| coalesce",
      file: "schema_function"),
    Phrase(words: "seconds\\[\\w", file: "schema_function"),
    // A signed transaction without a refund (shows_no_refund).
    Phrase(
      words: "cancelled_at is null\\s+and not (\\w+\\.)?is_upgraded", file: "schema_evidence"),
    // Evidence that looks forged (looks_forged).
    Phrase(words: "dates_disagree\\s+or ", file: "schema_evidence"),
    // The order of the purchases of a chain.
    Phrase(words: "refunded_at is not null,\\s+case", file: "schema_order"),
    // The order of the records of one delivery.
    Phrase(
      words: "revision desc|-(coalesce\\()?(\\w+\\.)?revision\\b", file: "schema_order"),
  ]

  @Test("no other file has the words", arguments: phrases)
  func once(_ phrase: Phrase) throws {
    let words = try Regex(phrase.words)
    let files = SQLFile.all.filter { $0.text.contains(words) }.map(\.name)
    #expect(Set(files).subtracting(phrase.others) == (phrase.file.isEmpty ? [] : [phrase.file]))
  }

  @Test("the documentation and the readers have the numbers of the policy")
  func numbers() throws {
    let meaning = try Self.unwrapped("docs/meaning.md")
    let silence = try (number("silence_days"), number("silence_attempts"))
    #expect(meaning.contains("over the \(silence.0) days before is \(silence.1) or more"))
    #expect(
      meaning.contains("served it in the \(try number("serving_days")) whole days (UTC) before"))
    let (feedDays, activeDays) = try (number("feed_days"), number("feed_active_days"))
    #expect(meaning.contains("In the \(feedDays) days that end with"))
    #expect(meaning.contains("it had records on at least \(activeDays) days"))
    #expect(meaning.contains("on fewer than \(activeDays) of these \(feedDays) days"))
    #expect(try number("automatic_restore_days") == 3)
    #expect(meaning.contains("restored with it on three days or more"))
    #expect(
      meaning.contains(
        "\(try number("switched_off_days")) days after its last silent hour if the server"))
    // The page and its texts.
    #expect(try number("page_days") == 30)
    let findings = try Repository.text("docs/findings.md")
    #expect(try number("searched_rejections") == 100_000)
    #expect(findings.contains("the newest hundred thousand rejected records"))
    #expect(try number("warned_accounts") == 5)
    #expect(findings.contains("If five or more (warning)"))
    #expect(try number("whole_rejections") == RejectionShare.wholeLimit)
  }

  @Test("docs/data-model.md has the numbers that decide how a night judges")
  func judging() throws {
    let model = try Self.unwrapped("docs/data-model.md")
    #expect(AffectedRecords.fewNames == 5000)
    #expect(AffectedRecords.largeShare == 0.25)
    #expect(AffectedRecords.manyRounds == 250)
    #expect(model.contains("more than 5,000 names are affected and this is more than a quarter"))
    #expect(model.contains("following shared names takes more than 250 rounds"))
    #expect(Matching.Limits().fewestTransactions == 2000)
    #expect(Matching.Limits().mostExceptions == 40)
    #expect(model.contains("at least 2,000 transactions are to be judged"))
    #expect(model.contains("more than 40 % of the transactions are exceptions"))
  }

  /// The modules of the page and of explanations do not need each other, so each has a list.
  @Test(
    "levels have the order of SQL on the page and in explanations",
    arguments: [Level.allCases.map(\.rawValue), Explanation.FindingCount.levels])
  func levels(levels: [String]) {
    let inSQL = SQLFile.schemaOrder.text.matches(of: /when '(\w+)' then (\d)/)
      .map { "\($0.1) \($0.2)" }
    #expect(inSQL == ["error 1", "warning 2"])
    #expect(levels.count == 3)
    #expect(levels.dropLast().enumerated().map { "\($1) \($0 + 1)" } == inSQL)
  }

  /// The settings belong to a module that needs no other, so it has lists of its own.
  @Test("the columns of deliveries in settings are those of the readers")
  func lists() {
    #expect(deliveryColumnNames == DeliveryColumn.allCases.map(\.rawValue))
  }

  /// The text of a file without line breaks.
  private static func unwrapped(_ path: String) throws -> String {
    try Repository.text(path).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The number that a function of schema_policy.sql returns.
  private func number(_ function: String) throws -> Int {
    let text = try Regex(
      "create function \(function)\\(\\)[^;]* return ([0-9]+)", as: (Substring, Substring).self)
    let found = try #require(SQLFile.schemaPolicy.text.firstMatch(of: text))
    return try #require(Int(found.output.1))
  }
}
