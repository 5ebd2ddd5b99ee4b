import Intake
import Testing

@Suite("Packages of the App Store")
struct ImporterPackageTests {
  static func package(_ inside: String, comment: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <package xmlns="http://apple.com/itunes/importer" version="software5.11">\(comment)
      <provider>Example</provider>
      <software>
        <vendor_id>1</vendor_id>
        <software_metadata>\(inside)</software_metadata>
      </software>
    </package>

    """
  }

  static func purchase(_ id: String, type: String = "consumable", _ products: String = "") -> String
  {
    "<in_app_purchase><product_id>\(id)</product_id><reference_name>R</reference_name>"
      + "<type>\(type)</type><products>\(products)</products><locales><locale name=\"en-US\">"
      + "<title>T</title><description><![CDATA[<type>no</type>]]></description></locale></locales>"
      + "</in_app_purchase>"
  }

  private static func block(_ purchases: String...) -> String {
    package("<in_app_purchases>\(purchases.joined(separator: "\n"))</in_app_purchases>")
  }

  private static func territory(_ cleared: String, _ intervals: (String?, String?)...) -> String {
    let dates = intervals.map { start, end in
      "<interval>" + (start.map { "<start_date>\($0)</start_date>" } ?? "")
        + (end.map { "<end_date> \($0) </end_date>" } ?? "")
        + "<wholesale_price_tier>1</wholesale_price_tier></interval>"
    }
    return "<product><territory>WW</territory><cleared_for_sale>\(cleared)</cleared_for_sale>"
      + "<intervals>\(dates.joined())</intervals></product>"
  }

  /// The comment that the App Store writes at the top of a package.
  private static let comment =
    "<!-- This document was generated on Oct 6, 2026 1:04:27 PM for a@example.com -->"

  private static let covers = StoreKitConfigurationTests.covers

  @Test("a package gives types, sales and times of sale of products of all kinds")
  func everything() throws {
    let staged = try stage(
      Self.block(
        Self.purchase("coins&amp;more", Self.territory("true", ("2026-01-02", "2026-12-01"))),
        Self.purchase("book", type: "non-consumable", Self.territory("false", (nil, nil))),
        "<family><reference_name>F</reference_name>"
          + Self.purchase("monthly", type: "auto-renewable") + "</family>",
        Self.purchase(" pass ", type: "subscription")), in: .catalog)
    #expect(staged.rejections.isEmpty)
    #expect(staged.counts.catalogueEntries.read == 4)
    #expect(
      staged.catalogueSaid == [
        "coins&more type consumable", "coins&more for_sale true",
        "coins&more valid_from 2026-01-02T00:00:00Z", "coins&more valid_to 2026-12-01T00:00:00Z",
        "coins&more known_to_store",
        "book type non_consumable", "book for_sale false", "book known_to_store",
        "monthly type auto_renewable", "monthly known_to_store",
        "pass type non_renewing", "pass known_to_store",
      ] + Self.covers)
  }

  @Test(
    "the earliest start and the latest end count in any order, and an open side has no date",
    arguments: [
      ([("2026-03-01", "2026-04-01"), ("2026-01-01", "2026-02-01")], "2026-01-01", "2026-04-01"),
      ([("2026-03-01", nil), ("2026-01-01", "2026-02-01")], "2026-01-01", nil),
      ([(nil, "2026-03-01"), ("2026-01-01", "2026-02-01")], nil, "2026-03-01"),
      ([(nil, nil), ("2026-01-01", "2026-02-01")], nil, nil),
    ])
  func intervals(dates: [(String?, String?)], from: String?, to: String?) throws {
    let expected =
      ["a type consumable", "a for_sale true"]
      + (from.map { ["a valid_from \($0)T00:00:00Z"] } ?? [])
      + (to.map { ["a valid_to \($0)T00:00:00Z"] } ?? [])
      + ["a known_to_store", "- store_list_covers consumable"]
    for dates in [dates, dates.reversed()] {
      let together = Self.territory("true", dates[0], dates[1])
      let apart = Self.territory("true", dates[0]) + Self.territory("false", dates[1])
      for products in [together, apart] {
        #expect(
          try stage(Self.block(Self.purchase("a", products)), in: .catalog).catalogueSaid
            == expected)
      }
    }
  }

  @Test("a product has no dates if one of its territories has no interval")
  func noInterval() throws {
    let products =
      Self.territory("true", ("2026-01-01", "2026-02-01"))
      + "<product><cleared_for_sale>true</cleared_for_sale></product>"
    let staged = try stage(Self.block(Self.purchase("a", products)), in: .catalog)
    #expect(!staged.catalogueSaid.isEmpty)
    #expect(staged.catalogueSaid.filter { $0.contains("valid") }.isEmpty)
  }

  @Test("in a package of the App Store, a start counts only after the day of writing")
  func generated() throws {
    for (start, isBegun) in [
      ("2026-10-05", true), ("2026-10-06", true), ("2026-10-07", false),
    ] {
      let purchase = Self.purchase("a", Self.territory("true", (start, nil)))
      for text in [
        Self.package(purchase, comment: Self.comment),
        Self.comment + Self.package(purchase).dropFirst(39),
      ] {
        let staged = try stage(text, in: .catalog)
        #expect(staged.rejections.isEmpty)
        #expect(staged.catalogueSaid.contains { $0.contains("valid_from") } != isBegun, "\(start)")
      }
    }
  }

  @Test("a package covers the kinds that it contains, or all kinds if the App Store wrote it")
  func kinds() throws {
    let types = ["consumable", "non-consumable", "auto-renewable", "subscription"]
    for contained in [[], [0], [1, 2], [3, 0], [0, 1, 2, 3]] {
      let block = Self.block(
        contained.map { Self.purchase("product.\($0)", type: types[$0]) }.joined())
      let expected = contained.sorted().map { Self.covers[$0] }
      for text in [block, "<!-- generated by a script -->" + block.dropFirst(39)] {
        let staged = try stage(text, in: .catalog)
        #expect(staged.catalogueSaid.filter { $0.hasPrefix("- ") } == expected)
      }
      let staged = try stage(Self.comment + block.dropFirst(39), in: .catalog)
      #expect(staged.catalogueSaid.filter { $0.hasPrefix("- ") } == Self.covers)
    }
  }

  @Test("without an in-app block nothing is covered; an empty block of the store covers all")
  func noBlock() throws {
    let none = try stage(
      Self.package(
        "<products><product><cleared_for_sale>true</cleared_for_sale></product></products>"),
      in: .catalog)
    #expect(none.catalogue.isEmpty && none.rejections.isEmpty)
    #expect(none.counts == FileCounts())
    let empty = try stage(
      Self.package("<in_app_purchases/>", comment: Self.comment), in: .catalog)
    #expect(empty.catalogueSaid == Self.covers)
    let uploaded = try stage(Self.package("<in_app_purchases/>"), in: .catalog)
    #expect(uploaded.catalogueSaid.isEmpty && uploaded.rejections.isEmpty)
  }

  @Test(
    "a purchase that cannot be used is rejected alone, and the list is then incomplete",
    arguments: [
      (purchase("b", type: "gift"), "unknown_value"), (purchase(""), "missing_field"),
      (purchase("b&#x85;"), "bad_identifier"), (purchase("b", territory("yes")), "unknown_value"),
      (purchase("b", territory("true", ("soon", nil))), "bad_date"),
      (purchase("b", territory("true", (nil, "2026-02-30"))), "bad_date"),
      ("<in_app_purchase/>", "missing_field"),
    ])
  func rejectedEntry(entry: String, reason: String) throws {
    let staged = try stage(Self.block(Self.purchase("a"), entry), in: .catalog)
    #expect(staged.reasons == ["2 | catalogue | \(reason)"])
    #expect(staged.rejections[0]["raw"] == entry)
    #expect(staged.catalogueSaid == ["a type consumable", "a known_to_store"])
  }

  @Test("elements count by their namespace, whatever the prefix is")
  func namespaces() throws {
    let prefixed =
      "<!-- a comment first --><i:package xmlns:i=\"http://apple.com/itunes/importer\" "
      + "xmlns=\"http://example.com\"><i:in_app_purchase><product_id>no</product_id>"
      + "<i:product_id>yes</i:product_id></i:in_app_purchase></i:package>"
    #expect(try stage(prefixed, in: .catalog).catalogueSaid == ["yes known_to_store"])
    let foreign = Self.package("").replacing("apple.com/itunes", with: "example.com/itunes")
    #expect(try stage(foreign, in: .catalog).reasons == ["- | file | unknown_format"])
  }

  @Test("a package in another folder is misplaced", arguments: [Folder.receipts, .deliveries])
  func misplaced(folder: Folder) throws {
    #expect(try stage(Self.package(""), in: folder).reasons == ["- | file | wrong_folder"])
  }
}
