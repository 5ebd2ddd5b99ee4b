import Configuration
import Reconciliation
import ReconciliationTestSupport
import Testing

@Suite("Causes of resolved findings")
struct ResolvingCauseTests {
  /// A finding of one night, the change after it, and the cause that the next night gives for
  /// resolving it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: String
    let cause: String
    let first: @Sendable (TestNight) throws -> Void
    let then: @Sendable (TestNight) throws -> Void
  }

  private static let purchase = """
    transaction_id | product_id | purchased_at
    1              | book       | 2026-11-10 10:00
    """

  private static let missingBook: @Sendable (TestNight) throws -> Void = {
    try $0.catalogue("product_id\nbook")
    try $0.transactions(purchase)
  }

  private static let refund: @Sendable (TestNight) throws -> Void = {
    try $0.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at
      1              | book       | 2026-11-10 10:00 | 2026-11-20 11:00
      """)
  }

  /// The purchase was delivered; a restore on another device failed.
  private static let failedRestore: @Sendable (TestNight) throws -> Void = {
    try missingBook($0)
    try $0.deliver("1", at: "2026-11-10 10:05")
    try $0.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | device_id
      E1          | 1              | book       | 2026-11-12 10:05 | failed | phone
      """)
  }

  private static let cases = [
    Case(
      testDescription: "delivered after all", rule: "missing_delivery", cause: "delivered_late",
      first: missingBook, then: { try $0.deliver("1", at: "2026-11-20 10:00") }),
    Case(
      testDescription: "delivered and refunded", rule: "missing_delivery", cause: "delivered_late",
      first: missingBook,
      then: {
        try $0.deliver("1", at: "2026-11-20 10:00")
        try refund($0)
      }),
    Case(
      testDescription: "the purchase was refunded", rule: "missing_delivery", cause: "refunded",
      first: missingBook,
      then: refund),
    Case(
      testDescription: "a catalogue says that it comes with the app", rule: "missing_delivery",
      cause: "catalogue_changed",
      first: missingBook, then: { try $0.catalogue("product_id | delivery\nbook | built_in") }),
    Case(
      testDescription: "a catalogue says that Apple hosts a subscription's content",
      rule: "missing_delivery", cause: "catalogue_changed",
      first: {
        try $0.catalogue(
          """
          product_id | type           | delivery_per
          a b        | auto_renewable | period
          """)
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | web_order_line_item_id
          1              | a b        | 2026-11-10 10:00 | 7
          """)
      },
      then: { try $0.catalogue("product_id | delivery\na b | apple_hosted") }),
    Case(
      testDescription: "it was bought before the books begin", rule: "missing_delivery",
      cause: "no_longer_holds",
      first: missingBook, then: { $0.settings.booksBegin = "2026-11-15T00:00:00Z" }),
    Case(
      testDescription: "it restores an old purchase", rule: "missing_delivery",
      cause: "no_longer_holds",
      first: missingBook,
      then: {
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | original_purchased_at
          1              | book       | 2026-11-10 10:00 | 2019-11-10 10:00
          """)
      }),
    Case(
      testDescription: "a catalogue lists it", rule: "invalid_product_id",
      cause: "catalogue_changed",
      first: {
        try $0.catalogue("product_id\nbook")
        try $0.transactions(
          "transaction_id | product_id | purchased_at\n1 | a b | 2026-11-10 10:00")
      }, then: { try $0.catalogue("product_id | delivery\na b | built_in") }),
    Case(
      testDescription: "a restore's download was delivered", rule: "unfinished_delivery",
      cause: "delivered_late",
      first: failedRestore,
      then: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status    | device_id
          E2          | 1              | book       | 2026-11-20 10:05 | delivered | phone
          """)
      }),
    Case(
      testDescription: "a restore's purchase was refunded", rule: "unfinished_delivery",
      cause: "refunded",
      first: failedRestore,
      then: refund),
    Case(
      testDescription: "its receipt arrived", rule: "delivery_without_purchase",
      cause: "no_longer_holds",
      first: {
        try $0.catalogue("product_id\nbook")
        try $0.deliver("1", at: "2026-11-10 10:05")
      }, then: { try $0.transactions(purchase) }),
    Case(
      testDescription: "its type can be restored", rule: "unrestorable_restore",
      cause: "catalogue_changed",
      first: {
        try $0.catalogue("product_id | type\nbook | consumable")
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          2              | 1                       | book       | 2026-11-10 10:00
          """)
      }, then: { try $0.catalogue("product_id | type\nbook | auto_renewable") }),
  ]

  @Test(
    "the cause is the same whether the night judges everything or only what it reaches",
    arguments: cases)
  func cause(_ example: Case) throws {
    for judgesEverything in [false, true] {
      let night = try TestNight.withOpenBooks()
      // The log must not be empty, and a night must not reach everything.
      try night.catalogue("product_id | delivery\nother | built_in")
      try night.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at      | status
        X1          | 99             | other      | 2026-11-10 10:05 | failed
        """)
      try example.first(night)
      try night.run(asOf: "2026-11-20 03:00")
      let found = try night.table("findings.csv").rows(where: "rule", is: example.rule)
      #expect(found.rows.count == 1, "\(found.text)")
      if judgesEverything {
        _ = try night.database.draw("delete from judged returning true")
      }
      try example.then(night)
      try night.run(asOf: "2026-11-21 03:00")
      let changes = try night.table("changes.csv").rows(where: "rule", is: example.rule)
        .rows(where: "change", is: "resolved")
      #expect(
        changes.columns(["change", "cause", "age_days", "first_flagged_on"]).text
          == DrawnTable(
            """
            change   | cause            | age_days | first_flagged_on
            resolved | \(example.cause) | 1        | 2026-11-20
            """
          ).text)
    }
  }
}
