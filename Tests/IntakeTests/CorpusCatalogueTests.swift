import Foundation
import Intake
import TestNeeds
import Testing

/// The expected result of each genuine catalogue, checked by hand.
@Suite("Genuine catalogues", .needsCorpus)
struct CorpusCatalogueTests {
  /// The result of one file: the numbers of its rows, and the kinds of which it names every
  /// product.
  struct Verdict {
    let file: String
    var entries = 0
    var types: [String: Int] = [:]
    var prices = 0
    /// The currency and the storefront of every price.
    var priced: String?
    var covers: [String] = []
    /// The fact that each identifier gets: `offered_by_app` or `known_to_store`.
    var member: String?
    /// The reason why the file as a whole is rejected.
    var reason: String?
  }

  private static let allKinds = ["consumable", "non_consumable", "auto_renewable", "non_renewing"]

  /// Three of the four files were written by hand: their settings do not mention App Store Connect.
  private static func storeKit(
    _ file: String, _ types: [String: Int], synchronized priced: String? = nil
  ) -> Verdict {
    let entries = types.values.reduce(0, +)
    return Verdict(
      file: "storekit/RevenueCat_purchases-ios__\(file).storekit", entries: entries, types: types,
      prices: priced == nil ? 0 : entries, priced: priced, covers: priced == nil ? [] : allKinds,
      member: priced == nil ? "offered_by_app" : "known_to_store")
  }

  static let verdicts: [Verdict] =
    [
      Verdict(
        file: "catalogue_plist/SimonFairbairn_VTAInAppPurchases__productListExample.plist",
        entries: 2, member: "offered_by_app"),
      storeKit("Products", ["non_consumable": 2, "auto_renewable": 3]),
      storeKit(
        "PurchaseTesterStoreKitConfiguration",
        ["consumable": 1, "non_consumable": 1, "non_renewing": 1, "auto_renewable": 13],
        synchronized: "USD USA"),
      storeKit(
        "RevenueCat_IntegrationPurchaseTesterConfiguration",
        ["consumable": 1, "non_consumable": 1, "non_renewing": 1, "auto_renewable": 10]),
      storeKit(
        "StoreKitConfiguration",
        ["consumable": 1, "non_consumable": 1, "auto_renewable": 4]),
      // This is an answer of the App Store Server API about customers; it belongs in `receipts`.
      Verdict(file: "asc_api/aporat__subscriptionStatusResponse.json", reason: "wrong_folder"),
    ]
    // These are packages without an in-app block, which give no error and no facts.
    + ["464686641", "794902327", "example1", "exampleEmpty"].map {
      Verdict(file: "metadata_xml/fastlane_fastlane__\($0)_metadata.xml")
    }
    // The pages of App Store Connect use a private interface, which is made for forms.
    + [
      "app_iaps", "iap_consumable_template", "iap_create", "iap_create_recurring", "iap_detail",
      "iap_detail_recurring", "iap_families", "iap_family_detail", "iap_list",
      "iap_price_goal_calc", "iap_pricing_recurring",
    ].map {
      Verdict(
        file: "catalogue_json/fastlane_spaceship__itc_\($0).json", reason: "unknown_format")
    }

  @Test("every file gives its entries or the reason for its rejection", arguments: verdicts)
  func verdict(_ verdict: Verdict) throws {
    let staged = try stage(path: Corpus.path(verdict.file), in: .catalog)
    #expect(staged.reasons == (verdict.reason.map { ["- | file | \($0)"] } ?? []))
    #expect(staged.counts.catalogueEntries.read == Int64(verdict.entries))
    let rows = Dictionary(grouping: staged.catalogue) { $0["member"] ?? "" }
    #expect(
      rows["type", default: []].reduce(into: [:]) { $0[$1["value"] ?? "", default: 0] += 1 }
        == verdict.types)
    let prices = rows["price", default: []]
    #expect(prices.count == verdict.prices)
    #expect(
      Set(Staged.drawn(prices, "currency storefront").map { $0.replacing(" |", with: "") })
        == Set([verdict.priced].compactMap { $0 }))
    #expect(rows["store_list_covers", default: []].compactMap { $0["value"] } == verdict.covers)
    for member in ["offered_by_app", "known_to_store"] {
      #expect(
        rows[member, default: []].count == (member == verdict.member ? verdict.entries : 0))
    }
  }

  @Test("every file has a verdict")
  func complete() throws {
    let folders = ["asc_api", "catalogue_json", "catalogue_plist", "metadata_xml", "storekit"]
    let root = try Corpus.path("")
    let files = try folders.flatMap { try Corpus.files($0) }.map { $0.dropFirst(root.count) }
    #expect(files.map(String.init).sorted() == Self.verdicts.map(\.file).sorted())
  }
}
