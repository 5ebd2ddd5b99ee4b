import Configuration
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("Possible matches of missing deliveries")
struct PossibleMatchTests {
  private static let header =
    "transaction_id | possible_match_delivery_id | possible_match_differs\n"

  /// A missing book of the account ann, bought on 2026-11-15 at 10:00 as transaction 500.
  private static func night() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\ncomic")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      500            | book       | 2026-11-15 10:00 | ann
      """)
    return night
  }

  private static func nearest(
    _ deliveries: String, _ also: (TestNight) throws -> Void = { _ in }
  ) throws -> [String] {
    let night = try night()
    try also(night)
    try night.deliveries(deliveries)
    try night.run(asOf: "2026-11-20 03:00")
    let rows = try night.table("missing_deliveries.csv").rows(where: "transaction_id", is: "500")
      .columns(["possible_match_delivery_id", "possible_match_differs"]).rows
    return try #require(rows.first)
  }

  @Test(
    "each kind of possible match is found up to its boundary",
    arguments: [
      ("500 | comic | 2026-11-18 10:00 | bob |", "product_id"),
      ("500 | book | 2026-11-18 10:00 | bob | Sandbox", "environment"),
      ("500 | comic | 2026-11-18 10:00 | ann | Sandbox", ""),
      ("0500 | book | 2026-11-18 10:00 | bob |", "transaction_id"),
      ("'500 | book | 2026-11-18 10:00 | |", "transaction_id"),
      ("500.0 | book | 2026-11-18 10:00 | |", "transaction_id"),
      ("00500 | book | 2026-11-18 10:00 | |", ""),
      ("501 | book | 2026-11-16 10:00:00 | ann |", "transaction_id"),
      ("501 | book | 2026-11-16 10:00:01 | ann |", ""),
      ("501 | book | 2026-11-14 10:00:00 | ann |", "transaction_id"),
      ("501 | book | 2026-11-14 09:59:59 | ann |", ""),
      ("501 | book | 2026-11-15 10:05 | bob |", ""),
      ("501 | book | 2026-11-15 10:05 | |", ""),
      ("501 | comic | 2026-11-15 10:05 | ann |", ""),
      ("501 | book | 2026-11-15 10:05 | ann | Sandbox", ""),
    ])
  func kinds(_ row: String, _ differs: String) throws {
    let nearest = try Self.nearest(
      "transaction_id | product_id | occurred_at | account_id | environment\n\(row)")
    #expect(nearest == (differs.isEmpty ? ["", ""] : ["D1", differs]))
  }

  @Test(
    "an attempt that did not deliver is not a possible match", arguments: ["failed", "pending"])
  func status(_ status: String) throws {
    let nearest = try Self.nearest(
      """
      transaction_id | product_id | occurred_at      | account_id | status
      501            | book       | 2026-11-15 10:05 | ann        | \(status)
      """)
    #expect(nearest == ["", ""])
  }

  @Test("a delivery of another purchase is a possible match, after those without a purchase")
  func otherPurchase() throws {
    let another = """
      transaction_id | product_id | purchased_at     | account_id
      501            | book       | 2026-11-15 10:01 | ann
      """
    let only = try Self.nearest(
      """
      transaction_id | product_id | occurred_at      | account_id
      501            | book       | 2026-11-15 10:05 | ann
      """
    ) { try $0.transactions(another) }
    #expect(only == ["D1", "other_purchase"])
    let both = try Self.nearest(
      """
      transaction_id | product_id | occurred_at      | account_id
      501            | book       | 2026-11-15 10:05 | ann
      999            | book       | 2026-11-15 20:05 | ann
      """
    ) { try $0.transactions(another) }
    #expect(both == ["D2", "transaction_id"])
  }

  @Test("the best match is first by kind, then by id difference, then by time, then by delivery")
  func order() throws {
    let rows = [
      "500  | comic | 2026-11-18 10:00 | ann |", "500  | book | 2026-11-18 10:00 | ann | Sandbox",
      "0500 | book | 2026-11-18 10:00 | ann |", "501 | book | 2026-11-15 12:00 | ann |",
      "512  | book | 2026-11-15 10:05 | ann |", "513 | book | 2026-11-15 10:06 | ann |",
      "514  | book | 2026-11-15 10:06 | ann |",
    ]
    let header =
      "delivery_id | transaction_id | product_id | occurred_at | account_id | environment\n"
    for best in rows.indices {
      let left = rows[best...].enumerated().map { "E\(best + $0) | \($1)" }
      for order in [left, left.reversed()] {
        let nearest = try Self.nearest(header + order.joined(separator: "\n"))
        #expect(nearest.first == "E\(best)")
      }
    }
  }

  @Test("the record that is valid at as-of counts, and a past day has its own possible match")
  func superseded() throws {
    let night = try Self.night()
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id | status
      D1          | 501            | book       | 2026-11-15 10:05 | ann        | delivered
      D1          | 501            | book       | 2026-11-18 10:05 | ann        | failed
      D2          | 502            | book       | 2026-11-16 09:00 | ann        | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "missing_deliveries.csv", shows: Self.header + "500 | D2 | transaction_id")
    try night.run(asOf: "2026-11-17 03:00")
    let past = try night.table("missing_deliveries.csv", day: "2026-11-17")
    #expect(
      past.rows(where: "transaction_id", is: "500").columns(["possible_match_delivery_id"]).rows
        == [
          ["D1"]
        ])
  }

  @Test("later records change a possible match, even if they share no name with the purchase")
  func later() throws {
    let night = try Self.night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(report: "missing_deliveries.csv", shows: Self.header + "500 | |")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id
      D1          | 777            | book       | 2026-11-15 10:05 | ann
      """)
    try night.run(asOf: "2026-11-20 04:00")
    try night.expect(
      report: "missing_deliveries.csv", shows: Self.header + "500 | D1 | transaction_id")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      777            | book       | 2026-11-15 10:01
      """)
    try night.run(asOf: "2026-11-20 05:00")
    try night.expect(
      report: "missing_deliveries.csv", shows: Self.header + "500 | D1 | other_purchase")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      D2          | 0500           | book       | 2026-11-21 10:05
      """)
    try night.run(asOf: "2026-11-20 06:00")
    try night.expect(
      report: "missing_deliveries.csv", shows: Self.header + "500 | D1 | other_purchase")
    // The delivery is before as-of now.
    try night.run(asOf: "2026-11-22 06:00")
    try night.expect(
      report: "missing_deliveries.csv", shows: Self.header + "500 | D2 | transaction_id")
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a possible match is shown and not counted as a delivery")
  func neverJoined() throws {
    let night = try Self.night()
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | account_id
      501            | book       | 2026-11-15 10:05 | ann
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("missing_delivery", finds: "subject | reason\n500 book | never_attempted")
    try night.expect(
      "delivery_without_purchase", finds: "subject | reason\nD1 | unknown_transaction")
    try night.expect(
      report: "missing_deliveries.csv", shows: "transaction_id | attempts\n500 | 0")
  }
}
