import Configuration
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing

@testable import Reports

@Suite("The statements, column by column")
struct StatementTests {
  @Test("a report with fewer rows than its rule has findings is not published")
  func everyFinding() throws {
    let night = try TestNight()
    let database = try night.database.connect()
    try database.run(
      """
      create temporary table found as
      select unnest(array['missing_delivery', 'missing_delivery', 'stale_feed']) as rule
      """, step: "test")
    func check(missing: Int, findings: Int) throws {
      let counts = ["missing_deliveries.csv": missing, "findings.csv": findings]
      let rows = Report.all.compactMap { report in counts[report.fileName].map { (report, $0) } }
      try Publication.assertReported(Dictionary(uniqueKeysWithValues: rows), in: database)
    }
    try check(missing: 3, findings: 3)
    for (missing, findings) in [(1, 3), (2, 2)] {
      #expect {
        try check(missing: missing, findings: findings)
      } throws: {
        ($0 as? ReconciliationError)?.code == .totals
      }
    }
  }

  @Test("missing_deliveries.csv has the expected value in every column")
  func missingDeliveries() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\ncomic")
    try night.transactions(
      """
      transaction_id   | original_transaction_id | product_id | purchased_at        | account_id
      1000000000000001 | 1000000000000001        | book       | 2026-11-17 10:00    | b
      1000000000000002 | 1000000000000001        | book       | 2026-11-17 11:00    | c
      10               | 10                      | book       | 2026-11-18 02:00:01 |
      9                | 9                       | book       | 2026-11-18 02:00:01 | d
      11               | 11                      | book       | 2026-11-18 02:00:00 |
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id   | product_id | occurred_at         | status  | error     | account_id
      D9          | 1000000000000001 | book       | 2026-11-17 10:01    | failed  | disk full | a
      D3          | 1000000000000002 | book       | 2026-11-17 10:05:00 | failed  | third     |
      D2          | 1000000000000001 | book       | 2026-11-17 10:05:00 | failed  | second    |
      D1          | 1000000000000001 | book       | 2026-11-17 10:05:00 | pending | first     |
      D8          | 1000000000000001 | comic      | 2026-11-17 10:02    | pending |           |
      D7          | 77               | comic      | 2026-11-18 10:02    | pending |           |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    // 1000000000000001 was due at 10:00 on the 18th, 41 hours before as-of. 9 and 10 were due one
    // second less than 25 hours before as-of, 11 exactly 25 hours before.
    try night.expect(
      report: "missing_deliveries.csv",
      shows: """
        transaction_id   | original_transaction_id | product_id | account_id | purchased_at         | due_at               | hours_overdue | reason          | attempts | last_attempt_at      | last_error | first_flagged_on
        1000000000000001 | 1000000000000001        | book       | a          | 2026-11-17T10:00:00Z | 2026-11-18T10:00:00Z | 41            | failed          | 5        | 2026-11-17T10:05:00Z | second     | 2026-11-20
        11               | 11                      | book       |            | 2026-11-18T02:00:00Z | 2026-11-19T02:00:00Z | 25            | never_attempted | 0        |                      |            | 2026-11-20
        9                | 9                       | book       | d          | 2026-11-18T02:00:01Z | 2026-11-19T02:00:01Z | 24            | never_attempted | 0        |                      |            | 2026-11-20
        10               | 10                      | book       |            | 2026-11-18T02:00:01Z | 2026-11-19T02:00:01Z | 24            | never_attempted | 0        |                      |            | 2026-11-20
        """)
  }

  @Test("invalid_product_ids.csv has the expected value in every column")
  func invalidProductIds() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | valid_to
      book       |
      old        | 2026-11-01 00:00
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id
      10             | 10                      | bok        | 2026-11-05 10:00 | a
      9              | 9                       | bok        | 2026-11-06 10:00 | b
      9              | 9                       | bok        | 2026-11-06 10:00 | a
      11             | 11                      | old        | 2026-11-06 10:00 | d
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | account_id | status
      10             | bok        | 2026-11-07 10:00 | c          | failed
      11             | old        | 2026-11-07 10:00 | e          | delivered
      77             | zzz        | 2026-11-07 10:00 |            | delivered
      100            | zzz        | 2026-11-08 10:00 |            | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "invalid_product_ids.csv",
      shows: """
        product_id | reason  | closest_product_id | transactions | deliveries | accounts | first_seen_at        | last_seen_at         | sample_transaction_id | first_flagged_on
        bok        | unknown | book               | 2            | 1          | 3        | 2026-11-05T10:00:00Z | 2026-11-07T10:00:00Z | 9                     | 2026-11-20
        old        | expired |                    | 1            | 0          | 1        | 2026-11-06T10:00:00Z | 2026-11-06T10:00:00Z | 11                    | 2026-11-20
        zzz        | unknown |                    | 0            | 2          | 0        | 2026-11-07T10:00:00Z | 2026-11-08T10:00:00Z | 77                    | 2026-11-20
        """)
  }

  @Test("duplicate_restores.csv has the expected value in every column")
  func duplicateRestores() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type
      news       | auto_renewable
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | account_id | device_id
      5              | 5                       | book       | 2026-11-01 10:00 |                        | a          | phone
      9              | 5                       | book       | 2026-11-04 10:00 |                        | b          | tablet
      10             | 5                       | book       | 2026-11-03 10:00 |                        | a          | phone
      100            | 5                       | book       | 2026-11-05 10:00 |                        |            |
      99             | 5                       | book       | 2026-11-02 10:00 |                        |            |
      20             | 4                       | book       | 2026-11-02 10:00 |                        |            |
      21             | 4                       | book       | 2026-11-03 10:00 |                        |            |
      30             | 30                      | news       | 2026-11-02 10:00 | 1000                   |            |
      31             | 30                      | news       | 2026-11-02 10:00 | 1000                   |            |
      32             | 30                      | news       | 2026-11-02 10:00 | 1000                   |            |
      33             | 30                      | news       | 2026-11-09 10:00 | 999                    |            |
      34             | 30                      | news       | 2026-11-09 10:00 | 999                    |            |
      35             | 30                      | news       | 2026-11-09 10:00 | 999                    |            |
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | account_id | device_id | status
      10             | book       | 2026-11-03 10:01 | c          | watch     | failed
      10             | book       | 2026-11-03 10:02 | c          | watch     | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "duplicate_restores.csv",
      shows: """
        original_transaction_id | product_id | web_order_line_item_id | purchase_transaction_id | restored_transactions | surplus_transactions | first_restored_at    | last_restored_at     | deliveries | accounts | devices | restored_transaction_ids | first_flagged_on
        4                       | book       |                        |                         | 2                     | 1                    | 2026-11-02T10:00:00Z | 2026-11-03T10:00:00Z | 0          | 0        | 0       | 20 21                    | 2026-11-20
        5                       | book       |                        | 5                       | 4                     | 1                    | 2026-11-02T10:00:00Z | 2026-11-05T10:00:00Z | 2          | 3        | 3       | 9 10 99 100              | 2026-11-20
        30                      | news       | 999                    | 33                      | 2                     | 1                    | 2026-11-09T10:00:00Z | 2026-11-09T10:00:00Z | 0          | 0        | 0       | 34 35                    | 2026-11-20
        30                      | news       | 1000                   | 30                      | 2                     | 1                    | 2026-11-02T10:00:00Z | 2026-11-02T10:00:00Z | 0          | 0        | 0       | 31 32                    | 2026-11-20
        """)
  }

  @Test("findings.csv has the expected value in every column")
  func findings() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id
      10             | 10                      | book       | 2026-11-18 10:00 |
      9              | 9                       | book       | 2026-11-18 10:00 |
      2              | 1                       | bok        | 2026-11-18 10:00 |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "findings.csv",
      shows: """
        rule               | level   | subject     | reason     | detail                                                                | first_flagged_on | status
        invalid_product_id | error   | bok unknown | unknown    | transactions: 1, deliveries: 0                                        | 2026-11-20       | open
        missing_delivery   | warning | 10 book     | no_records | transaction 10, bought 2026-11-18T10:00:00Z, due 2026-11-19T10:00:00Z | 2026-11-20       | open
        missing_delivery   | warning | 9 book      | no_records | transaction 9, bought 2026-11-18T10:00:00Z, due 2026-11-19T10:00:00Z  | 2026-11-20       | open
        missing_original   | info    | 1 bok       |            | restored transactions: 1, the first at 2026-11-18T10:00:00Z           | 2026-11-20       | open
        unpriced_product   | warning | book        |            | units without an amount: 2 since 2026-11-18, storefronts without a price: none named | 2026-11-20 | open
        """)
  }
}
