import Explain
import ReconciliationTestSupport
import Testing

@Suite("Why a rule found nothing about a thing") struct AbsentFindingTests {
  @Test("the reason is true for refunds, other environments, claims and old restores")
  func reasons() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | cancelled_at     | environment
      1              | 1                       | book       | 2026-11-10 10:00 | 2026-11-12 10:00 | Production
      2              | 2                       | book       | 2026-11-10 10:00 |                  | Sandbox
      3              | 3                       | book       | 2026-09-01 10:00 |                  | Production
      30             | 3                       | book       | 2026-09-02 10:00 |                  | Production
      31             | 3                       | book       | 2026-09-03 10:00 |                  | Production
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | book       | 2026-11-10 10:05 | failed
      2              | book       | 2026-11-10 10:05 | failed
      99             | bok        | 2026-11-10 10:05 | delivered
      """)
    try night.clientLog(
      """
      transaction_id | product_id | state     | transaction_date
      8              | book       | purchased | 2026-11-20 02:00:00
      9              | bok        | purchased | 2026-11-20 02:00:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let expected = [
      ("1", "unfinished_delivery", "it was refunded"),
      ("2", "unfinished_delivery", "its environment is not judged"),
      ("1", "duplicate_restore", "it was not restored"),
      (
        "3", "duplicate_restore",
        "restored transactions: 2, in each family not more than allowed, or the last one is older "
          + "than restore_window"
      ),
      (
        "99", "delivery_without_purchase",
        "each delivery belongs to a purchase, is in its grace period, is before the books begin, "
          + "is of a product that the catalogue does not list, or names the original of other "
          + "transactions"
      ),
      (
        "8", "purchase_without_receipt",
        "no app reports it as purchased, its grace period has not ended, or evidence contains it "
          + "under another id"
      ),
      ("9", "invalid_product_id", "no transaction or delivery of a judged environment names it"),
    ]
    for (name, rule, words) in expected {
      #expect(try Self.words(of: rule, about: name, in: night) == words, "\(name), \(rule)")
    }
  }

  @Test("rules that judge configured environments only say so of another one")
  func otherEnvironment() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | environment
      5              | 5                       | book       | 2026-11-10 10:00 | Sandbox
      6              | 5                       | book       | 2026-11-11 10:00 | Sandbox
      7              | 5                       | book       | 2026-11-12 10:00 | Sandbox
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | device_id | account_id | environment
      D1          | 5              | book       | 2026-11-10 10:05 | phone     | anna       | Sandbox
      D2          | 5              | book       | 2026-11-10 10:06 | phone     | ben        | Sandbox
      D3          | 9              | book       | 2026-11-10 10:06 | phone     | ben        | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for rule in [
      "missing_delivery", "unfinished_delivery", "duplicate_delivery", "duplicate_restore",
      "delivery_without_purchase", "conflicting_transaction", "conflicting_delivery",
      "shared_purchase",
    ] {
      let words = try Self.words(of: rule, about: "5", in: night)
      #expect(words == "its environment is not judged", "\(rule)")
    }
    #expect(
      try Self.words(of: "delivery_without_purchase", about: "D3", in: night)
        == "its environment is not judged")
    #expect(
      try Self.words(of: "suspicious_receipt", about: "5", in: night)
        == "no evidence of it looks forged")
  }

  @Test("without a catalogue no identifier is compared")
  func noCatalogue() throws {
    let night = try TestNight()
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try Self.words(of: "invalid_product_id", about: "1", in: night) == "there is no catalogue")
  }

  private static func words(
    of rule: String, about name: String, in night: TestNight
  ) throws -> String {
    let things = try Inquiry(about: name, database: night.database.connectionString)
      .explanation.things
    let verdict = try #require(things.first?.verdicts.first { $0.rule == rule })
    #expect(verdict.verdict == "not found")
    return verdict.words
  }
}
