import ReconciliationTestSupport
import Testing

@Suite("catalogue_disagreement")
struct CatalogueDisagreementTests {
  private static let header = "level | subject | reason"

  /// An answer of the App Store Connect API: `identifier TYPE STATE` for each product.
  private static func purchases(_ products: String...) -> String {
    let data = products.map { product in
      let words = product.split(separator: " ")
      return #"{"type":"inAppPurchases","id":"1","attributes":{"productId":"\#(words[0])","#
        + #""inAppPurchaseType":"\#(words[1])","state":"\#(words[2])"}}"#
    }
    return #"{"data":[\#(data.joined(separator: ","))],"links":{"self":"https://example.com/"#
      + #"v1/apps/1/inAppPurchasesV2"}}"#
  }

  private static func subscriptions(_ ids: String...) -> String {
    let data = ids.map {
      #"{"type":"subscriptions","id":"1","attributes":{"productId":"\#($0)","state":"APPROVED"}}"#
    }
    return #"{"data":[\#(data.joined(separator: ","))],"links":{"self":"https://example.com/"#
      + #"v1/subscriptionGroups/1/subscriptions"}}"#
  }

  @Test("a product unknown to the store is a warning; one not offered by the app is an info")
  func bothWays() throws {
    let night = try TestNight()
    try night.put(#"["coins.10", "book", "coin.500", "Pass"]"#, at: "catalog/app.json")
    try night.put(
      Self.purchases(
        "coins.10 CONSUMABLE APPROVED", "coins.500 CONSUMABLE APPROVED",
        "book NON_CONSUMABLE REMOVED_FROM_SALE", "hidden CONSUMABLE DEVELOPER_REMOVED_FROM_SALE",
        "pass NON_RENEWING_SUBSCRIPTION APPROVED"), at: "catalog/store.json")
    try night.put(Self.subscriptions("monthly"), at: "catalog/subscriptions.json")
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "catalogue_disagreement",
      finds: """
        level   | subject                      | reason             | detail
        warning | Pass unknown_to_store        | unknown_to_store   | the app offers it and the App Store does not know it, closest on the other side: pass
        warning | coin.500 unknown_to_store    | unknown_to_store   | the app offers it and the App Store does not know it, closest on the other side: coins.500
        info    | coins.500 not_offered_by_app | not_offered_by_app | the App Store sells it and no app list names it, closest on the other side: coin.500
        info    | monthly not_offered_by_app   | not_offered_by_app | the App Store sells it and no app list names it
        info    | pass not_offered_by_app      | not_offered_by_app | the App Store sells it and no app list names it, closest on the other side: Pass
        """)
    // Both lists make up the catalogue: it contains their products, on sale or not.
    try night.expect(
      query: """
        select product_id, type, is_offered_by_app, is_known_to_store, is_sold_by_store
        from product where product_id in ('book', 'coin.500', 'hidden') order by 1
        """,
      gives: """
        product_id | type           | is_offered_by_app | is_known_to_store | is_sold_by_store
        book       | non_consumable | t                 | t                 | f
        coin.500   |                | t                 | f                 | f
        hidden     | consumable     | f                 | t                 | f
        """)
  }

  @Test("a product is unknown_to_store only if the store lists cover its type, or all types")
  func kinds() throws {
    let night = try TestNight()
    try night.put(#"["typed.sub", "typed.coins", "untyped"]"#, at: "catalog/app.json")
    try night.catalogue(
      """
      product_id  | type
      typed.sub   | auto_renewable
      typed.coins | consumable
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("catalogue_disagreement", finds: Self.header)

    try night.put(Self.purchases(), at: "catalog/store.json")
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(
      "catalogue_disagreement",
      finds: """
        level   | subject                      | reason
        warning | typed.coins unknown_to_store | unknown_to_store
        """)

    try night.put(Self.subscriptions(), at: "catalog/subscriptions.json")
    try night.run(asOf: "2026-11-22 03:00")
    try night.expect(
      "catalogue_disagreement",
      finds: """
        level   | subject                      | reason
        warning | typed.coins unknown_to_store | unknown_to_store
        warning | typed.sub unknown_to_store   | unknown_to_store
        warning | untyped unknown_to_store     | unknown_to_store
        """)

    // The store knows the product now, so the finding is resolved.
    try night.put(
      Self.purchases("typed.coins CONSUMABLE APPROVED", "untyped CONSUMABLE IN_REVIEW"),
      at: "catalog/store-2.json")
    try night.run(asOf: "2026-11-23 03:00")
    try night.expect("catalogue_disagreement", finds: "subject\ntyped.sub unknown_to_store")
  }

  @Test("an incomplete answer or one with a rejected entry does not show that a product is unknown")
  func parts() throws {
    let night = try TestNight()
    try night.put(#"["typed.coins"]"#, at: "catalog/app.json")
    try night.catalogue("product_id | type\ntyped.coins | consumable")
    try night.put(
      Self.purchases("typed.coins GIFT APPROVED"), at: "catalog/unreadable.json")
    try night.put(
      #"{"data":[{"type":"inAppPurchases","attributes":{"productId":"a"}}],"#
        + #""links":{"next":"https://example.com/2"}}"#, at: "catalog/part.json")
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("catalogue_disagreement", finds: Self.header)
    // The last page makes the answer complete.
    try night.put(Self.purchases("b CONSUMABLE IN_REVIEW"), at: "catalog/last.json")
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(
      "catalogue_disagreement", finds: "subject\ntyped.coins unknown_to_store")
  }

  @Test("without an app list nothing is not_offered_by_app; a version 2 list is neither side")
  func noAppList() throws {
    let night = try TestNight()
    try night.put(Self.purchases("sold CONSUMABLE APPROVED"), at: "catalog/store.json")
    try night.catalogue("product_id | type\nowned | consumable")
    try night.put("[]", at: "catalog/app.json")
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("catalogue_disagreement", finds: Self.header)
    try night.put(#"{"products": [{"id": "sold "}]}"#, at: "catalog/app-2.json")
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(
      "catalogue_disagreement", finds: "subject\nsold not_offered_by_app")
  }

  @Test("a product that the store does not sell at as-of is not found as not_offered_by_app")
  func onSale() throws {
    func purchase(_ id: String, _ start: String, _ end: String) -> String {
      """
      <in_app_purchase><product_id>\(id)</product_id><type>consumable</type><products><product>
      <cleared_for_sale>\(id == "withdrawn" ? "false" : "true")</cleared_for_sale><intervals><interval>
      <start_date>\(start)</start_date><end_date>\(end)</end_date></interval></intervals></product>
      </products></in_app_purchase>
      """
    }
    let night = try TestNight()
    try night.put(#"["offered"]"#, at: "catalog/app.json")
    try night.put(
      "<package xmlns=\"http://apple.com/itunes/importer\"><in_app_purchases>"
        + purchase("today", "2026-11-20", "2026-11-21")
        + purchase("over", "2026-11-01", "2026-11-20")
        + purchase("tomorrow", "2026-11-21", "2026-12-21")
        + purchase("withdrawn", "2026-11-01", "2026-12-21")
        + purchase("offered", "2026-11-01", "2026-12-21")
        + "</in_app_purchases></package>", at: "catalog/metadata.xml")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | withdrawn  | 2026-11-19 10:00
      2              | over       | 2026-11-19 23:59:59
      3              | over       | 2026-11-20 00:00
      4              | today      | 2026-11-19 23:59:59
      5              | today      | 2026-11-20 00:00
      """)
    try night.run(asOf: "2026-11-20 00:00")
    try night.expect("catalogue_disagreement", finds: "subject\ntoday not_offered_by_app")
    // A product that is not cleared for sale is neither unknown nor expired: it can be restored, or
    // sold again.
    try night.expect(
      "invalid_product_id",
      finds: """
        subject             | reason
        over expired        | expired
        today not_yet_valid | not_yet_valid
        """)
  }

  @Test("a list that says off sale outweighs a list that says on sale, in any order")
  func offSale() throws {
    for names in [("1", "2"), ("2", "1")] {
      let night = try TestNight()
      try night.put(#"["other"]"#, at: "catalog/app.json")
      try night.put(Self.purchases("a CONSUMABLE APPROVED"), at: "catalog/\(names.0).json")
      try night.put(
        Self.purchases("a CONSUMABLE DEVELOPER_REMOVED_FROM_SALE"), at: "catalog/\(names.1).json")
      try night.run(asOf: "2026-11-20 03:00")
      try night.expect("catalogue_disagreement", finds: "subject")
      try night.expect("conflicting_catalogue", finds: "subject")
    }
  }

  @Test("the closest is from the other side and differs in at most a third; ties go by name")
  func closest() throws {
    let night = try TestNight()
    try night.put(#"["abcdef", "abcdxx", "uvw", "store"]"#, at: "catalog/app.json")
    try night.put(
      Self.purchases(
        "abcdeg CONSUMABLE IN_REVIEW", "abcdeh CONSUMABLE IN_REVIEW", "uvz CONSUMABLE IN_REVIEW",
        "u CONSUMABLE IN_REVIEW", "store CONSUMABLE APPROVED"), at: "catalog/store.json")
    try night.put(Self.subscriptions(), at: "catalog/subscriptions.json")
    try night.run(asOf: "2026-11-20 03:00")
    let said = "the app offers it and the App Store does not know it, closest on the other side: "
    try night.expect(
      "catalogue_disagreement",
      finds: """
        subject                 | detail
        abcdef unknown_to_store | \(said)abcdeg
        abcdxx unknown_to_store | \(said)abcdeg
        uvw unknown_to_store    | \(said)uvz
        """)
  }

  @Test(
    "more than a hundred are found without a closest identifier: the lists are of two apps",
    arguments: [100, 101])
  func many(count: Int) throws {
    let night = try TestNight()
    let ids = (0..<count).map { "product.\($0)" }
    try night.put(
      "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]", at: "catalog/app.json")
    let products = ids.map { #"{"productID":"\#($0.uppercased())","type":"Consumable"}"# }
    try night.put(
      #"{"products":[\#(products.joined(separator: ","))],"subscriptionGroups":[],"#
        + #""nonRenewingSubscriptions":[],"settings":{"_lastSynchronizedDate":743722291.47}}"#,
      at: "catalog/store.storekit")
    try night.run(asOf: "2026-11-20 03:00")
    let found = try night.table("findings.csv").rows(where: "rule", is: "catalogue_disagreement")
    #expect(found.rows.count == 2 * count)
    let details = found.columns(["detail"]).rows.map { $0[0] }
    #expect(details.count { $0.contains("closest") } == (count > 100 ? 0 : 2 * count))
  }
}
