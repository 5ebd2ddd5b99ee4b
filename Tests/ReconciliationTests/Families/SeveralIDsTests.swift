import Configuration
import Explain
import NightRun
import ReconciliationTestSupport
import Testing

/// Apple gives a purchase another transaction id when it is restored or read on another device.
///
/// Each form of evidence can name another one.
@Suite("One purchase with several transaction ids")
struct SeveralIDsTests {
  private func night() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-10-01"
    try night.catalogue(
      """
      product_id | type           | delivery | prices
      sub        | auto_renewable | built_in | USD 7.99
      book       | non_consumable | server   | USD 7.99
      """)
    return night
  }

  @Test("the price that Apple signed under another id of the line item comes before the list price")
  func price() throws {
    let night = try night()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      3495           | 3000                    | sub        | 2026-10-18 10:00 | 91
      3595           | 3000                    | sub        | 2026-10-19 10:00 | 92
      3695           | 3000                    | sub        | 2026-10-20 10:00 | 93
      """)
    try night.run(asOf: "2026-10-30 03:00")
    try night.signed(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | price | currency | offer | discount   | type                        | signed_at
      3497           | 3000                    | sub        | 2026-10-18 10:00 | 91                     | 5490  | USD      |       |            | Auto-Renewable Subscription | 2026-10-18 10:00
      3597           | 3000                    | sub        | 2026-10-19 10:00 | 92                     | 0     | USD      | 3     | FREE_TRIAL | Auto-Renewable Subscription | 2026-10-19 10:00
      """)
    try night.run(asOf: "2026-10-31 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | price_source | currency | units_sold | gross
        2026-10-18 | receipt      | USD      | 1          | 5.49
        2026-10-19 | receipt      | USD      | 1          | 0.00
        2026-10-20 | catalogue    | USD      | 1          | 7.99
        """)
    try night.expect(
      query: "select transaction_id, disposition from member order by 1",
      gives: """
        transaction_id | disposition
        3495           | renewal
        3497           | restored
        3595           | free
        3597           | restored
        3695           | renewal
        """)
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a part that Apple signed is refunded, although a copy states no part")
  func part() throws {
    let night = try night()
    try night.signed(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | price | currency | revoked_at       | revocation_type | percentage | type                        | signed_at
      1001           | 1001                    | sub        | 2026-10-10 10:00 | 91                     | 6990  | USD      | 2026-10-20 10:00 | REFUND_PRORATED | 40000      | Auto-Renewable Subscription | 2026-10-20 11:00
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | cancelled_at     | told_at
      1001           | 1001                    | sub        | 2026-10-10 10:00 | 91                     | 2026-10-20 10:00 | 2026-10-21 10:00
      1002           | 1001                    | sub        | 2026-10-10 10:00 | 91                     | 2026-10-20 10:01 | 2026-10-21 10:00
      """)
    try night.run(asOf: "2026-10-31 03:00")
    #expect(
      try night.table("revenue.csv").rows(where: "day", is: "2026-10-20").columns(["refunds"]).rows
        == [["2.796"]])
  }

  @Test("a reversed refund does not count, although a restored copy still has it")
  func reversed() throws {
    let night = try night()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | price | currency | cancelled_at     | told_at
      2001           | 2001                    | book       | 2026-10-10 10:00 | 3.99  | USD      | 2026-10-20 10:00 | 2026-10-21 10:00
      2002           | 2001                    | book       | 2026-10-12 10:00 |       |          | 2026-10-20 10:00 | 2026-10-21 10:00
      """)
    try night.run(asOf: "2026-10-22 03:00")
    let query = "select count(refunded_at) as refunded from family"
    try night.expect(query: query, gives: "refunded\n1")
    #expect(try night.table("missing_deliveries.csv").rows.isEmpty)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | price | currency | signed_at
      2001           | book       | 2026-10-10 10:00 | 3990  | USD      | 2026-10-25 10:00
      """)
    try night.run(asOf: "2026-10-26 03:00")
    try night.expect(query: query, gives: "refunded\n0")
    try night.expect(
      report: "missing_deliveries.csv", shows: "transaction_id | amount\n2001           | 3.99")
    #expect(try night.recompute().corrections == 0)
  }

  /// Apple refunds, reverses the refund and refunds again; a copy under another id shows both.
  @Test(
    "a second refund of a copy counts, although Apple reversed the first one under another id")
  func refundedAgain() throws {
    let night = try night()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | price | currency | cancelled_at     | told_at
      2001           | 2001                    | book       | 2026-10-10 10:00 | 3.99  | USD      | 2026-10-20 10:00 | 2026-10-21 10:00
      2002           | 2001                    | book       | 2026-10-12 10:00 |       |          | 2026-10-20 10:00 | 2026-10-21 10:00
      2002           | 2001                    | book       | 2026-10-12 10:00 |       |          | 2026-10-28 10:00 | 2026-10-29 10:00
      """)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | price | currency | signed_at
      2001           | book       | 2026-10-10 10:00 | 3990  | USD      | 2026-10-25 10:00
      """)
    let query = "select coalesce(csv_instant(refunded_at), 'none') as refunded from family"
    try night.run(asOf: "2026-10-26 03:00")
    try night.expect(query: query, gives: "refunded\nnone")
    try night.run(asOf: "2026-10-30 03:00")
    try night.expect(query: query, gives: "refunded\n2026-10-28T10:00:00Z")
    let explanation = try Inquiry(
      about: "2001", database: night.database.connectionString
    ).explanation
    let events = explanation.things.first?.timeline.filter { $0.event == "refunded" } ?? []
    #expect(events.map(\.at) == ["2026-10-20T10:00:00Z", "2026-10-28T10:00:00Z"])
    #expect(events.map { $0.words.contains("does not count") } == [true, false])
    #expect(try night.recompute().corrections == 0)
  }

  @Test("the part of a refund that Apple reversed under another id does not count")
  func reversedPart() throws {
    let night = try night()
    try night.signed(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | signed_at        | revoked_at       | revocation_type | percentage
      2001           | 2001                    | book       | 2026-10-10 10:00 | 2026-10-21 10:00 | 2026-10-20 10:00 | REFUND_PRORATED | 70000
      2001           | 2001                    | book       | 2026-10-10 10:00 | 2026-10-25 10:00 |                  |                 |
      2002           | 2001                    | book       | 2026-10-12 10:00 | 2026-10-21 10:00 | 2026-10-20 10:00 | REFUND_PRORATED | 70000
      2002           | 2001                    | book       | 2026-10-12 10:00 | 2026-10-29 10:00 | 2026-10-28 10:00 | REFUND_PRORATED | 50000
      """)
    try night.run(asOf: "2026-10-30 03:00")
    try night.expect(
      query: "select csv_instant(refunded_at) as refunded, refund_percentage from family",
      gives: "refunded             | refund_percentage\n2026-10-28T10:00:00Z | 50000")
  }

  @Test("a delivery that names a refunded purchase also serves the next one of the subscription")
  func servesNext() throws {
    let night = try night()
    try night.put(#"["month"]"#, at: "catalog/more.json")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id | cancelled_at
      10             | 10                      | month      | 2026-10-01 10:00 | 2026-11-01 10:00 | 91                     | 2026-10-02 10:00
      11             | 10                      | month      | 2026-10-05 10:00 | 2026-11-05 10:00 | 92                     |
      20             | 20                      | month      | 2026-10-01 10:00 | 2026-11-01 10:00 | 93                     | 2026-10-02 10:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      d-1         | 10             | month      | 2026-10-05 10:05
      d-2         | 20             | month      | 2026-10-05 10:05
      d-3         | 10             | month      | 2026-10-03 10:05
      """)
    try night.run(asOf: "2026-10-20 03:00")
    try night.expect(
      "delivery_without_purchase",
      finds: """
        subject | reason
        d-2     | refunded
        d-3     | refunded
        """)
    #expect(try night.table("missing_deliveries.csv").rows.isEmpty)
  }

  @Test("explain tells a delivery for a refunded purchase with the date of that purchase")
  func explained() throws {
    let night = try night()
    try night.put(#"["month"]"#, at: "catalog/more.json")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id | cancelled_at
      820            | 820                     | month      | 2026-10-02 10:00 | 2026-10-09 10:00 | 91                     | 2026-10-05 10:00
      821            | 820                     | month      | 2026-10-09 10:00 | 2026-10-16 10:00 | 92                     |
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      C1          | 820            | month      | 2026-10-02 11:00
      """)
    try night.run(asOf: "2026-10-20 03:00")
    let explanation = try Inquiry(
      about: "820", database: night.database.connectionString
    ).explanation
    #expect(
      explanation.things.first?.sentence.hasPrefix(
        "Bought on 2026-10-02T10:00:00Z and delivered on 2026-10-02T11:00:00Z (delivery C1). "
          + "1 of 2 periods was refunded") == true,
      "\(explanation.things.first?.sentence ?? "")")
  }
}
