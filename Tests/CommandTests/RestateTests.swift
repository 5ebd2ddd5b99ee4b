import Foundation
import ReconciliationTestSupport
import Testing

@Suite("tieout restate") struct RestateTests {
  @Test("it prints what has changed since a month was published, or that nothing has")
  func changes() throws {
    let command = try CommandNight()
    func restate(_ words: String...) throws -> Program.Ended {
      try command.start(["restate", "--database", command.night.database.connectionString] + words)
        .ended()
    }
    #expect(
      try restate().output.hasPrefix(
        "No ended month has been published yet, so nothing is compared.\nNo night was done yet"))
    try command.putGoodNight()
    try #require(try command.run(asOf: "2026-10-31T03:00:00Z").status == 0)
    #expect(
      try restate().output == "Nothing has changed since each ended month was published.\n")
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency
      102            | book.emma  | 2026-10-18 11:00 | 4.99  | EUR
      """)
    try #require(try command.run(asOf: "2026-11-01T03:00:00Z").status == 0)
    let changed = try restate("2026-10")
    #expect(changed.status == 0)
    #expect(
      changed.output == """
        month    product_id  currency  price_source  measure     edition     published  difference  restated  causes
        2026-10  book.emma   EUR       receipt       units_sold  2026-10-31          0           1         1  evidence_arrived 1
        2026-10  book.emma   EUR       receipt       gross       2026-10-31          0        4.99      4.99  evidence_arrived 4.99
        2026-10  book.emma   EUR       receipt       net         2026-10-31          0        4.99      4.99  evidence_arrived 4.99

        """)
    #expect(
      try restate("2026-09").output == "Nothing has changed since 2026-09 was published.\n")
    #expect(
      try restate("2026-12").output
        == "2026-12 has not been published yet, so nothing is compared.\n")
    // The refund cancels the late sale in the net amount.
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | cancelled_at
      102            | book.emma  | 2026-10-18 11:00 | 4.99  | EUR      | 2026-10-20 11:00
      """)
    try #require(try command.run(asOf: "2026-11-02T03:00:00Z").status == 0)
    let cancelled = try restate("2026-10").output
    #expect(cancelled.contains(" refunds "), "\(cancelled)")
    #expect(!cancelled.contains(" net "), "\(cancelled)")
    #expect(
      try command.night.report("restatement.csv").contains(",net,2026-10-31,0,,4.99,-4.99,"))
    for wrong in ["2026-13", "2026", "october"] {
      let ended = try restate(wrong)
      #expect(ended.status == 64 && ended.errors.contains("is not a month"))
    }
  }
}
