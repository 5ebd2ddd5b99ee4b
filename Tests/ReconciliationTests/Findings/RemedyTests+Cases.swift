import Configuration
import ReconciliationTestSupport
import Reports

extension RemedyTests {
  private static let purchase =
    "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00"

  private static let missingBook: @Sendable (TestNight) throws -> Void = {
    try $0.catalogue("product_id\nbook\ncomic")
    try $0.transactions(purchase)
  }

  private static func attempt(_ status: String, product: String = "book") -> (
    @Sendable (TestNight) throws -> Void
  ) {
    {
      try missingBook($0)
      try $0.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at      | status
        A           | 1              | \(product) | 2026-11-10 10:05 | \(status)
        """)
    }
  }

  private static let delivered: @Sendable (TestNight) throws -> Void = {
    try $0.deliver("1", at: "2026-11-20 10:00")
  }

  /// Attempts of one server in one hour of each of fourteen days; none on the 18th.
  private static func logOfServer(_ days: ClosedRange<Int>) -> String {
    var lines = ["delivery_id | transaction_id | product_id | occurred_at | status | server"]
    for day in days {
      for minute in 10...21 {
        let date = "2026-11-\(day < 10 ? "0" : "")\(day)"
        lines.append("s-\(day)-\(minute) | 77 | book | \(date) 10:\(minute) | failed | eu-1")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func receipt(_ members: String) -> String {
    #"{"status":0,"environment":"Production","latest_receipt_info":[{"transaction_id":"1","#
      + #""purchase_date":"2026-11-02 10:00:00 Etc/GMT",\#(members)}]}"# + "\n"
  }

  private static func storeList(_ products: String...) -> String {
    let data = products.map {
      #"{"type":"inAppPurchases","id":"1","attributes":{"productId":"\#($0)","#
        + #""inAppPurchaseType":"NON_CONSUMABLE","state":"APPROVED"}}"#
    }
    return #"{"data":[\#(data.joined(separator: ","))],"links":{"self":"https://example.com/"#
      + #"v1/apps/1/inAppPurchasesV2"}}"#
  }

  static let cases =
    deliveryCases + restoreCases + recordCases + [
      Case(
        rule: "silent_source", says: "put it into the inbox, and the finding resolves",
        plant: {
          try $0.catalogue("product_id\nbook")
          try $0.deliveries(logOfServer(4...17))
          // Later hours of the server, so that only one hour is silent.
          try $0.deliveries(logOfServer(19...19))
        },
        remedy: {
          try $0.deliveries(logOfServer(18...18))
          // The day of the next night, on which the server must not be silent again.
          try $0.deliveries(logOfServer(20...20))
        }),
      Case(
        rule: "stale_feed",
        says:
          "put what is missing into the inbox; the next night with a newer record resolves the finding",
        plant: {
          try $0.catalogue("product_id\nbook")
          try $0.deliveries(logOfServer(4...16))
        }, remedy: { try $0.deliveries(logOfServer(17...20)) }),
      Case(
        rule: "certificate_withdrawn", says: "approve the period again",
        plant: { night in
          try missingBook(night)
          try night.run(asOf: "2026-11-19 03:00")
          night.settings.singleSigner = true
          let acts = { try ClosingActs.of(night) }
          _ = try acts().close(Period("2026-11-01..2026-11-15"))
          _ = try acts().approve(Period("2026-11-01..2026-11-15"))
          try night.transactions(
            "transaction_id | product_id | purchased_at\n2 | book | 2026-11-10 10:00")
        },
        remedy: { _ = try ClosingActs.of($0).approve(Period("2026-11-01..2026-11-15")) }),
      Case(
        rule: "unexplained_difference", says: "load the receipts that are missing",
        plant: {
          try $0.catalogue("product_id | delivery\nbook | built_in")
          try $0.transactions(
            """
            transaction_id | product_id | purchased_at     | price | currency | storefront
            1              | book       | 2026-11-10 10:00 | 1.99  | USD      | USA
            """)
          try $0.put(
            AppleReports.sales("11/10/2026", ["book US 2 1.40 USD 1.99 USD"]),
            at: "apple/10.txt")
        },
        remedy: {
          try $0.transactions(
            """
            transaction_id | product_id | purchased_at     | price | currency | storefront
            2              | book       | 2026-11-10 11:00 | 1.99  | USD      | USA
            """)
        }),
      Case(
        rule: "unpriced_product", says: "or one price without a storefront", plant: missingBook,
        remedy: {
          try $0.put(
            #"{"version":2,"products":[{"product_id":"book","prices":["#
              + #"{"currency":"USD","price":"4.99"}]}]}"#,
            at: "catalog/prices.json")
        }),
    ]

  private static let deliveryCases = [
    Case(
      rule: "missing_delivery", says: "Deliver again.", plant: missingBook, remedy: delivered),
    Case(
      rule: "missing_delivery", says: "a later `delivered` resolves the finding",
      plant: attempt("failed"), remedy: delivered),
    Case(
      rule: "missing_delivery", says: "Usually a worker crashed: start it again",
      plant: attempt("pending"), remedy: delivered),
    Case(
      rule: "missing_delivery", says: "then deliver the right product",
      plant: attempt("delivered", product: "comic"), remedy: delivered),
    Case(
      rule: "unfinished_delivery", says: "a later delivery to the same device resolves it",
      plant: {
        try missingBook($0)
        try $0.deliver("1", at: "2026-11-10 10:05")
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status | device_id
          R1          | 1              | book       | 2026-11-12 10:05 | failed | phone
          """)
      },
      remedy: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status    | device_id
          R2          | 1              | book       | 2026-11-20 10:05 | delivered | phone
          """)
      }),
    Case(
      rule: "delivery_without_purchase", says: "the receipt has not arrived (ask for it)",
      plant: {
        try $0.catalogue("product_id\nbook")
        try $0.deliver("1", at: "2026-11-10 10:05")
      }, remedy: { try $0.transactions(purchase) }),
    Case(
      rule: "duplicate_delivery", says: "send it again with a higher `revision`",
      plant: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | device_id
          A           | 1              | book       | 2026-11-10 10:00 | phone
          B           | 1              | book       | 2026-11-10 10:00 | phone
          """)
      },
      remedy: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | device_id | revision
          B           | 1              | book       | 2026-11-10 10:00 | tablet    | 1
          """)
      }),
    Case(
      rule: "conflicting_delivery",
      says:
        "send the right record again with the [`revision`](inbox.md#the-delivery-log) that the detail names",
      plant: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at
          A           | 1              | book       | 2026-11-10 10:00
          A           | 2              | book       | 2026-11-10 10:00
          """)
      },
      remedy: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | revision
          A           | 2              | book       | 2026-11-10 10:00 | 1
          """)
      }),
  ]

  private static let restoreCases = [
    Case(
      rule: "duplicate_restore", says: "raise `restores_allowed`",
      plant: {
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          1              | 1                       | book       | 2026-11-10 10:00
          2              | 1                       | book       | 2026-11-11 10:00
          3              | 1                       | book       | 2026-11-12 10:00
          """)
      }, remedy: { $0.settings.restoresAllowed = 2 }),
    Case(
      rule: "missing_original", says: "put the receipt of the purchase into the inbox",
      plant: {
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          2              | 1                       | book       | 2026-11-11 10:00
          """)
      }, remedy: { try $0.transactions(purchase) }),
    Case(
      rule: "unrestorable_restore",
      says: "load the corrected catalogue and [withdraw the wrong one]",
      plant: {
        try $0.put(
          #"{"version":2,"products":[{"product_id":"book","type":"consumable"}]}"#,
          at: "catalog/wrong.json")
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          2              | 1                       | book       | 2026-11-11 10:00
          """)
      },
      remedy: {
        try $0.replace(
          "catalog/wrong.json",
          by: #"{"version":2,"products":[{"product_id":"book","type":"non_consumable"}]}"#,
          at: "catalog/right.json")
      }),
    Case(
      rule: "shared_purchase", says: "raise `accounts_allowed`",
      plant: {
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | account_id
          1              | book       | 2026-11-10 10:00 | anna
          1              | book       | 2026-11-10 10:00 | ben
          """)
      }, remedy: { $0.settings.accountsAllowed = 2 }),
    Case(
      rule: "automatic_restore",
      says: "resolves when no such restores are left within `restore_window`",
      next: "2026-12-20 03:00",
      plant: {
        try $0.clientLog(
          """
          transaction_id | product_id | state    | transaction_date | device_id | app_version
          1              | book       | restored | 2026-11-10 10:00 | a         | 2.1
          2              | book       | restored | 2026-11-11 10:00 | a         | 2.1
          3              | book       | restored | 2026-11-12 10:00 | a         | 2.1
          """)
      }, remedy: { _ in }),
    Case(
      rule: "purchase_without_receipt", says: "put it into the inbox: the finding resolves",
      plant: {
        try $0.catalogue("product_id\nbook")
        try $0.clientLog(
          """
          transaction_id | product_id | state     | transaction_date | device_id
          1              | book       | purchased | 2026-11-10 10:00 | a
          """)
      }, remedy: { try $0.transactions(purchase) }),
  ]

  private static let recordCases = [
    Case(
      rule: "invalid_product_id", says: "add the missing entry to the catalogue",
      plant: {
        try $0.catalogue("product_id\ncomic")
        try $0.transactions(purchase)
      }, remedy: { try $0.catalogue("product_id\nbook") }),
    Case(
      rule: "conflicting_transaction", says: "[withdraw the file](operating.md#a-wrong-file)",
      plant: {
        try $0.put(receipt(#""product_id":"book""#), at: "receipts/right.json")
        try $0.put(receipt(#""product_id":"comic""#), at: "receipts/wrong.json")
      },
      remedy: {
        try $0.withdraw("receipts/wrong.json")
        try $0.rebuild()
      }),
    Case(
      rule: "conflicting_catalogue",
      says: "load the corrected file and [withdraw the wrong one](operating.md#a-wrong-file)",
      plant: {
        for (name, hours) in [("right", 24), ("wrong", 48)] {
          try $0.put(
            #"{"version":2,"products":[{"product_id":"book","grace_hours":\#(hours)}]}"#,
            at: "catalog/\(name).json")
        }
      },
      remedy: {
        try $0.withdraw("catalog/wrong.json")
        try $0.rebuild()
      }),
    Case(
      rule: "suspicious_receipt", says: "With `trust: signed` no unsigned answer counts.",
      plant: {
        try $0.put(
          receipt(#""product_id":"book","expires_date":"2099-01-01 00:00:00 Etc/GMT""#),
          at: "receipts/forged.json")
      }, remedy: { $0.settings.trust = .signed }),
    Case(
      rule: "catalogue_disagreement", says: "the next list of the store resolves the finding",
      plant: {
        try $0.put(#"["book", "comic", "monthly"]"#, at: "catalog/app.json")
        try $0.put(storeList("book"), at: "catalog/store.json")
        // The App Store lists subscriptions separately. Without that list its lists are not whole.
        try $0.put(
          #"{"data":[{"type":"subscriptions","id":"2","attributes":{"productId":"monthly","#
            + #""state":"APPROVED"}}],"links":{"self":"https://example.com/"#
            + #"v1/subscriptionGroups/1/subscriptions"}}"#,
          at: "catalog/subscriptions.json")
      }, remedy: { try $0.put(storeList("book", "comic"), at: "catalog/store-2.json") }),
  ]
}
