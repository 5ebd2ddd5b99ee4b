import Foundation
import Ledger
import NightRun
import ReconciliationTestSupport
import Runs
import TestNeeds
import Testing

extension PrivacyTests {
  @Test("a forgotten account is replaced in texts of errors, where it is a word of its own")
  func errors() throws {
    let night = try TestNight.withMissingBooks("1", "2", "3")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | account_id      | error
      A           | 1              | book       | 2026-11-10 10:05 | failed | ann@example.com | no quota for ann@example.com: ann@example.com
      B           | 2              | book       | 2026-11-10 10:05 | failed |                 | (ann@example.com) is unknown
      C           | 3              | book       | 2026-11-10 10:05 | failed |                 | joann@example.com has no quota
      """)
    try night.run(asOf: "2026-11-19 03:00")
    try night.run(asOf: "2026-11-20 03:00")
    let forgotten = try #require(try night.forget("ann@example.com").forgotten)
    #expect(forgotten.records.map(\.count) == [2])
    let token = try DrawnTableRows(night, "select token from forgotten_name limit 1").rows[0][0]
    try night.expect(
      query: "select delivery_id, error from delivery_record where error is not null order by 1",
      gives: """
        delivery_id | error
        A           | no quota for \(token): \(token)
        B           | (\(token)) is unknown
        C           | joann@example.com has no quota
        """)
    #expect(
      try night.table("missing_deliveries.csv").columns(["last_error"]).rows == [
        ["no quota for \(token): \(token)"], ["(\(token)) is unknown"],
        ["joann@example.com has no quota"],
      ])
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a forgotten account is replaced in the text of an error that quotes JSON with its name")
  func quotedError() throws {
    let night = try TestNight.withMissingBooks("1", "2")
    try night.deliveries(
      #"""
      delivery_id | transaction_id | product_id | occurred_at      | status | error
      A           | 1              | book       | 2026-11-10 10:05 | failed | refused {"id":"Zo\u00eb \"x\""}
      B           | 2              | book       | 2026-11-10 10:05 | failed | refused {"id":"Zo\u00eb \"x\"y"}
      """#)
    try night.run(asOf: "2026-11-20 03:00")
    let forgotten = try #require(night.forget(#"Zoë "x""#).forgotten)
    #expect(forgotten.records.map(\.count) == [1])
    #expect(forgotten.editions.map(\.edition.folder) == ["2026-11-20"])
    let token = try DrawnTableRows(night, "select token from forgotten_name").rows[0][0]
    #expect(
      try night.table("missing_deliveries.csv").columns(["last_error"]).rows == [
        ["refused {\"id\":\"\(token)\"}"], [#"refused {"id":"Zo\u00eb \"x\"y"}"#],
      ])
  }

  @Test("names that are members of a rejected file are shown only if names are kept")
  func members() throws {
    for isHashing in [false, true] {
      let night = try TestNight()
      if isHashing { try Self.hash(night) }
      try night.put(
        """
        {"ann@example.com":{"a":1},"b":1}
        {"ann@example.com":{"a":1},"b":1}

        """, at: "receipts/log.ndjson")
      try night.put(
        """
        http_interactions:
        - ann@example.com: 1
          ann@example.com: 2

        """, at: "receipts/recording.yml")
      #expect(try night.run(asOf: "2026-11-20 03:00").rejected == 2)
      let details = try DrawnTableRows(night, "select detail from rejection").rows.map { $0[0] }
      #expect(details.allSatisfy { $0.contains("ann@example.com") != isHashing }, "\(details)")
    }
  }

  @Test("with hashed names, no part of a rejected acknowledgement is kept")
  func acknowledgement() throws {
    let night = try TestNight.withMissingBooks("1")
    try Self.hash(night)
    try night.acknowledgements([["F-000000000000", "", "told ANNA", "ANNA"]], at: "a.csv")
    #expect(try night.run(asOf: "2026-11-20 03:00").rejected == 1)
    try night.expect(
      query: "select reason, excerpt, raw, raw_bytes > 0 as has_length from rejection",
      gives: """
        reason          | excerpt | raw | has_length
        unknown_finding |         |     | t
        """)
  }

  @Test(
    "the workbook and the page lose a forgotten account; the manifest never has one",
    .needs(.python3))
  func workbook() throws {
    let night = try TestNight()
    try Self.fill(night)
    try night.run(asOf: "2026-11-20 03:00")
    let before = try Self.texts(night)
    #expect(
      before.filter { $0.value.contains("PERSON-1") }.keys.sorted()
        == ["index.html", "reconciliation.xlsx"])
    try night.forget("PERSON-1")
    for (file, text) in try Self.texts(night) {
      #expect(text != before[file] && !text.isEmpty, "\(file)")
      for name in ["PERSON-1", "PHONE-1"] { #expect(!text.contains(name), "\(file): \(name)") }
    }
  }

  @Test(
    "with hashed names, the workbook, the page and the manifest have no name", .needs(.python3))
  func hashedWorkbook() throws {
    let night = try TestNight()
    try Self.hash(night)
    try Self.fill(night)
    try night.run(asOf: "2026-11-20 03:00")
    let account = try DrawnTableRows(
      night, "select distinct account_id from delivery_record where delivery_id = 'D1'"
    ).rows[0][0]
    let texts = try Self.texts(night)
    #expect(
      texts.filter { $0.value.contains(account) }.keys.sorted()
        == ["index.html", "reconciliation.xlsx"])
    for (file, text) in texts {
      for name in ["PERSON-1", "PHONE-1", "ANOTHER", "TABLET", "THIRD", Self.key] {
        #expect(!text.contains(name), "\(file): \(name)")
      }
    }
  }

  /// The texts of the files of the newest edition that are not CSV.
  private static func texts(_ night: TestNight) throws -> [String: String] {
    let path = night.reports.appending(path: "latest/reconciliation.xlsx").path
    let cells = try SpreadsheetText.sheets(of: path).flatMap { $0.rows.joined() }
    return try [
      "reconciliation.xlsx": cells.joined(separator: "\n"),
      "index.html": night.report("index.html"), "manifest.json": night.report("manifest.json"),
    ]
  }
}
