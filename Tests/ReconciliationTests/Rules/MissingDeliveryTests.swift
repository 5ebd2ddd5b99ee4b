import Configuration
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("missing_delivery")
struct MissingDeliveryTests {
  @Test("a delivery is missing from the second of its due date on")
  func due() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.graceHours = 48
    try night.catalogue(
      """
      product_id | grace_hours
      book       |
      fast       | 1
      at.once    | 0
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-18 03:00:00
      2              | book       | 2026-11-18 03:00:01
      3              | fast       | 2026-11-20 02:00:00
      4              | fast       | 2026-11-20 02:00:01
      5              | at.once    | 2026-11-20 03:00:00
      6              | at.once    | 2026-11-20 03:00:01
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "missing_delivery",
      finds: """
        level   | subject   | reason
        warning | 1 book    | no_records
        warning | 3 fast    | no_records
        warning | 5 at.once | no_records
        """)
  }

  @Test("purchases before the configured books begin owe nothing")
  func configuredBooks() throws {
    let night = try TestNight()
    night.settings.booksBegin = "2026-11-10T00:00:00Z"
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-09 23:59:59
      2              | book       | 2026-11-10 00:00:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("missing_delivery", finds: "subject\n2 book")
  }

  @Test("unless configured, the books begin at the earliest delivery that is known at as-of")
  func booksFromDeliveries() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-09 23:59:59
      2              | book       | 2026-11-10 00:00:00
      """)
    let silent = try night.run(asOf: "2026-11-12 03:00")
    try night.expect("missing_delivery", finds: "subject")
    #expect(silent.booksBegin == nil)
    #expect(silent.warnings.contains { $0.contains("There is no delivery record") })

    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | environment | status
      90             | book       | 2026-11-01 10:00 | Sandbox     | delivered
      91             | other      | 2026-11-10 00:00 | Production  | pending
      92             | book       | 2026-11-15 10:00 | Production  | delivered
      """)
    let summary = try night.run(asOf: "2026-11-20 03:00")
    #expect(summary.booksBegin == "2026-11-10T00:00:00Z")
    try night.expect("missing_delivery", finds: "subject | reason\n2 book | never_attempted")
  }

  @Test("products with delivery server or on_demand are owed; other and unlisted products are not")
  func deliveryOfProduct() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | delivery
      on.server  | server
      on.demand  | on_demand
      at.apple   | apple_hosted
      in.the.app | built_in
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | on.server  | 2026-11-10 10:00
      2              | on.demand  | 2026-11-10 10:00
      3              | at.apple   | 2026-11-10 10:00
      4              | in.the.app | 2026-11-10 10:00
      5              | not.listed | 2026-11-10 10:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | on.server  | 2026-11-10 10:01 | failed
      2              | on.demand  | 2026-11-10 10:01 | failed
      3              | at.apple   | 2026-11-10 10:01 | failed
      4              | in.the.app | 2026-11-10 10:01 | failed
      5              | not.listed | 2026-11-10 10:01 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "missing_delivery",
      finds: """
        level | subject     | reason
        error | 1 on.server | failed
        error | 2 on.demand | failed
        """)
  }

  @Test("free and family-shared purchases owe a delivery; restores of an unknown purchase do not")
  func dispositions() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.graceHours = 1
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | price | currency | trial | family_shared | environment
      1              | 1                       | book       | 2026-11-10 10:00 |       |          |       |               |
      2              | 2                       | book       | 2026-11-10 10:00 | 0     | USD      |       |               |
      3              | 3                       | book       | 2026-11-10 10:00 |       |          | yes   |               |
      4              | 4                       | book       | 2026-11-10 10:00 |       |          |       | yes           |
      6              | 5                       | book       | 2026-11-10 10:00 |       |          |       |               |
      7              | 7                       | book       | 2026-11-10 10:00 |       |          |       |               | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("missing_delivery", finds: "subject\n1 book\n2 book\n3 book\n4 book")
  }

  @Test("a purchase that was refunded by as-of owes nothing; an upgrade counts as a refund")
  func refunded() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | cancelled_at        | upgraded
      1              | 1                       | book       | 2026-11-10 10:00 | 2026-11-20 03:00:00 |
      2              | 2                       | book       | 2026-11-10 10:00 | 2026-11-20 03:00:01 |
      3              | 3                       | book       | 2026-11-10 10:00 | 2026-11-12 10:00    | yes
      4              | 4                       | book       | 2026-11-10 10:00 |                     |
      5              | 4                       | book       | 2026-11-11 10:00 | 2026-11-12 10:00    |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("missing_delivery", finds: "subject\n2 book")
  }

  @Test("any delivery by as-of for a transaction of the family counts, however late it is")
  func served() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              | 1                       | book       | 2026-11-10 10:00
      2              | 2                       | book       | 2026-11-10 10:00
      3              | 3                       | book       | 2026-11-10 10:00
      4              | 3                       | book       | 2026-11-15 10:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      1              | book       | 2026-11-20 03:00:00
      2              | book       | 2026-11-20 03:00:01
      4              | book       | 2026-11-15 10:05:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("missing_delivery", finds: "subject\n2 book")
  }
}
