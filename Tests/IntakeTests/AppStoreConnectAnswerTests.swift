import Intake
import Testing

@Suite("Answers of the App Store Connect API")
struct AppStoreConnectAnswerTests {
  private static let api = "https://api.appstoreconnect.apple.com/v1/"

  private static func purchase(_ id: String, _ type: String, _ state: String) -> String {
    #"{"type":"inAppPurchases","id":"6447","attributes":{"name":"N","productId":"\#(id)","#
      + #""inAppPurchaseType":"\#(type)","state":"\#(state)"}}"#
  }

  private static func subscription(_ id: String, _ state: String) -> String {
    #"{"type":"subscriptions","id":"6448","attributes":{"name":"N","productId":"\#(id)","#
      + #""subscriptionPeriod":"ONE_MONTH","state":"\#(state)"}}"#
  }

  private static func answer(
    _ data: [String], included: [String]? = nil, asked: String = "", next: String? = nil
  ) -> String {
    let links = next.map { #","next":"\#($0)""# } ?? ""
    let more = included.map { #","included":[\#($0.joined(separator: ","))]"# } ?? ""
    return #"{"data":[\#(data.joined(separator: ","))]\#(more),"#
      + #""links":{"self":"\#(api)\#(asked)"\#(links)},"meta":{"paging":{"total":1,"limit":50}}}"#
  }

  static let oneTime = answer(
    [
      purchase("coins", "CONSUMABLE", "APPROVED"),
      purchase("book", "NON_CONSUMABLE", "DEVELOPER_REMOVED_FROM_SALE"),
      purchase("pass", "NON_RENEWING_SUBSCRIPTION", "A_STATE_OF_TOMORROW"),
    ], asked: "apps/1/inAppPurchasesV2")

  private static let coversOneTime = [
    "- store_list_covers consumable", "- store_list_covers non_consumable",
    "- store_list_covers non_renewing",
  ]

  @Test("an answer with one-time products gives types and sale, and covers no auto-renewables")
  func oneTimeProducts() throws {
    let staged = try stage(Self.oneTime, in: .catalog)
    #expect(staged.rejections.isEmpty)
    #expect(
      staged.catalogueSaid == [
        "coins type consumable", "coins for_sale true", "coins known_to_store",
        "book type non_consumable", "book for_sale false", "book known_to_store",
        "pass type non_renewing", "pass for_sale false", "pass known_to_store",
      ] + Self.coversOneTime)
  }

  @Test("an answer with subscriptions covers auto-renewables only")
  func subscriptions() throws {
    let staged = try stage(
      Self.answer(
        [Self.subscription("monthly", "APPROVED"), Self.subscription("yearly", "IN_REVIEW")],
        asked: "subscriptionGroups/9/subscriptions"), in: .catalog)
    #expect(
      staged.catalogueSaid == [
        "monthly type auto_renewable", "monthly for_sale true", "monthly known_to_store",
        "yearly type auto_renewable", "yearly for_sale false", "yearly known_to_store",
        "- store_list_covers auto_renewable",
      ])
  }

  private static func group(_ subscriptions: String?) -> String {
    let list = subscriptions.map { #""subscriptions":{\#($0)}"# } ?? ""
    return #"{"type":"subscriptionGroups","id":"9","attributes":{"referenceName":"G"},"#
      + #""relationships":{\#(list)}}"#
  }

  @Test(
    "subscription groups list the included subscriptions, and are complete if nothing was cut",
    arguments: [
      (#""data":[{"type":"subscriptions","id":"6448"}]"#, true),
      (
        #""data":[{"type":"subscriptions","id":"6448"}],"meta":{"paging":{"total":1,"limit":10}}"#,
        true
      ),
      (
        #""data":[{"type":"subscriptions","id":"6448"}],"meta":{"paging":{"total":2,"limit":1}}"#,
        false
      ),
      (#""data":[{"type":"subscriptions","id":"6448"},{"type":"subscriptions","id":"2"}]"#, false),
      (#""links":{"related":"https://example.com"}"#, false), (nil, false),
    ])
  func groups(list: String?, isWhole: Bool) throws {
    let localization = #"{"type":"subscriptionGroupLocalizations","id":"1","attributes":{}}"#
    let staged = try stage(
      Self.answer(
        [Self.group(list)], included: [localization, Self.subscription("monthly", "APPROVED")],
        asked: "apps/1/subscriptionGroups?include=subscriptions"), in: .catalog)
    #expect(staged.counts.catalogueEntries.read == 1)
    #expect(
      staged.catalogueSaid == [
        "monthly type auto_renewable", "monthly for_sale true", "monthly known_to_store",
      ] + (isWhole ? ["- store_list_covers auto_renewable"] : []))
  }

  @Test(
    "included resources that are not an array, or that are no resources, are rejected",
    arguments: [
      (#"{"x":1}"#, "unknown_value", #"{"x":1}"#), (#""x""#, "unknown_value", #""x""#),
      ("[5]", "missing_field", "5"),
    ])
  func noArray(included: String, reason: String, raw: String) throws {
    let staged = try stage(
      #"{"data":[{"type":"subscriptionGroups","id":"1"}],"included":\#(included)}"#, in: .catalog)
    #expect(staged.reasons == ["1 | catalogue | \(reason)"])
    #expect(staged.rejections.first?["raw"] == raw)
    #expect(staged.catalogue.isEmpty)
  }

  @Test("a list with more resources than a catalogue may have entries is refused")
  func tooMany() throws {
    let many = [String](repeating: #"{"type":"apps"}"#, count: 100_001)
    let groups = [#"{"type":"subscriptionGroups","id":"1"}"#]
    #expect(
      try stage(Self.answer(groups, included: many), in: .catalog).reasons
        == ["- | file | too_large"])
    let products = many.map { $0.replacing("apps", with: "subscriptions") }
    #expect(try stage(Self.answer(products), in: .catalog).reasons == ["- | file | too_large"])
    let numbers = Self.answer([String](repeating: "1", count: 100_001))
    #expect(try stage(numbers, in: .catalog).reasons == ["- | file | unknown_format"])
  }

  @Test("included resources may be missing or null", arguments: ["", #","included":null"#])
  func noneIncluded(member: String) throws {
    let staged = try stage(
      #"{"data":[{"type":"subscriptionGroups","id":"1"}]\#(member)}"#, in: .catalog)
    #expect(staged.rejections.isEmpty && staged.catalogue.isEmpty)
  }

  @Test(
    "a partial answer gives facts about the products that it names, and about no others",
    arguments: [
      answer(
        [purchase("a", "CONSUMABLE", "APPROVED")], next: api + "apps/1/inAppPurchasesV2?cursor=Ag"),
      answer(
        [purchase("a", "CONSUMABLE", "APPROVED")],
        asked: "apps/1/inAppPurchasesV2?filter%5Bstate%5D=APPROVED"),
      answer(
        [purchase("a", "CONSUMABLE", "APPROVED")],
        asked: "apps/1/inAppPurchasesV2?filter[inAppPurchaseType]=CONSUMABLE"),
      #"{"data":\#(purchase("a", "CONSUMABLE", "APPROVED")),"links":{"self":"\#(api)"}}"#,
    ])
  func parts(text: String) throws {
    let staged = try stage(text, in: .catalog)
    #expect(staged.catalogueSaid == ["a type consumable", "a for_sale true", "a known_to_store"])
  }

  @Test(
    "an answer without products covers the kinds that its address shows",
    arguments: [
      ("apps/1/inAppPurchasesV2?limit=200", coversOneTime),
      ("subscriptionGroups/9/subscriptions", ["- store_list_covers auto_renewable"]),
      ("apps/1/subscriptionGroups", ["- store_list_covers auto_renewable"]),
    ])
  func empty(asked: String, covers: [String]) throws {
    let staged = try stage(Self.answer([], asked: asked), in: .catalog)
    #expect(staged.catalogueSaid == covers)
    #expect(staged.reasons.isEmpty)
  }

  @Test(
    "the older words for types are known too, and a subscription without a price has no type",
    arguments: [
      ("AUTOMATICALLY_RENEWABLE_SUBSCRIPTION", "auto_renewable"), ("FREE_SUBSCRIPTION", nil),
      ("auto-renewable-subscription", "auto_renewable"),
      ("Non-Renewing Subscription", "non_renewing"),
    ])
  func words(word: String, type: String?) throws {
    let staged = try stage(Self.answer([Self.purchase("a", word, "APPROVED")]), in: .catalog)
    #expect(staged.rejections.isEmpty)
    #expect(
      staged.catalogueSaid == (type.map { ["a type \($0)"] } ?? [])
        + ["a for_sale true", "a known_to_store"] + Self.coversOneTime)
  }

  @Test(
    "an entry that cannot be used is rejected alone, and the list is then incomplete",
    arguments: [
      (purchase("b", "GIFT", "APPROVED"), "unknown_value"),
      (#"{"type":"inAppPurchases","id":"1"}"#, "missing_field"),
      (#"{"type":"inAppPurchases","id":"1","attributes":{"productId":null}}"#, "missing_field"),
      (
        #"{"type":"inAppPurchases","id":"1","attributes":{"productId":"b\u0007"}}"#,
        "bad_identifier"
      ),
    ])
  func rejectedEntry(entry: String, reason: String) throws {
    let staged = try stage(
      Self.answer([Self.purchase("a", "CONSUMABLE", "APPROVED"), entry]), in: .catalog)
    #expect(staged.reasons == ["2 | catalogue | \(reason)"])
    #expect(staged.catalogueSaid == ["a type consumable", "a for_sale true", "a known_to_store"])
  }

  @Test(
    "an answer about other things, or about several kinds at once, is not a catalogue",
    arguments: [
      answer([], asked: "apps/1/builds"),
      #"{"data":[{"type":"builds","id":"1","attributes":{"productId":"a"}}]}"#,
      answer([purchase("a", "CONSUMABLE", "APPROVED"), subscription("b", "APPROVED")]),
      #"{"data":7}"#, #"{"data":[{"vendorId":"a","addOnType":"ITC.addons.type.consumable"}]}"#,
    ])
  func others(text: String) throws {
    #expect(try stage(text, in: .catalog).reasons == ["- | file | unknown_format"])
  }

  @Test("an answer in another folder is misplaced", arguments: [Folder.receipts, .deliveries])
  func misplaced(folder: Folder) throws {
    #expect(try stage(Self.oneTime, in: folder).reasons == ["- | file | wrong_folder"])
  }
}
