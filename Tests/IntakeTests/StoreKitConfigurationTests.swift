import Intake
import Testing

@Suite("Xcode's StoreKit configurations")
struct StoreKitConfigurationTests {
  static func file(settings: String = #"{"_storefront" : "USA"}"#) -> String {
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

  @Test("list products of all kinds with types, and prices in the currency of their storefront")
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
    "whose currency is not known have no prices",
    arguments: [
      "{}", "null", #"{"_locale" : "en_US"}"#, #"{"_storefront" : "ATA"}"#,
      #"{"_storefront" : "BGR"}"#, #"{"_storefront" : "usa"}"#, #"{"_storefront" : 840}"#,
    ])
  func noCurrency(settings: String) throws {
    let staged = try stage(Self.file(settings: settings), in: .catalog)
    #expect(staged.rejections.isEmpty)
    #expect(staged.catalogueSaid.filter { $0.contains(" price ") }.isEmpty)
    #expect(staged.catalogueSaid.filter { $0.contains(" type ") }.count == 5)
  }

  @Test(
    "say a price in the storefront's own currency",
    arguments: [
      ("ESP", "EUR"), ("JPN", "JPY"), ("GBR", "GBP"),
    ])
  func currency(storefront: String, currency: String) throws {
    let staged = try stage(
      Self.file(settings: #"{"_storefront" : "\#(storefront)"}"#), in: .catalog)
    #expect(staged.catalogueSaid.contains("coins price \(currency) \(storefront) 1.99"))
  }

  @Test(
    "an entry that cannot be used is rejected alone, and the list is then not whole",
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
        + #""settings":{"_storefront":"USA"},"version":{"major":2,"minor":0}}"#, in: .catalog)
    #expect(staged.reasons == ["2 | catalogue | \(reason)"])
    #expect(staged.rejections[0]["raw"] == entry)
    #expect(staged.catalogueSaid == ["a for_sale true", "a known_to_store"])
  }

  @Test(
    "speak of the kinds whose sections they have",
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
    let staged = try stage(#"{\#(sections),"version":{"major":4,"minor":0}}"#, in: .catalog)
    #expect(staged.catalogueSaid == kinds.map { "- store_list_covers \($0)" })
    #expect(staged.counts.catalogueEntries.read == 0)
  }

  @Test("in another folder are told where they belong", arguments: [Folder.receipts, .deliveries])
  func misplaced(folder: Folder) throws {
    #expect(try stage(Self.file(), in: folder).reasons == ["- | file | wrong_folder"])
  }
}
