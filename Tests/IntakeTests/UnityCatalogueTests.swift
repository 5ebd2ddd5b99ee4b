import Intake
import Testing

@Suite("Unity's product catalogues")
struct UnityCatalogueTests {
  /// A catalogue as Unity's editor writes it.
  static func file(_ products: String...) -> String {
    #"{"appleSKU":"","appleTeamID":"","enableCodelessAutoInitialization":true,"products":["#
      + products.joined(separator: ",") + "]}"
  }

  static func product(_ id: String, type: String = "0", stores: [(String, String)] = []) -> String {
    let ids = stores.map { #"{"store":"\#($0)","id":"\#($1)"}"# }.joined(separator: ",")
    return
      #"{"id":"\#(id)","type":\#(type),"storeIDs":[\#(ids)],"defaultDescription":{"title":"T"},"#
      + #""applePriceTier":3,"googlePrice":{"data":[0],"num":1.99},"payouts":[]}"#
  }

  @Test("a catalogue gives the app's products with types, by their identifiers in Apple's stores")
  func everything() throws {
    let staged = try stage(
      Self.file(
        Self.product("coins"), Self.product("book", type: "1", stores: [("GooglePlay", "book.g")]),
        Self.product("gem", stores: [("GooglePlay", "gem.g"), ("AppleAppStore", "gem.a")]),
        Self.product("monthly", type: "2", stores: [("MacAppStore", "monthly.mac")]),
        Self.product("pack", stores: [("AppleAppStore", "pack.a"), ("MacAppStore", "pack.a")]),
        Self.product("", stores: [("AppleAppStore", "only.a")]),
        Self.product("kept", stores: [("AppleAppStore", " ")])), in: .catalog)
    #expect(staged.rejections.isEmpty)
    #expect(
      staged.catalogueSaid == [
        "coins type consumable", "coins offered_by_app", "book type non_consumable",
        "book offered_by_app", "gem.a type consumable", "gem.a offered_by_app",
        "monthly offered_by_app", "monthly.mac offered_by_app", "pack.a type consumable",
        "pack.a offered_by_app", "only.a type consumable", "only.a offered_by_app",
        "kept type consumable", "kept offered_by_app",
      ])
    #expect(staged.counts.catalogueEntries.read == 8)
  }

  @Test("a blank entry is ignored", arguments: ["", " ", "\\t"])
  func blank(id: String) throws {
    let staged = try stage(Self.file(Self.product(id), Self.product("coins")), in: .catalog)
    #expect(staged.rejections.isEmpty)
    #expect(staged.catalogueSaid == ["coins type consumable", "coins offered_by_app"])
    #expect(staged.counts.catalogueEntries.read == 1)
    let empty = try stage(Self.file(Self.product(id)), in: .catalog)
    #expect(empty.rejections.isEmpty && empty.catalogue.isEmpty)
  }

  @Test(
    "an entry that cannot be used is rejected alone",
    arguments: [
      (product("a", type: "3"), "unknown_value"), (product("a", type: #""Gift""#), "unknown_value"),
      (#"{"type":0,"storeIDs":[]}"#, "missing_field"), ("7", "missing_field"),
      (#"{"id":"a","storeIDs":{"store":"AppleAppStore","id":"b"}}"#, "unknown_value"),
    ])
  func rejected(product: String, reason: String) throws {
    let staged = try stage(Self.file(product, Self.product("coins")), in: .catalog)
    #expect(staged.catalogueSaid == ["coins type consumable", "coins offered_by_app"])
    #expect(staged.reasons == ["1 | catalogue | \(reason)"])
  }

  @Test("types can be words", arguments: [("Consumable", "consumable"), ("Subscription", nil)])
  func words(word: String, type: String?) throws {
    let staged = try stage(Self.file(Self.product("a", type: #""\#(word)""#)), in: .catalog)
    #expect(
      staged.catalogueSaid == (type.map { ["a type \($0)"] } ?? []) + ["a offered_by_app"])
  }

  @Test("a plain list of ids has no types")
  func plain() throws {
    let staged = try stage(#"{"products":[{"id":"a","type":0}]}"#, in: .catalog)
    #expect(staged.catalogueSaid == ["a offered_by_app"])
  }
}
