import Configuration
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("Findings that change as time passes")
struct FallsDueTests {
  /// Expects the findings of two nights without a new file, the second after something has fallen
  /// due.
  private func expect(
    _ rule: String, at first: String, finds before: String, thenAt second: String,
    finds after: String, in night: TestNight, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try night.run(asOf: "2026-11-01 00:00")
    try night.run(asOf: first)
    #expect(
      try night.findings(of: rule, columns: ["subject"])
        == DrawnTable(before).text, sourceLocation: sourceLocation)
    try night.run(asOf: second)
    #expect(
      try night.findings(of: rule, columns: ["subject"])
        == DrawnTable(after).text, sourceLocation: sourceLocation)
    #expect(
      try night.database.draw(
        "select count(*) as nights from run_step where step = 'judge before load'")
        == DrawnTable("nights\n2").text, "the nights judged everything",
      sourceLocation: sourceLocation)
    #expect(try night.recompute().corrections == 0, sourceLocation: sourceLocation)
  }

  private func night() throws -> TestNight {
    let night = try TestNight()
    night.settings.booksBegin = "2026-01-01T00:00:00Z"
    try night.catalogue("product_id\nbook")
    return night
  }

  /// A case in which something falls due, or runs out, in one second.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: String
    var first = "2026-11-01 09:59:59"
    var before = "subject"
    var second = "2026-11-01 10:00"
    var after = "subject"
    var transactions: String?
    var deliveries: String?
    var clientLog: String?
  }

  private static let cases = [
    Case(
      testDescription: "a delivery is missing when it is due", rule: "missing_delivery",
      after: "subject\n1 book",
      transactions: """
        transaction_id | product_id | purchased_at
        1              | book       | 2026-10-31 10:00
        """),
    Case(
      testDescription: "an attempt is unfinished when its grace period has ended",
      rule: "unfinished_delivery", after: "subject\n1 new",
      transactions: """
        transaction_id | product_id | purchased_at
        1              | book       | 2026-10-01 10:00
        """,
      deliveries: """
        transaction_id | product_id | occurred_at      | status    | device_id
        1              | book       | 2026-10-01 10:01 | delivered | old
        1              | book       | 2026-10-31 10:00 | failed    | new
        """),
    Case(
      testDescription: "a delivery is without a purchase when its grace period has ended",
      rule: "delivery_without_purchase", after: "subject\nD1",
      deliveries: """
        delivery_id | transaction_id | product_id | occurred_at
        D1          | 1              | book       | 2026-10-31 10:00
        """),
    Case(
      testDescription: "a delivery after a refund is found when its grace period has ended",
      rule: "delivery_without_purchase", after: "subject\nD1",
      transactions: """
        transaction_id | product_id | purchased_at     | cancelled_at
        1              | book       | 2026-10-01 10:00 | 2026-10-20 10:00
        """,
      deliveries: """
        delivery_id | transaction_id | product_id | occurred_at
        D1          | 1              | book       | 2026-10-31 10:00
        """),
    Case(
      testDescription: "surplus restores are no longer found when the restore window has closed",
      rule: "duplicate_restore", first: "2026-11-02 10:00", before: "subject\n1 book",
      second: "2026-11-02 10:00:01",
      transactions: """
        transaction_id | original_transaction_id | product_id | purchased_at
        1              | 1                       | book       | 2026-10-01 10:00
        2              | 1                       | book       | 2026-10-02 10:00
        3              | 1                       | book       | 2026-10-03 10:00
        """),
    Case(
      testDescription: "a purchase on a device lacks its receipt when its grace period has ended",
      rule: "purchase_without_receipt", after: "subject\n1",
      clientLog: """
        transaction_id | product_id | state     | transaction_date | device_id
        1              | book       | purchased | 2026-10-31 10:00 | phone
        """),
  ]

  @Test("findings change in the second in which something falls due", arguments: cases)
  func fallsDue(_ example: Case) throws {
    let night = try night()
    if let table = example.transactions { try night.transactions(table) }
    if let table = example.deliveries { try night.deliveries(table) }
    if let table = example.clientLog { try night.clientLog(table) }
    try expect(
      example.rule, at: example.first, finds: example.before, thenAt: example.second,
      finds: example.after, in: night)
  }

  @Test("purchases, refunds, deliveries and restores count from their date on")
  func datedLater() throws {
    let night = try night()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | cancelled_at
      1              | 1                       | nobody     | 2026-11-05 10:00 |
      2              | 2                       | book       | 2026-10-01 10:00 | 2026-11-05 10:00
      3              | 3                       | book       | 2026-10-01 10:00 |
      4              | 4                       | book       | 2026-10-01 10:00 |
      5              | 4                       | book       | 2026-10-30 10:00 |
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      3              | book       | 2026-11-05 10:00
      4              | book       | 2026-10-01 10:01
      """)
    try night.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state    | transaction_date
      6              | 4                       | book       | restored | 2026-11-05 10:00
      """)
    try expect(
      "missing_delivery", at: "2026-11-05 09:59:59", finds: "subject\n2 book\n3 book",
      thenAt: "2026-11-05 10:00", finds: "subject", in: night)
    #expect(
      try night.findings(of: "invalid_product_id", columns: ["subject"])
        == DrawnTable("subject\nnobody unknown").text)
    #expect(
      try night.findings(of: "duplicate_restore", columns: ["subject"])
        == DrawnTable("subject\n4 book").text)
  }

  @Test("a log that arrives late changes the reason of a missing delivery")
  func silence() throws {
    let night = try night()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-10-10 10:00
      2              | book       | 2026-10-20 10:00
      """)
    try night.run(asOf: "2026-11-01 00:00")
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      7              | book       | 2026-10-10 12:00
      """)
    try night.run(asOf: "2026-11-01 01:00")
    try night.expect(
      "missing_delivery",
      finds: """
        level   | subject | reason
        error   | 1 book  | never_attempted
        warning | 2 book  | no_records
        """)
    #expect(try night.recompute().corrections == 0)
  }
}
