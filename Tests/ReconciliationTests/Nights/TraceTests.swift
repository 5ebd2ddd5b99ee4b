import Configuration
import Findings
import Foundation
import Ledger
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("Names of people in rejections and in the journal") struct TraceTests {
  /// Documents in which the name of a member is a name of a person.
  private static func putMembers(_ name: String, _ night: TestNight) throws {
    let transaction = #"{"transaction_id":"7","product_id":"book.emma","purchase_date_ms":"x"}"#
    let answer =
      #"{"status":0,"receipt":{"bundle_id":"com.example.reader","in_app":[\#(transaction)]}}"#
    let deep = String(repeating: "[", count: 80) + String(repeating: "]", count: 80)
    try night.put(
      """
      {"\(name)":\(answer)}
      {"\(name)":{"status":21003,"environment":"Sandbox"}}
      {"\(name)":\(deep)}

      """, at: "receipts/members.ndjson")
  }

  private static func rejections(_ night: TestNight) throws -> String {
    try night.database.draw("select line, reason, detail from rejection order by line, reason")
  }

  @Test("names of members are not in the detail of a rejection if names are hashed or forgotten")
  func members() throws {
    let plain = try TestNight()
    try Self.putMembers("PERSON-1", plain)
    try plain.run(asOf: "2026-11-20 03:00")
    let details = try Self.rejections(plain)
    for words in [
      "At /PERSON-1: purchase_date_ms", "At /PERSON-1: Apple", "The value at /PERSON-1/0",
    ] {
      #expect(details.contains(words), "\(details)")
    }
    let hashing = try TestNight()
    try PrivacyTests.hash(hashing)
    let forgetting = try TestNight()
    try forgetting.run(asOf: "2026-11-19 03:00")
    try forgetting.forget("ANOTHER")
    for night in [hashing, forgetting] {
      try Self.putMembers("PERSON-1", night)
      try night.run(asOf: "2026-11-20 03:00")
      let details = try Self.rejections(night)
      #expect(details.split(separator: "\n").count == 4, "\(details)")
      #expect(!details.contains("PERSON-1"), "\(details)")
    }
    #expect(try !PrivacyTests.everything(hashing, withViews: true).contains("PERSON-1"))
  }

  @Test(
    "the detail of a rejection with a forgotten name is removed, and the report says so",
    arguments: [
      ("PERSON-1", "PERSON-1", "PERSON-1"), ("shop/é", #"shop\/\u00e9"#, #"shop\~1\u00e9"#),
    ])
  func forgottenDetail(name: String, member: String, shown: String) throws {
    let night = try TestNight()
    try Self.putMembers(member, night)
    try night.put("{}\n", at: "receipts/other.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try Self.rejections(night).contains("At /\(shown): "))
    try night.forget(name)
    let everything = try PrivacyTests.everything(night, withViews: true)
    for text in [name, member, shown] { #expect(!everything.contains(text), "\(text)") }
    let rows = try night.table("rejected_records.csv").columns(["file", "line", "detail"]).rows
    #expect(
      rows.filter { $0[0] == "receipts/members.ndjson" }
        == ["1", "2", "3"].map { ["receipts/members.ndjson", $0, "The text was removed."] })
    #expect(rows.filter { $0[2] == "The text was removed." }.count == 3)
    #expect(rows.count == 4)
  }

  @Test("the text of a rejection is removed if only Base64 text in it contains a forgotten name")
  func encoded() throws {
    let night = try TestNight.withOpenBooks()
    let tokens = (0..<3).map { _ in UUID().uuidString.lowercased() }
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | signed_at        | token        | notification
      1001           | book       | 2026-11-10 10:00 | 2026-11-10 10:01 | \(tokens[0]) |
      1002           | book       | 2026-11-10 10:00 | 2026-11-10 10:01 | \(tokens[1]) | REFUND
      1003           | book       | 2026-11-10 10:00 | 2026-11-10 10:01 | \(tokens[2]) |
      """)
    for (file, name) in [("a", "PERSON-1"), ("b", "PERSON-2")] {
      let text = Data(#"{"account":"\#(name)","order":"17"}"#.utf8).base64EncodedString()
      try night.put(#"{"receipt-data":"\#(text)"}"# + "\n", at: "receipts/\(file).ndjson")
    }
    // The tests' authority is no root any more, so nothing that it signed is accepted.
    night.settings.trustedRoots = []
    try night.run(asOf: "2026-11-20 03:00")
    func kept() throws -> String {
      try night.database.draw(
        """
        select path, line from rejection where raw is not null and excerpt <> '' order by path, line
        """)
    }
    #expect(try kept().split(separator: "\n").count == 6)
    var files: [String] = []
    for name in [tokens[0], tokens[1], "PERSON-1"] {
      files += try #require(night.forget(name).forgotten).files
    }
    let signed = files.first ?? ""
    #expect(files == [signed, signed, "receipts/a.ndjson"])
    #expect(
      try kept()
        == DrawnTable(
          """
          path              | line
          \(signed)         | 3
          receipts/b.ndjson | 1
          """
        ).text)
  }

  @Test("a rebuild that begins to hash names removes the details of earlier rejections")
  func hashedDetail() throws {
    let night = try TestNight()
    try Self.putMembers("PERSON-1", night)
    try night.run(asOf: "2026-11-20 03:00")
    try PrivacyTests.hash(night)
    try night.rebuild()
    #expect(try !PrivacyTests.everything(night, withViews: true).contains("PERSON-1"))
    #expect(
      try night.table("rejected_records.csv").columns(["detail"]).rows
        == Array(repeating: ["The text was removed."], count: 3))
  }

  @Test("the reason of an acknowledgement is not in the journal, which is never changed")
  func journal() throws {
    let night = try TestNight.withMissingBooks("1", "2")
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "1 book")
    _ = try night.acts().acknowledge([name], because: "PERSON-1 waits", until: nil)
    _ = try night.acts().reopen([name], note: "PERSON-1 called")
    #expect(
      try night.database.draw(
        "select act, subject, detail from journal where act not in ('run', 'settings') order by entry_id"
      )
        == DrawnTable(
          """
          act         | subject | detail
          acknowledge | \(name) |
          reopened    | \(name) |
          """
        ).text)
    try night.forget("PERSON-1")
    #expect(try !PrivacyTests.everything(night, withViews: true).contains("PERSON-1"))
  }

  @Test("the reason of an acknowledgement keeps longer words that contain the name")
  func longerWord() throws {
    let night = try TestNight.withMissingBooks("1", "2", "3", "4")
    try night.run(asOf: "2026-11-20 03:00")
    for (book, reason) in [
      ("1 book", "see ticket 1007"), ("2 book", "ticket A.100 waits"), ("3 book", "for x100"),
      ("4 book", #"said {"text":"Hello\n100"}"#),
    ] {
      _ = try night.acts().acknowledge([night.name(of: book)], because: reason, until: nil)
    }
    try night.forget("100")
    try night.forget("icket.A")
    #expect(
      try night.database.draw(
        "select string_agg(because, '; ' order by because) as reasons from acknowledgement")
        == DrawnTable(
          """
          reasons
          ; ; for x100; see ticket 1007
          """
        ).text)
  }
}
