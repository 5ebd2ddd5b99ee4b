import NightRun
import ReconciliationTestSupport
import Testing

@Suite("How long a refund in evidence counts")
struct RefundAgeTests {
  /// An answer of `verifyReceipt` with an upgrade in one list or in both.
  ///
  /// `in_app` has the date of the receipt, the other list that of the request. Both are days of
  /// November.
  private struct Answer {
    let id: Int
    var inApp: Int?
    var latest: Int?

    var youngest: Int { max(inApp ?? 0, latest ?? 0) }

    /// The answer, or one answer for each of its lists.
    func documents(apart: Bool) -> [String] {
      guard apart, inApp != nil, latest != nil else { return [json] }
      return [Answer(id: id, inApp: inApp).json, Answer(id: id, latest: latest).json]
    }

    private var json: String {
      let entry =
        #"{"transaction_id":"\#(id)","product_id":"monthly","web_order_line_item_id":"7\#(id)","#
        + #""purchase_date":"\#(RefundAgeTests.moment(1)) Etc/GMT","is_upgraded":"true","#
        + #""cancellation_date":"\#(RefundAgeTests.moment(2)) Etc/GMT"}"#
      return #"{"status":0,"receipt":{\#(date("receipt_creation_date", inApp))"#
        + #"\#(date("request_date", latest))"in_app":[\#(inApp == nil ? "" : entry)]},"#
        + #""latest_receipt_info":[\#(latest == nil ? "" : entry)]}"#
    }

    /// A list without a date of its own has the date of the purchase, which is the first of
    /// November.
    private func date(_ name: String, _ day: Int?) -> String {
      guard let day, day > 1 else { return "" }
      return #""\#(name)":"\#(RefundAgeTests.moment(day)) Etc/GMT","#
    }
  }

  private static func moment(_ day: Int) -> String { "2026-11-0\(day) 10:00:00" }

  @Test(
    "a refund counts until a transaction is signed later than the refund and all evidence of it",
    arguments: [false, true])
  func youngestList(apart: Bool) throws {
    let night = try TestNight()
    try night.catalogue("product_id | type\nmonthly | auto_renewable")
    var documents: [String] = []
    var signed = ["transaction_id | product_id | purchased_at | web_order_line_item_id | signed_at"]
    var expected = ["transaction_id | refunded_at"]
    var (sold, upgraded) = (0, 0)
    let days: [Int?] = [nil, 1, 3, 5, 7]
    for inApp in days {
      for latest in days where inApp != nil || latest != nil {
        for day in 1...8 as ClosedRange<Int> {
          let id = 1000 + 100 * (inApp ?? 0) + 10 * (latest ?? 0) + day
          let answer = Answer(id: id, inApp: inApp, latest: latest)
          documents += answer.documents(apart: apart)
          signed.append("\(id) | monthly | \(Self.moment(1)) | 7\(id) | \(Self.moment(day))")
          // The refund is of the second day.
          let stands = day <= max(answer.youngest, 2)
          expected.append("\(id) | \(stands ? "2026-11-02T10:00:00Z" : "")")
          sold += 1
          upgraded += stands ? 1 : 0
        }
      }
    }
    try night.put(documents.joined(separator: "\n") + "\n", at: "receipts/answers.ndjson")
    try night.signed(signed.joined(separator: "\n"))
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query:
        "select transaction_id, csv_instant(refunded_at) as refunded_at from family order by 1",
      gives: expected.joined(separator: "\n"))
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | units_sold | units_refunded | units_upgraded
        2026-11-01 | \(sold)    | 0              | 0
        2026-11-02 | 0          | 0              | \(upgraded)
        """)
  }

  @Test("a transaction that was signed before the refund does not reverse it, once it is made")
  func signedBefore() throws {
    let night = try TestNight()
    try night.catalogue("product_id | type\nbook | non_consumable")
    // The evidence of the refund has no date, so it is as old as the purchase.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at
      1              | book       | 2026-11-01 10:00 | 2026-11-05 10:00
      2              | book       | 2026-11-01 10:00 | 2026-11-05 10:00
      """)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | signed_at
      1              | book       | 2026-11-01 10:00 | 2026-11-04 10:00
      2              | book       | 2026-11-01 10:00 | 2026-11-04 10:00
      2              | book       | 2026-11-01 10:00 | 2026-11-07 10:00
      """)
    let refund = "2026-11-05T10:00:00Z"
    for (asOf, first, second) in [
      ("2026-11-05 09:59:59", "", ""), ("2026-11-05 10:00", refund, refund),
      ("2026-11-07 09:59:59", refund, refund), ("2026-11-07 10:00", refund, ""),
    ] {
      try night.run(asOf: asOf)
      try night.expect(
        query:
          "select transaction_id, csv_instant(refunded_at) as refunded_at from member order by 1",
        gives: "transaction_id | refunded_at\n1 | \(first)\n2 | \(second)")
      #expect(try night.recompute().corrections == 0, "\(asOf)")
    }
  }

  @Test("a signed transaction that says that it is upgraded takes no refund back")
  func upgradeWithoutDate() throws {
    let night = try TestNight()
    try night.catalogue("product_id | type\nmonthly | auto_renewable")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | web_order_line_item_id | upgraded | cancelled_at     | told_at
      1              | monthly    | 2026-11-01 10:00 | 71                     | yes      | 2026-11-03 10:00 | 2026-11-03 11:00
      2              | monthly    | 2026-11-01 10:00 | 72                     | yes      | 2026-11-03 10:00 | 2026-11-03 11:00
      3              | monthly    | 2026-11-01 10:00 | 73                     |          | 2026-11-03 10:00 | 2026-11-03 11:00
      """)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | web_order_line_item_id | upgraded | signed_at
      1              | monthly    | 2026-11-01 10:00 | 71                     | yes      | 2026-11-06 10:00
      2              | monthly    | 2026-11-01 10:00 | 72                     |          | 2026-11-06 10:00
      2              | monthly    | 2026-11-01 10:00 | 72                     | yes      | 2026-11-07 10:00
      3              | monthly    | 2026-11-01 10:00 | 73                     | yes      | 2026-11-06 10:00
      3              | monthly    | 2026-11-01 10:00 | 73                     |          | 2026-11-02 10:00
      """)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | web_order_line_item_id | upgraded | revoked_at       | signed_at        | notification
      4              | monthly    | 2026-11-01 10:00 | 74                     | yes      | 2026-11-03 10:00 | 2026-11-03 11:00 | REFUND
      4              | monthly    | 2026-11-01 10:00 | 74                     | yes      | 2026-11-03 10:00 | 2026-11-06 10:00 | REFUND_REVERSED
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: """
        select transaction_id, csv_instant(refunded_at) as refunded_at,
          cardinality(reversed_refunds) as reversed
        from member order by 1
        """,
      gives: """
        transaction_id | refunded_at          | reversed
        1              | 2026-11-03T10:00:00Z |
        2              |                      | 1
        3              | 2026-11-03T10:00:00Z |
        4              |                      | 1
        """)
    try night.expect(
      query: """
        select transaction_id, is_refund_questioned from store_transaction order by 1
        """,
      gives: """
        transaction_id | is_refund_questioned
        1              | f
        2              | t
        3              | t
        4              | t
        """)
    #expect(try night.recompute().corrections == 0)
  }
}
