import Configuration
import Explain
import ReconciliationTestSupport
import Testing

@Suite("Sentences of an explanation") struct SentenceTests {
  private static func sentence(_ name: String, in night: TestNight) throws -> String {
    let things = try Inquiry(about: name, database: night.database.connectionString)
      .explanation.things
    return try #require(things.first?.sentence)
  }

  private static func finding(of rule: String, in night: TestNight) throws -> String {
    let rows = try night.table("findings.csv").rows(where: "rule", is: rule)
    return try #require(rows.columns(["finding"]).rows.first?.first)
  }

  @Test("a family without its purchase was restored, not bought")
  func restored() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      2              | 1                       | book       | 2026-11-10 10:00
      """)
    try night.deliver("2", at: "2026-11-10 10:05")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try Self.sentence("2", in: night)
        == "Restored on 2026-11-10T10:00:00Z and delivered on 2026-11-10T10:05:00Z (delivery D-2). "
        + "1 finding: info missing_original.")
  }

  @Test("an upgrade is named, and a refund before the books is not why nothing is owed")
  func refunded() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.booksBegin = "2026-11-10T00:00:00Z"
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | upgraded
      1              | book       | 2026-11-11 10:00 | 2026-11-12 10:00 | yes
      2              | book       | 2026-11-11 10:00 | 2026-11-12 10:00 |
      3              | book       | 2026-11-09 10:00 | 2026-11-12 10:00 |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let refunded = "Bought on 2026-11-11T10:00:00Z and refunded on 2026-11-12T10:00:00Z"
    #expect(
      try Self.sentence("1", in: night) == "\(refunded) by an upgrade: nothing is owed any more.")
    #expect(try Self.sentence("2", in: night) == "\(refunded): nothing is owed any more.")
    #expect(
      try Self.sentence("3", in: night) == """
        Bought on 2026-11-09T10:00:00Z, before the books begin on 2026-11-10T00:00:00Z: no delivery \
        is owed. Refunded on 2026-11-12T10:00:00Z.
        """)
  }

  @Test("nobody bought what was free or shared, and a refund in part says which part")
  func unpaid() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nbook | non_consumable\nweekly | auto_renewable")
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | price | currency | ownership     | revoked_at       | revocation_type | percentage | signed_at
      1              | book       | 2026-11-10 10:00 | 5000  | USD      |               | 2026-11-12 10:00 | REFUND_PRORATED | 40000      | 2026-11-12 11:00
      2              | book       | 2026-11-10 10:00 |       |          | FAMILY_SHARED | 2026-11-12 10:00 | FAMILY_REVOKE   |            | 2026-11-12 11:00
      3              | book       | 2026-11-10 10:00 |       |          | FAMILY_SHARED |                  |                 |            | 2026-11-10 11:00
      4              | book       | 2026-11-10 10:00 | 0     | USD      |               | 2026-11-12 10:00 |                 |            | 2026-11-12 11:00
      5              | book       | 2026-11-10 10:00 | 0     | USD      |               |                  |                 |            | 2026-11-10 11:00
      """)
    try night.signed(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id | price | currency | revoked_at       | revocation_type | percentage | signed_at
      6              | 6                       | weekly     | 2026-11-03 10:00 | 2026-11-10 10:00 | 96                     | 5000  | USD      |                  |                 |            | 2026-11-03 11:00
      7              | 6                       | weekly     | 2026-11-10 10:00 | 2026-11-17 10:00 | 97                     | 5000  | USD      | 2026-11-12 10:00 | REFUND_PRORATED | 33333      | 2026-11-12 11:00
      """)
    try night.deliver("3", at: "2026-11-10 10:05")
    try night.deliver("5", at: "2026-11-10 10:05")
    try night.run(asOf: "2026-11-20 03:00")
    let end = "on 2026-11-12T10:00:00Z: nothing is owed any more."
    for (name, words) in [
      ("1", "Bought on 2026-11-10T10:00:00Z and refunded in part (40 %) \(end)"),
      ("2", "Shared by the family on 2026-11-10T10:00:00Z and no longer shared \(end)"),
      ("3", "Shared by the family on 2026-11-10T10:00:00Z and delivered on 2026-11-10T10:05:00Z"),
      ("4", "Received for free on 2026-11-10T10:00:00Z and cancelled \(end)"),
      ("5", "Received for free on 2026-11-10T10:00:00Z and delivered on 2026-11-10T10:05:00Z"),
      (
        "6",
        " 1 of 2 periods was refunded (transaction 7 on 2026-11-12T10:00:00Z, in part: 33.333 %)."
      ),
    ] {
      let sentence = try Self.sentence(name, in: night)
      #expect(sentence.contains(words), "\(name): \(sentence)")
    }
    for (name, words) in [
      ("1", /transaction 1 refunded in part \(40 %\)/), ("2", /transaction 2 no longer shared/),
      ("2", /shared by the family: book, transaction 2/), ("4", /received for free: book for 0.*/),
      ("2", /.*, purchased 2026-11-10T10:00:00Z, no longer shared 2026-11-12T10:00:00Z.*/),
    ] {
      let events = try Inquiry(about: name, database: night.database.connectionString)
        .explanation.things.flatMap(\.timeline)
      #expect(events.contains { $0.words.wholeMatch(of: words) != nil }, "\(events)")
    }
  }

  @Test(
    "an invalid identifier of a delivery is named as that, also if it begins with the purchase's",
    arguments: ["Book", "book two"])
  func identifier(delivered: String) throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      1              | book       | 2026-11-10 10:05
      1              | \(delivered) | 2026-11-10 10:06
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let finding = try Self.finding(of: "invalid_product_id", in: night)
    for name in ["1", finding] {
      let sentence = try Self.sentence(name, in: night)
      #expect(
        sentence.hasPrefix(
          "A delivery for it names a product identifier that is not valid: \(delivered) unknown. "
            + "Bought on "),
        "\(sentence)")
    }
  }

  @Test("a finding of the catalogues is about the product of the purchase, and names it")
  func otherProduct() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | type           | prices
      book       | non_consumable | USD 1.99
      film       | consumable     |
      """)
    try night.catalogue("product_id | type\nfilm | non_consumable")
    try night.put(#"["book","film"]"#, at: "catalog/app.json")
    try night.put(
      #"{"data":[{"type":"inAppPurchases","id":"1","attributes":{"productId":"book","#
        + #""inAppPurchaseType":"NON_CONSUMABLE","state":"APPROVED"}}],"links":{"self":"#
        + #""https://example.com/v1/apps/1/inAppPurchasesV2"}}"#, at: "catalog/store.json")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 10:00
      2              | film       | 2026-11-10 10:00
      3              | book       | 2026-11-10 10:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      D1          | 1              | book       | 2026-11-10 10:05
      E1          | 1              | film       | 2026-11-10 10:06
      D2          | 2              | film       | 2026-11-10 10:05
      E3          | 3              | film       | 2026-11-10 10:05
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let rules = ["conflicting_catalogue", "catalogue_disagreement", "unpriced_product"]
    let expected: [(String, [String])] = [
      ("1", []), ("2", ["film", "film unknown_to_store", "film"]), ("3", []),
    ]
    for (name, subjects) in expected {
      let found = try Inquiry(about: name, database: night.database.connectionString)
        .explanation.things.flatMap(\.verdicts)
        .filter { rules.contains($0.rule) && $0.verdict == "found" }
      #expect(found.map(\.subject) == subjects, "\(name): \(found)")
      #expect(found.allSatisfy { $0.words.hasPrefix("\($0.subject): ") }, "\(found)")
    }
    let sentence = try Self.sentence("2", in: night)
    #expect(
      sentence.hasPrefix(
        "The catalogues contradict each other about its product: film: type: consumable or "
          + "non_consumable. Bought on "), "\(sentence)")
  }

  @Test("what an app reports about the product comes after what is found about the purchase")
  func reportedByApp() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | device_id | status
      D1          | 1              | book       | 2026-11-10 10:05 | ipad      | delivered
      D2          | 1              | book       | 2026-11-10 10:06 | iphone    | failed
      """)
    try night.put(
      #"{"product_id":"book","reported_at":"2026-11-11T10:00:00Z","device_id":"other"}"# + "\n",
      at: "client/c.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    let sentence = try Self.sentence("1", in: night)
    #expect(
      sentence.hasPrefix("Not finished on one device: iphone (latest attempt D2 failed at "),
      "\(sentence)")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | device_id | status
      D3          | 1              | book       | 2026-11-10 10:07 | iphone    | delivered
      """)
    try night.run(asOf: "2026-11-21 03:00")
    let reported = try Self.sentence("1", in: night)
    #expect(
      reported.hasPrefix("An app reported its product identifier as invalid: "), "\(reported)")
  }

  @Test("a product without a price that the catalogue does not list says so")
  func unpriced() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 10:00
      2              | film       | 2026-11-10 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let rows = try night.table("findings.csv").rows(where: "rule", is: "unpriced_product").records
    try #require(rows.count == 2)
    for row in rows {
      let sentence = try Self.sentence(row["finding"] ?? "", in: night)
      #expect(
        sentence.hasSuffix(". The catalogue does not list this product.")
          == (row["subject"] == "film"), "\(sentence)")
    }
  }

  @Test("a sentence names at most three accounts, and has the beginning of a long error")
  func bounded() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    let holders = (11...50).map { "1 | book | 2026-11-10 10:00 | a-\($0)" }
    try night.transactions(
      (["transaction_id | product_id | purchased_at | account_id"] + holders + [
        "2 | book | 2026-11-10 10:00 |", "3 | book | 2026-11-10 10:00 |",
      ]).joined(separator: "\n"))
    let error = String(repeating: "x", count: 65_000)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id | status    | error
      D1          | 1              | book       | 2026-11-10 10:05 | ops-test   | delivered |
      D2          | 2              | book       | 2026-11-10 10:05 |            | failed    | \(error)
      D3          | 3              | book       | 2026-11-10 10:05 |            | delivered |
      D4          | 3              | book       | 2026-11-10 10:06 |            | failed    | \(error)
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let accounts = ", to account ops-test, not a-11, a-12, a-13 and 37 more, which bought it"
    let delivered = try Self.sentence("1", in: night)
    #expect(delivered.contains("(delivery D1)\(accounts)."), "\(delivered)")
    let answers = try DeliveryStatusInquiry(
      about: ["1"], database: night.database.connectionString
    ).answers
    #expect(answers.map(\.because) == ["it was delivered (delivery D1)\(accounts)"])
    let beginning = String(repeating: "x", count: 200) + "…"
    let failed = try Self.sentence("2", in: night)
    #expect(failed.hasSuffix(" failed on 2026-11-10T10:05:00Z: \(beginning)."), "\(failed)")
    let unfinished = try Self.sentence("3", in: night)
    let latest = "(latest attempt D4 failed at 2026-11-10T10:06:00Z: \(beginning)). "
    #expect(unfinished.contains(latest), "\(unfinished)")
    let events = try Inquiry(about: "2", database: night.database.connectionString)
      .explanation.things.flatMap(\.timeline)
    #expect(events.contains { $0.words.hasSuffix(", error: \(error)") })
  }

  @Test("the first sentence answers what the finding says: a delivery after a refund comes first")
  func afterRefund() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | family_shared | price | currency
      1              | book       | 2026-11-10 10:00 | 2026-11-12 10:00 |               |       |
      2              | book       | 2026-11-10 10:00 | 2026-11-12 10:00 | yes           |       |
      3              | book       | 2026-11-10 10:00 | 2026-11-12 10:00 |               | 0     | USD
      """)
    for name in ["1", "2", "3"] { try night.deliver(name, at: "2026-11-14 10:05") }
    try night.run(asOf: "2026-11-20 03:00")
    for (name, words) in [
      ("2", "when it was no longer shared (since 2026-11-12T10:00:00Z): "),
      ("3", "after it was cancelled on 2026-11-12T10:00:00Z: "),
    ] {
      let sentence = try Self.sentence(name, in: night)
      #expect(sentence.hasPrefix("Delivered \(words)book for transaction "), "\(sentence)")
    }
    let finding = try #require(
      try night.table("findings.csv").rows(where: "rule", is: "delivery_without_purchase")
        .rows(where: "subject", is: "D-1").columns(["finding"]).rows.first?.first)
    for name in ["D-1", "1", finding] {
      let things = try Inquiry(about: name, database: night.database.connectionString)
        .explanation.things
      let sentence = try #require(things.last?.sentence)
      #expect(
        sentence.hasPrefix(
          """
          Delivered after the refund of 2026-11-12T10:00:00Z: book for transaction 1 at \
          2026-11-14T10:05:00Z (delivery D-1). Bought on 2026-11-10T10:00:00Z
          """), "\(name): \(sentence)")
    }
  }

  @Test("a delivery to the account or device of a restore only is not one to the buyer")
  func toRestoreOnly() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id | device_id
      1              |                         | book       | 2026-11-10 10:00 | anna       | phone
      2              | 1                       | book       | 2026-11-10 11:00 | ben        | tablet
      3              |                         | book       | 2026-11-10 10:00 | carl       | laptop
      4              |                         | book       | 2026-11-10 10:00 | dora       | desktop
      5              |                         | book       | 2026-11-10 10:00 | eva        | console
      6              | 5                       | book       | 2026-11-10 11:00 | finn       | car
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id | device_id
      D2          | 2              | book       | 2026-11-10 11:05 | ben        | tablet
      D3          | 3              | book       | 2026-11-10 10:05 | carl       | watch
      D4          | 4              | book       | 2026-11-10 10:05 | dora       | watch-2
      E4          | 4              | book       | 2026-11-10 10:06 | dora       | desktop
      D5          | 5              | book       | 2026-11-10 10:05 | eva        | console
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let restored =
      ", to account ben, which restored it, not anna, which bought it, and to device tablet, which "
      + "restored it, not phone, which bought it"
    let device = ", to device watch, not laptop, which bought it"
    for (name, words) in [
      ("1", "(delivery D2)\(restored)."), ("2", "(delivery D2)\(restored)."),
      ("anna", "(delivery D2)\(restored)."), ("3", "(delivery D3)\(device)."),
      (
        "finn",
        "(delivery D5), to account eva, not finn, which restored it, and to device console, not "
          + "car, which restored it."
      ),
      // Its own account and device got it, or its device got it later.
      ("ben", "(delivery D2)."), ("4", "(delivery D4)."), ("5", "(delivery D5)."),
    ] {
      let sentence = try Self.sentence(name, in: night)
      #expect(sentence.contains(words), "\(name): \(sentence)")
    }
    let answers = try DeliveryStatusInquiry(
      about: ["1", "3", "4"], database: night.database.connectionString
    ).answers
    #expect(
      answers.map(\.because) == [
        "it was delivered (delivery D2)\(restored)", "it was delivered (delivery D3)\(device)",
        "it was delivered (delivery D4)",
      ])
    #expect(answers.allSatisfy { $0.consumptionRequest?.deliveryStatus == "DELIVERED" })
  }

  @Test("the account in a sentence is that of the first delivery, and is left out if one has none")
  func otherAccount() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nfilm")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      2              | book       | 2026-11-10 10:00 | anna
      3              | book       | 2026-11-10 10:00 | anna
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id
      D1          | 1              | book       | 2026-11-10 10:05 |
      D2          | 1              | book       | 2026-11-10 10:10 | ben
      E9          | 2              | book       | 2026-11-10 10:05 | carl
      E1          | 2              | book       | 2026-11-10 10:10 | ben
      F9          | 3              | film       | 2026-11-10 10:05 | anna
      F1          | 3              | film       | 2026-11-10 10:10 | anna
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let first = try Self.sentence("1", in: night)
    #expect(first.contains("(delivery D1)") && !first.contains(", to account "), "\(first)")
    let accounts = ", to account carl, not anna, which bought it"
    let second = try Self.sentence("2", in: night)
    #expect(second.contains("(delivery E9)\(accounts)."), "\(second)")
    let answers = try DeliveryStatusInquiry(
      about: ["1", "2", "3"], database: night.database.connectionString
    ).answers
    #expect(
      answers.map(\.because) == [
        "it was delivered (delivery D1)", "it was delivered (delivery E9)\(accounts)",
        "another product was delivered (delivery F9)",
      ])
  }
}
