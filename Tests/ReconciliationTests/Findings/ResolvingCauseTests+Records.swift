import Configuration
import ReconciliationTestSupport

/// Cases in which several records of the second night could be the cause, or the record names what
/// the finding is about in another way.
extension ResolvingCauseTests {
  /// An app reports a renewal whose receipt is missing.
  private static let reportedByApp = Scene("a purchase that only an app reports") {
    try $0.catalogue("product_id\nbook\nother")
    try $0.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state     | transaction_date
      300            | 299                     | book       | purchased | 2026-11-10 10:00
      """)
  }

  static let casesOfRecords: [Case] = [
    Case(
      testDescription: "a correction of a delivery has no account", rule: "shared_purchase",
      cause: "log_arrived", record: "delivery D-1",
      first: Scene {
        try $0.catalogue("product_id\nbook")
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | account_id
          1              | book       | 2026-11-10 10:00 | anna
          """)
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | account_id
          D-1         | 1              | book       | 2026-11-10 10:05 | berta
          """)
      },
      then: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | revision
          D-1         | 1              | book       | 2026-11-10 10:05 | 1
          """)
      }),
    Case(
      testDescription: "the receipt of what an app reported has another id",
      rule: "purchase_without_receipt", cause: "evidence_arrived", record: "transaction 303",
      first: reportedByApp,
      then: {
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          303            | 299                     | book       | 2026-11-10 10:00
          304            | 299                     | other      | 2026-11-12 10:00
          """)
      }),
    Case(
      testDescription: "the catalogue gives its receipt more time",
      rule: "purchase_without_receipt", cause: "catalogue_changed",
      record: "catalogue entry book grace_hours",
      first: reportedByApp,
      then: { try $0.catalogue("product_id | grace_hours\nbook | 900") }),
    Case(
      testDescription: "an entry with a price has other facts, too", rule: "unpriced_product",
      cause: "catalogue_changed", record: "catalogue entry a b price",
      first: Scene {
        try $0.catalogue("product_id\na b")
        try $0.transactions(
          "transaction_id | product_id | purchased_at\n1 | a b | 2026-11-10 10:00")
      },
      then: {
        try $0.catalogue(
          """
          product_id | prices   | grace_hours | delivery
          a b        | USD 1.99 | 30          | server
          """)
      }),
    Case(
      testDescription: "its purchase and another restore of it arrived",
      rule: "missing_original", cause: "evidence_arrived", record: "transaction 1",
      first: Scene {
        try $0.catalogue("product_id\nbook")
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          2              | 1                       | book       | 2026-11-12 10:00
          """)
      },
      then: {
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          3              | 1                       | book       | 2026-11-13 10:00
          1              | 1                       | book       | 2026-11-10 10:00
          """)
      }),
  ]
}
