import Configuration
import ReconciliationTestSupport

extension ResolvingCauseTests {
  static let cases: [Case] = [
    Case(
      testDescription: "delivered after all", rule: "missing_delivery", cause: "delivered_late",
      record: "delivery D-1",
      first: missingBook, then: { try $0.deliver("1", at: "2026-11-20 10:00") }),
    Case(
      testDescription: "delivered in time, and the log came late", rule: "missing_delivery",
      cause: "log_arrived", record: "delivery D-1",
      first: missingBook, then: { try $0.deliver("1", at: "2026-11-10 10:05") }),
    Case(
      testDescription: "a renewal names the transaction of the delivery as its original",
      rule: "delivery_without_purchase", cause: "evidence_arrived", record: "transaction 1001",
      first: Scene {
        try $0.catalogue(
          """
          product_id | type           | delivery_per
          book       | auto_renewable | period
          """)
        try $0.deliver("1000", at: "2026-11-10 10:05")
      },
      then: {
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
          1001           | 1000                    | book       | 2026-11-18 10:00 | 5001
          """)
      }),
    Case(
      testDescription: "delivered and refunded", rule: "missing_delivery", cause: "delivered_late",
      record: "delivery D-1",
      first: missingBook,
      then: {
        try $0.deliver("1", at: "2026-11-20 10:00")
        try refund($0)
      }),
    Case(
      testDescription: "the purchase was refunded", rule: "missing_delivery", cause: "refunded",
      record: "transaction 1",
      first: missingBook,
      then: refund),
    Case(
      testDescription: "a known delivery belongs to a restore that arrived",
      rule: "missing_delivery", cause: "evidence_arrived", record: "transaction 100",
      first: Scene {
        try missingBook($0)
        try $0.deliver("100", at: "2026-11-10 10:05")
      },
      then: {
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          100            | 1                       | book       | 2026-11-12 10:00
          """)
      }),
    Case(
      testDescription: "a revision says for which transaction a known delivery was",
      rule: "missing_delivery", cause: "log_arrived", record: "delivery K",
      first: Scene {
        try missingBook($0)
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status
          K           | 600            | book       | 2026-11-10 10:05 | delivered
          """)
      },
      then: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status    | revision
          K           | 1              | book       | 2026-11-10 10:05 | delivered | 1
          """)
      }),
    Case(
      testDescription: "a catalogue gives more time to a chain of which a purchase was refunded",
      rule: "missing_delivery", cause: "catalogue_changed",
      record: "catalogue entry a b grace_hours",
      first: refundedPeriod,
      then: { try $0.catalogue("product_id | grace_hours\na b | 2000") }),
    Case(
      testDescription: "the other purchase of a chain is refunded, too",
      rule: "missing_delivery", cause: "refunded", record: "transaction 71",
      first: refundedPeriod,
      then: {
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | cancelled_at
          71             | 7                       | a b        | 2026-11-12 10:00 | 971                    | 2026-11-20 11:00
          """)
      }),
    Case(
      testDescription: "a catalogue says that it comes with the app", rule: "missing_delivery",
      cause: "catalogue_changed",
      record: "catalogue entry book delivery",
      first: missingBook, then: { try $0.catalogue("product_id | delivery\nbook | built_in") }),
    Case(
      testDescription: "a catalogue says that Apple hosts a subscription's content",
      rule: "missing_delivery", cause: "catalogue_changed",
      record: "catalogue entry a b delivery",
      first: Scene {
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
      cause: "settings_changed",
      record: "books_begin", isPlaced: false,
      first: missingBook, then: { $0.settings.booksBegin = "2026-11-15T00:00:00Z" }),
    Case(
      testDescription: "it restores an old purchase", rule: "missing_delivery",
      cause: "evidence_arrived",
      record: "transaction 1",
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
      record: "catalogue entry a b listed",
      first: Scene {
        try $0.catalogue("product_id\nbook")
        try $0.transactions(
          "transaction_id | product_id | purchased_at\n1 | a b | 2026-11-10 10:00")
      }, then: { try $0.catalogue("product_id | delivery\na b | built_in") }),
    Case(
      testDescription: "a catalogue gives a price", rule: "unpriced_product",
      cause: "catalogue_changed",
      record: "catalogue entry a b price",
      first: Scene {
        try $0.catalogue("product_id\na b")
        try $0.transactions(
          "transaction_id | product_id | purchased_at\n1 | a b | 2026-11-10 10:00")
      }, then: { try $0.catalogue("product_id | prices\na b | USD 1.99") }),
    Case(
      testDescription: "a receipt says what the customer paid", rule: "unpriced_product",
      cause: "evidence_arrived", record: "transaction 1",
      first: unpricedCoin,
      then: {
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | price | currency
          1              | coin       | 2026-10-10 10:00 | 0.99  | USD
          """)
      }),
    Case(
      testDescription: "its sale is too long ago, and another one was paid",
      rule: "unpriced_product", cause: "window_ended", record: "", isPlaced: false,
      days: ["2026-11-30", "2026-12-01"],
      first: unpricedCoin,
      then: {
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | price | currency
          2              | coin       | 2026-11-30 10:00 | 0.99  | USD
          """)
      }),
    Case(
      testDescription: "a restore's download was delivered", rule: "unfinished_delivery",
      cause: "delivered_late",
      record: "delivery E2",
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
      record: "transaction 1",
      first: failedRestore,
      then: refund),
    Case(
      testDescription: "its receipt arrived", rule: "delivery_without_purchase",
      cause: "evidence_arrived",
      record: "transaction 1",
      first: deliveredBook, then: { try $0.transactions(purchase) }),
    Case(
      testDescription: "its receipt is of the sandbox", rule: "delivery_without_purchase",
      cause: "evidence_arrived",
      record: "transaction 1",
      first: deliveredBook,
      then: {
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | environment
          1              | book       | 2026-11-10 10:00 | Sandbox
          """)
      }),
    Case(
      testDescription: "a correction says that it belongs to another purchase",
      rule: "unfinished_delivery",
      cause: "log_arrived", record: "delivery E1",
      first: failedRestore,
      then: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status | device_id | revision
          E1          | 4              | book       | 2026-11-12 10:05 | failed | phone     | 1
          """)
      }),
    Case(
      testDescription: "a correction of it is named, and none of another delivery of its purchase",
      rule: "delivery_without_purchase",
      cause: "log_arrived", record: "delivery Z7",
      first: Scene {
        try missingBook($0)
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status
          A1          | 1              | book       | 2026-11-10 10:05 | delivered
          Z7          | 98             | book       | 2026-11-10 10:05 | delivered
          """)
      },
      then: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status    | revision | device_id
          A1          | 1              | book       | 2026-11-10 10:05 | delivered | 1        | phone
          Z7          | 1              | book       | 2026-11-10 10:05 | delivered | 1        | phone
          """)
      }),
    Case(
      testDescription: "a correction ends a conflict, and a catalogue names the product",
      rule: "conflicting_delivery", cause: "log_arrived", record: "delivery A",
      first: wrongRecords, then: correctedWithCatalogue),
    Case(
      testDescription: "a correction ends a repetition, and a catalogue names the product",
      rule: "duplicate_delivery", cause: "log_arrived", record: "delivery C",
      first: wrongRecords, then: correctedWithCatalogue),
    Case(
      testDescription: "the books begin later, and a list of the app names the known product",
      rule: "missing_delivery", cause: "settings_changed", record: "books_begin", isPlaced: false,
      first: missingBook,
      then: {
        $0.settings.booksBegin = "2026-11-15T00:00:00Z"
        try $0.put(#"["book"]"#, at: "catalog/app.json")
      }),
    Case(
      testDescription: "its type can be restored", rule: "unrestorable_restore",
      cause: "catalogue_changed",
      record: "catalogue entry book type",
      first: Scene {
        try $0.catalogue("product_id | type\nbook | consumable")
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          2              | 1                       | book       | 2026-11-10 10:00
          """)
      }, then: { try $0.catalogue("product_id | type\nbook | auto_renewable") }),
    Case(
      testDescription: "another record of it says that it failed",
      rule: "delivery_without_purchase",
      cause: "log_arrived", record: "delivery D-1",
      first: deliveredBook,
      then: { try $0.deliver("1", at: "2026-11-10 10:06", status: "failed") }),
    Case(
      testDescription: "an app on another device restored it", rule: "duplicate_restore",
      cause: "app_reported", record: "app log of 2",
      first: restoredThrice,
      then: {
        try $0.clientLog(
          """
          transaction_id | original_transaction_id | product_id | state    | transaction_date | device_id
          2              | 1                       | book       | restored | 2026-11-20 10:00 | d-1
          3              | 1                       | book       | restored | 2026-11-20 10:00 | d-2
          4              | 1                       | book       | restored | 2026-11-20 10:00 | d-3
          """)
      }),
    Case(
      testDescription: "one restores another purchase", rule: "duplicate_restore",
      cause: "evidence_arrived", record: "transaction 2",
      first: restoredTwice, then: otherOriginal),
    Case(
      testDescription: "an account's transaction restores another purchase",
      rule: "shared_purchase", cause: "evidence_arrived", record: "transaction 2",
      first: restoredTwice, then: otherOriginal),
    Case(
      testDescription: "the only one restores another purchase", rule: "missing_original",
      cause: "evidence_arrived", record: "transaction 2",
      first: Scene {
        try $0.catalogue("product_id\nbook")
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at     | told_at
          2              | 1                       | book       | 2026-11-11 10:00 | 2026-11-15 10:00
          """)
      },
      then: otherOriginal),
    Case(
      testDescription: "it was restored too long ago", rule: "duplicate_restore",
      cause: "window_ended", record: "last restored on 2026-11-13T10:00:00Z", isPlaced: false,
      first: restoredLongAgo, then: { _ in }),
    Case(
      testDescription: "more restores are allowed", rule: "duplicate_restore",
      cause: "settings_changed", record: "restores_allowed", isPlaced: false,
      first: restoredThrice, then: { $0.settings.restoresAllowed = 5 }),
    Case(
      testDescription: "the restore window is shorter", rule: "duplicate_restore",
      cause: "settings_changed", record: "restore_window", isPlaced: false,
      first: restoredThrice, then: { $0.settings.restoreWindowDays = 7 }),
    Case(
      testDescription: "it was restored too long ago, in a night with other limits of reading",
      rule: "duplicate_restore", cause: "window_ended",
      record: "last restored on 2026-11-13T10:00:00Z", isPlaced: false,
      first: restoredLongAgo, then: { $0.settings.documentLimitBytes += 1 }),
    Case(
      testDescription: "the receipt of its purchase arrived", rule: "missing_original",
      cause: "evidence_arrived", record: "transaction 1",
      first: Scene {
        try $0.catalogue("product_id\nbook")
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          2              | 1                       | book       | 2026-11-12 10:00
          """)
      },
      then: {
        try $0.transactions(purchase)
        try $0.deliver("1", at: "2026-11-10 10:05")
      }),
    Case(
      testDescription: "the receipt of a purchase in an app arrived",
      rule: "purchase_without_receipt",
      cause: "evidence_arrived", record: "transaction 1",
      first: Scene {
        try $0.catalogue("product_id\nbook")
        try $0.clientLog(
          """
          transaction_id | product_id | state     | transaction_date
          1              | book       | purchased | 2026-11-10 10:00
          """)
      },
      then: {
        try $0.transactions(purchase)
        try $0.deliver("1", at: "2026-11-10 10:05")
      }),
    Case(
      testDescription: "a third account uses it", rule: "shared_purchase",
      cause: "evidence_arrived", record: "transaction 1",
      first: Scene {
        try $0.catalogue("product_id\nbook")
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | account_id
          1              | book       | 2026-11-19 10:00 | ann
          1              | book       | 2026-11-19 10:00 | ben
          """)
      },
      then: {
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | account_id
          1              | book       | 2026-11-19 10:00 | cleo
          """)
      }),
    Case(
      testDescription: "a receipt of a sale came that Apple had reported",
      rule: "unexplained_difference",
      cause: "evidence_arrived", record: "transaction 2",
      first: soldOnce,
      then: {
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | price | currency | storefront
          2              | coin       | 2026-11-10 13:00 | 0.99  | USD      | USA
          9              | coin       | 2026-11-19 13:00 | 0.99  | USD      | USA
          """)
      }),
    Case(
      testDescription: "Apple corrected its report", rule: "unexplained_difference",
      cause: "report_arrived", record: "report sales_summary 2026-11-10",
      first: soldOnce, then: { try reported($0, 1, at: "apple/10b.txt") }),
  ]
}
