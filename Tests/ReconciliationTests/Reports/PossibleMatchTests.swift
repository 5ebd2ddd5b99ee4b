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

  /// The best possible match of each missing book: the delivery, and how it differs.
  ///
  /// Each customer has the account ann# and bought the book as transaction #500, on 2026-11-15 at
  /// 10:00. In the rows, # stands for the number of the customer, which begins at 10. No two
  /// customers share an account or a transaction, so that one night is enough for all of them.
  private static func nearest(
    ofEach customers: [[String]], whoBought more: [String] = []
  ) throws -> [[String]] {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\ncomic")
    var purchases = ["transaction_id | product_id | purchased_at | account_id"]
    var deliveries = [
      "delivery_id | transaction_id | product_id | occurred_at | account_id | environment | status"
    ]
    for (place, rows) in customers.enumerated() {
      let bought = ["#500 | book | 2026-11-15 10:00 | ann#"] + more
      purchases += bought.map { $0.replacing("#", with: "\(10 + place)") }
      deliveries += rows.map { $0.replacing("#", with: "\(10 + place)") }
    }
    try night.transactions(purchases.joined(separator: "\n"))
    try night.deliveries(deliveries.joined(separator: "\n"))
    try night.run(asOf: "2026-11-20 03:00")
    let missing = try night.table("missing_deliveries.csv")
    return try customers.indices.map { place in
      let rows = missing.rows(where: "transaction_id", is: "\(10 + place)500")
        .columns(["possible_match_delivery_id", "possible_match_differs"]).rows
      return try #require(rows.first)
    }
  }

  @Test("each kind of possible match is found up to its boundary")
  func kinds() throws {
    let cases = [
      ("#500 | comic | 2026-11-18 10:00 | bob |", "product_id"),
      ("#500 | book | 2026-11-18 10:00 | bob | Sandbox", "environment"),
      ("#500 | comic | 2026-11-18 10:00 | ann# | Sandbox", ""),
      ("0#500 | book | 2026-11-18 10:00 | bob |", "transaction_id"),
      ("'#500 | book | 2026-11-18 10:00 | |", "transaction_id"),
      ("#500.0 | book | 2026-11-18 10:00 | |", "transaction_id"),
      ("00000#500 | book | 2026-11-18 10:00 | |", "transaction_id"),
      ("000000#500 | book | 2026-11-18 10:00 | |", ""),
      ("#501 | book | 2026-11-16 10:00:00 | ann# |", "transaction_id"),
      ("#501 | book | 2026-11-16 10:00:01 | ann# |", ""),
      ("#501 | book | 2026-11-14 10:00:00 | ann# |", "transaction_id"),
      ("#501 | book | 2026-11-14 09:59:59 | ann# |", ""),
      ("#501 | book | 2026-11-15 10:05 | bob |", ""),
      ("#501 | book | 2026-11-15 10:05 | |", ""),
      ("#501 | comic | 2026-11-15 10:05 | ann# |", ""),
      ("#501 | book | 2026-11-15 10:05 | ann# | Sandbox", ""),
    ]
    let nearest = try Self.nearest(ofEach: cases.map { ["D# | \($0.0)"] })
    for (place, (row, differs)) in cases.enumerated() {
      #expect(
        nearest[place] == (differs.isEmpty ? ["", ""] : ["D\(10 + place)", differs]), "\(row)")
    }
  }

  @Test("an attempt that did not deliver is not a possible match")
  func status() throws {
    let nearest = try Self.nearest(
      ofEach: ["failed", "pending"].map { status in
        ["D# | #501 | book | 2026-11-15 10:05 | ann# | | \(status)"]
      })
    #expect(nearest == [["", ""], ["", ""]])
  }

  @Test("a delivery of another purchase is a possible match, after those without a purchase")
  func otherPurchase() throws {
    let only = ["D1-# | #501 | book | 2026-11-15 10:05 | ann#"]
    let both = only + ["D2-# | #999 | book | 2026-11-15 20:05 | ann#"]
    let nearest = try Self.nearest(
      ofEach: [only, both], whoBought: ["#501 | book | 2026-11-15 10:01 | ann#"])
    #expect(nearest == [["D1-10", "other_purchase"], ["D2-11", "transaction_id"]])
  }

  @Test("of deliveries of other purchases, one made before this purchase comes last")
  func earlierOtherPurchase() throws {
    let nearest = try Self.nearest(
      ofEach: [
        [
          "D1-# | #501 | book | 2026-11-15 09:59 | ann#",
          "D2-# | #502 | book | 2026-11-15 20:05 | ann#",
        ]
      ],
      whoBought: ["#501 | book | 2026-11-15 09:50", "#502 | book | 2026-11-15 10:01"])
    #expect(nearest == [["D2-10", "other_purchase"]])
  }

  @Test("the best match is first by kind, then by id difference, then by time, then by delivery")
  func order() throws {
    let rows = [
      "#500 | comic | 2026-11-18 10:00 | ann# |", "#500 | book | 2026-11-18 10:00 | ann# | Sandbox",
      "0#500 | book | 2026-11-18 10:00 | ann# |", "#501 | book | 2026-11-15 12:00 | ann# |",
      "#512 | book | 2026-11-15 10:05 | ann# |", "#513 | book | 2026-11-15 10:06 | ann# |",
      "#514 | book | 2026-11-15 10:06 | ann# |",
    ]
    let customers = rows.indices.flatMap { best -> [(best: Int, rows: [String])] in
      let left = rows[best...].enumerated().map { "E\(best + $0)-# | \($1)" }
      return [(best, left), (best, left.reversed())]
    }
    let nearest = try Self.nearest(ofEach: customers.map(\.rows))
    for (place, customer) in customers.enumerated() {
      #expect(nearest[place].first == "E\(customer.best)-\(10 + place)")
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
