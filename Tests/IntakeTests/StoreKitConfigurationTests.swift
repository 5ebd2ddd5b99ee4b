import Intake
import Testing

@Suite("Xcode's StoreKit configurations")
struct StoreKitConfigurationTests {
  /// The setting that Xcode writes when it has taken the products from App Store Connect.
  static let synchronized = #""_lastSynchronizedDate" : 743722291.470198"#

  static func file(settings: String = #"{\#(synchronized), "_storefront" : "USA"}"#) -> String {
    #"""
    {
      "identifier" : "2A94393D",
      "nonRenewingSubscriptions" : [
        {"displayPrice" : "20.99", "productID" : "pass", "type" : "NonRenewingSubscription"}
      ],
      "products" : [
        {"displayPrice" : "1.99", "productID" : "coins", "type" : "Consumable"},
        {"displayPrice" : 0.5, "productID" : "book", "type" : "NonConsumable"}
      ],
      "settings" : \#(settings),
      "subscriptionGroups" : [
        {"id" : "1", "name" : "one", "subscriptions" : [
          {"displayPrice" : "9.990", "groupNumber" : 1, "introductoryOffer" : {"displayPrice" : "1"},
           "productID" : "monthly", "type" : "RecurringSubscription"}
        ]},
        {"id" : "2", "name" : "two", "subscriptions" : [
          {"productID" : "yearly", "type" : "RecurringSubscription"}
        ]}
      ],
      "version" : {"major" : 3, "minor" : 0}
    }
    """#
  }

  static let covers = [
    "- store_list_covers consumable", "- store_list_covers non_consumable",
    "- store_list_covers auto_renewable", "- store_list_covers non_renewing",
  ]

  @Test("a file gives products of all kinds with types, and prices in its storefront's currency")
  func everything() throws {
    let staged = try stage(Self.file(), in: .catalog)
    #expect(staged.rejections.isEmpty)
    #expect(staged.counts.catalogueEntries.read == 5)
    #expect(
      staged.catalogueSaid == [
        "coins type consumable", "coins for_sale true", "coins price USD USA 1.99",
        "coins known_to_store",
        "book type non_consumable", "book for_sale true", "book price USD USA 0.5",
        "book known_to_store",
        "pass type non_renewing", "pass for_sale true", "pass price USD USA 20.99",
        "pass known_to_store",
        "monthly type auto_renewable", "monthly for_sale true", "monthly price USD USA 9.990",
        "monthly known_to_store",
        "yearly type auto_renewable", "yearly for_sale true", "yearly known_to_store",
      ] + Self.covers)
    #expect(staged.catalogue.filter { $0["product_id"] == "" }.allSatisfy { $0["line"] == "0" })
  }

  @Test(
    "a file whose currency is not known gives no prices",
    arguments: [
      "", #", "_locale" : "en_US""#, #", "_storefront" : "ATA""#, #", "_storefront" : "BGR""#,
      #", "_storefront" : "usa""#, #", "_storefront" : 840"#,
    ])
  func noCurrency(settings: String) throws {
    let staged = try stage(Self.file(settings: "{\(Self.synchronized)\(settings)}"), in: .catalog)
    #expect(staged.rejections.isEmpty)
    #expect(staged.catalogueSaid.filter { $0.contains(" price ") }.isEmpty)
    #expect(staged.catalogueSaid.filter { $0.contains(" type ") }.count == 5)
  }

  @Test(
    "a price is in the storefront's own currency",
    arguments: [
      ("ESP", "EUR"), ("JPN", "JPY"), ("GBR", "GBP"),
    ])
  func currency(storefront: String, currency: String) throws {
    let staged = try stage(
      Self.file(settings: #"{\#(Self.synchronized), "_storefront" : "\#(storefront)"}"#),
      in: .catalog)
    #expect(staged.catalogueSaid.contains("coins price \(currency) \(storefront) 1.99"))
  }

  @Test(
    "an entry that cannot be used is rejected alone, and the list is then incomplete",
    arguments: [
      (#"{"productID":"b","type":"Gift"}"#, "unknown_value"),
      (#"{"productID":"b","type":7}"#, "unknown_value"),
      (#"{"type":"Consumable"}"#, "missing_field"), (#"{"productID":""}"#, "missing_field"),
      (#"{"productID":true}"#, "bad_identifier"), ("7", "missing_field"),
      (#"{"productID":"b","displayPrice":"1,99"}"#, "bad_amount"),
    ])
  func rejectedEntry(entry: String, reason: String) throws {
    let staged = try stage(
      #"{"products":[{"productID":"a"},\#(entry)],"subscriptionGroups":[],"#
        + #""settings":{\#(Self.synchronized),"_storefront":"USA"},"version":{"major":2}}"#,
      in: .catalog)
    #expect(staged.reasons == ["2 | catalogue | \(reason)"])
    #expect(staged.rejections[0]["raw"] == entry)
    #expect(staged.catalogueSaid == ["a for_sale true", "a known_to_store"])
  }

  @Test(
    "a section that is not an array is rejected alone, and the list is then incomplete",
    arguments: [
      (#""nonRenewingSubscriptions":7"#, "nonRenewingSubscriptions", "7"),
      (#""subscriptionGroups":{"id":"1"}"#, "subscriptionGroups", #"{"id":"1"}"#),
      (
        #""subscriptionGroups":[{"subscriptions":{"productID":"s"}}]"#, "subscriptions",
        #"{"productID":"s"}"#
      ),
    ])
  func noArray(section: String, name: String, raw: String) throws {
    let staged = try stage(
      #"{"products":[{"productID":"a"}],\#(section),"settings":{\#(Self.synchronized)},"#
        + #""version":{}}"#, in: .catalog)
    #expect(staged.reasons == ["2 | catalogue | unknown_value"])
    #expect(staged.rejections.first?["detail"]?.hasPrefix("\(name) is not an array") == true)
    #expect(staged.rejections.first?["raw"] == raw)
    #expect(staged.catalogueSaid == ["a for_sale true", "a known_to_store"])
  }

  @Test("products that are not an array are rejected, and a group that is no object is too")
  func noObject() throws {
    let staged = try stage(
      #"{"products":"a","subscriptionGroups":[5,{"subscriptions":[{"productID":"s"}]}],"#
        + #""settings":{\#(Self.synchronized)}}"#, in: .catalog)
    #expect(staged.reasons == ["1 | catalogue | unknown_value", "2 | catalogue | missing_field"])
    #expect(staged.catalogueSaid == ["s for_sale true", "s known_to_store"])
  }

  @Test("a section that is null is missing")
  func nullSections() throws {
    let staged = try stage(
      #"{"products":null,"nonRenewingSubscriptions":null,"#
        + #""subscriptionGroups":[{"subscriptions":null},{}],"settings":{\#(Self.synchronized)}}"#,
      in: .catalog)
    #expect(staged.rejections.isEmpty)
    #expect(staged.catalogueSaid == ["- store_list_covers auto_renewable"])
  }

  @Test(
    "a file covers the kinds whose sections it has",
    arguments: [
      (#""products":[]"#, ["consumable", "non_consumable"]),
      (#""nonRenewingSubscriptions":[]"#, ["non_renewing"]),
      (#""subscriptionGroups":[]"#, ["auto_renewable"]),
      (
        #""products":[],"subscriptionGroups":[]"#,
        ["consumable", "non_consumable", "auto_renewable"]
      ),
    ])
  func sections(sections: String, kinds: [String]) throws {
    let staged = try stage(
      #"{\#(sections),"settings":{\#(Self.synchronized)},"version":{"major":4}}"#, in: .catalog)
    #expect(staged.catalogueSaid == kinds.map { "- store_list_covers \($0)" })
    #expect(staged.counts.catalogueEntries.read == 0)
  }

  @Test(
    "an unsynchronized file gives the products of the app, without prices, and covers no kind",
    arguments: [
      "{}", "null", "[]", #"{"_storefront" : "USA"}"#,
      // Files that are written by hand copy the settings without a date.
      #"{"_applicationInternalID" : "1", "_lastSynchronizedDate" : 0, "_storefront" : "USA"}"#,
      #"{"_lastSynchronizedDate" : "2026-07-06T15:17:00.000Z", "_storefront" : "USA"}"#,
      #"{"_lastSynchronizedDate" : null, "_storefront" : "USA"}"#,
    ])
  func written(settings: String) throws {
    let staged = try stage(Self.file(settings: settings), in: .catalog)
    #expect(staged.rejections.isEmpty)
    #expect(
      staged.catalogueSaid == [
        "coins type consumable", "coins offered_by_app", "book type non_consumable",
        "book offered_by_app", "pass type non_renewing", "pass offered_by_app",
        "monthly type auto_renewable", "monthly offered_by_app", "yearly type auto_renewable",
        "yearly offered_by_app",
      ])
  }

  @Test("a file with nothing but products needs no version")
  func onlyProducts() throws {
    let products = #""products":[{"productID":"s1","type":"NonConsumable"}]"#
    let written = try stage(#"{\#(products),"settings":{}}"#, in: .catalog)
    #expect(written.catalogueSaid == ["s1 type non_consumable", "s1 offered_by_app"])
    let synchronized = try stage(
      #"{\#(products),"settings":{\#(Self.synchronized)},"version":null}"#, in: .catalog)
    #expect(
      synchronized.catalogueSaid == [
        "s1 type non_consumable", "s1 for_sale true", "s1 known_to_store",
        "- store_list_covers consumable", "- store_list_covers non_consumable",
      ])
    #expect(written.rejections.isEmpty && synchronized.rejections.isEmpty)
    let other = try stage(#"{"version":2,\#(products)}"#, in: .catalog)
    #expect(other.reasons == ["1 | catalogue | missing_field"])
  }

  @Test("a file in another folder is misplaced", arguments: [Folder.receipts, .deliveries])
  func misplaced(folder: Folder) throws {
    #expect(try stage(Self.file(), in: folder).reasons == ["- | file | wrong_folder"])
  }
}
