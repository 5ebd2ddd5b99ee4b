import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Testing

/// Findings that resolve together, and share names or purchases.
@Suite("The work for causes of resolved findings grows in proportion to the findings")
struct ResolvingCostTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: String
    let cause: String
    /// Puts what the first night finds.
    let first: @Sendable (TestNight, Int) throws -> Void
    /// Puts what resolves it.
    let then: @Sendable (TestNight, Int) throws -> Void
    /// Whether the records are about one finding.
    var isOneFinding = false
  }

  private static func lines(_ header: String, _ count: Int, _ line: (Int) -> String) -> String {
    ([header] + (1...count).map(line)).joined(separator: "\n")
  }

  private static let sale = "transaction_id | product_id | purchased_at | account_id"
  private static let delivery =
    "delivery_id | transaction_id | product_id | occurred_at | status | device_id | account_id"

  static let cases = [
    Case(
      testDescription: "periods of one chain", rule: "missing_delivery", cause: "delivered_late",
      first: { night, count in
        try night.catalogue(
          "product_id | type | delivery_per\nbook | auto_renewable | period")
        try night.transactions(
          lines(
            "transaction_id | original_transaction_id | product_id | purchased_at | web_order_line_item_id",
            count
          ) { "\(1000 + $0) | 1001 | book | 2026-11-10 10:00:\($0 % 60) | \(9000 + $0)" })
      },
      then: { night, count in
        try night.deliveries(
          lines(delivery, count) {
            "d-\($0) | \(1000 + $0) | book | 2026-11-20 10:00 | delivered | |"
          })
      }),
    Case(
      testDescription: "downloads of restores, and a refund", rule: "unfinished_delivery",
      cause: "refunded",
      first: { night, count in
        try night.transactions(
          lines(
            "transaction_id | original_transaction_id | product_id | purchased_at", count
          ) { "\(1000 + $0) | 1001 | book | 2026-11-10 10:00" })
        try night.catalogue("product_id | type\nbook | non_consumable")
        try night.deliveries(
          lines(delivery, count) {
            "x-\($0) | \(1000 + $0) | book | 2026-11-10 11:00 | failed | v-\($0) |"
          } + "\nd | 1001 | book | 2026-11-10 10:30 | delivered | |")
      },
      then: { night, count in
        try night.transactions(
          lines(
            "transaction_id | original_transaction_id | product_id | purchased_at | cancelled_at",
            count
          ) { "\(1000 + $0) | 1001 | book | 2026-11-10 10:00 | 2026-11-20 12:00" })
      }),
    Case(
      testDescription: "an account that uses all purchases", rule: "shared_purchase",
      cause: "log_arrived",
      first: { night, count in
        try night.transactions(
          lines(sale, count) { "\(1000 + $0) | book | 2026-11-10 10:00 | u-\($0)" })
        try night.deliveries(
          lines(delivery, count) {
            "d-\($0) | \(1000 + $0) | book | 2026-11-10 11:00 | delivered | | 0-admin"
          })
      },
      then: { night, count in
        try night.deliveries(
          lines(delivery, count) {
            "e-\($0) | \(1000 + $0) | book | 2026-11-20 11:00 | delivered | | 0-root"
          })
        try night.deliveries(
          lines(delivery, count) {
            "f-\($0) | \(1000 + $0) | book | 2026-11-20 12:00 | delivered | | 0-admin"
          })
      }),
    Case(
      testDescription: "accounts of one transaction", rule: "shared_purchase",
      cause: "evidence_arrived",
      first: { night, count in
        try night.transactions(
          lines(sale, count) { "1000 | book | 2026-11-10 10:00 | u-\($0)" })
      },
      then: { night, count in
        try night.transactions(
          lines(sale, count) { "1000 | book | 2026-11-10 10:00 | w-\($0)" })
      }, isOneFinding: true),
    Case(
      testDescription: "countries of a product that Apple reported before our receipts came",
      rule: "unexplained_difference", cause: "evidence_arrived",
      first: { night, count in
        try night.catalogue(
          "product_id | type | delivery | prices\nbook | consumable | built_in | USD 1.99")
        for day in 10...12 {
          let rows = (0..<count).map { place in
            let code = [place / 26, place % 26].map {
              "\(Character(UnicodeScalar(UInt8(65 + $0))))"
            }
            return "book \(code.joined()) 3 0.70 USD 1.99 USD"
          }
          try night.put(
            AppleReports.sales("11/\(day)/2026", rows), at: "apple/\(day).txt")
        }
      },
      then: { night, count in
        try night.transactions(
          lines("transaction_id | product_id | purchased_at | storefront", count) {
            "\(1000 + $0) | book | 2026-11-\(10 + $0 % 3) 20:00 | USA"
          })
        for day in 10...12 {
          try night.put(
            AppleReports.sales("11/\(day)/2026", ["book US \(count / 3) 0.70 USD 1.99 USD"]),
            at: "apple/again-\(day).txt")
        }
      }),
  ]

  @Test("four times as many findings need at most five times as many rows", arguments: cases)
  func rows(of one: Case) throws {
    func work(_ count: Int) throws -> Int {
      let night = try TestNight.withOpenBooks()
      try night.catalogue("product_id\nbook")
      try one.first(night, count)
      try night.run(asOf: "2026-11-20 03:00")
      try one.then(night, count)
      try night.run(asOf: "2026-11-22 03:00")
      let resolved = try night.table("changes.csv").rows(where: "change", is: "resolved")
        .rows(where: "rule", is: one.rule)
      #expect(resolved.rows.count >= (one.isOneFinding ? 1 : count / 2), "\(resolved.text)")
      #expect(Set(resolved.columns(["cause"]).rows) == [[one.cause]])
      return try night.database.connect().run(
        """
        select sum(row_count) from tieout.run_step
        where run_id = (select max(run_id) from tieout.run) and step in (
            'findings_things', 'findings_names', 'findings_records', 'findings_shared', 'findings_reversal',
            'findings_apple', 'findings_first_record', 'findings_refund', 'findings_resolved'
        )
        """, step: "work"
      ).first.flatMap { Int($0) } ?? 0
    }
    let (few, many) = try (work(30), work(120))
    #expect(few > 0 && many <= 5 * few, "\(few) and \(many) rows")
  }
}
