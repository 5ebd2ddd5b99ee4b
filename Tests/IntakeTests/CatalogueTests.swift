import Intake
import Testing

@Suite("Catalogues")
struct CatalogueTests {
  static let columns = "line product_id member currency storefront price_from value"

  @Test("a catalogue whose prices would fill the memory is refused")
  func manyPrices() throws {
    let name = String(repeating: "\u{10000}", count: 255)
    let prices = Array(repeating: #"{"currency":"USD","price":"1"}"#, count: 130_000)
    let staged = try stage(
      #"{"version":2,"products":[{"product_id":"\#(name)","prices":[\#(prices.joined(separator: ","))]}]}"#,
      in: .catalog)
    #expect(staged.reasons == ["- | file | too_large"])
    #expect(staged.catalogue.isEmpty)
  }

  @Test("a plain JSON list lists its identifiers; a bad entry is rejected alone")
  func plainList() throws {
    let staged = try stage(#"["a", 5, "b c", "", "x\u0001"]"#, in: .catalog)
    #expect(
      Staged.drawn(staged.catalogue, Self.columns) == [
        "1 | a | listed |  |  | -infinity | ", "1 | a | offered_by_app |  |  | -infinity | ",
        "3 | b c | listed |  |  | -infinity | ", "3 | b c | offered_by_app |  |  | -infinity | ",
      ])
    #expect(
      staged.reasons == [
        "2 | catalogue | bad_identifier", "4 | catalogue | missing_field",
        "5 | catalogue | bad_identifier",
      ])
  }

  @Test("a plain list may say that it is version 1")
  func versionOne() throws {
    let staged = try stage(#"{"version": 1, "products": ["a", {"id": "b"}]}"#, in: .catalog)
    #expect(staged.catalogueSaid == ["a offered_by_app", "b offered_by_app"])
    #expect(staged.rejections.isEmpty)
  }

  @Test("an object whose products are texts or have ids is a plain list too")
  func products() throws {
    let staged = try stage(
      #"{"products": [{"id": "a", "title": "A"}, "b", {"id": 7}, {"id": null}, {"id": ""}, 8]}"#,
      in: .catalog)
    #expect(
      staged.catalogueSaid == ["a offered_by_app", "b offered_by_app", "7 offered_by_app"])
    #expect(
      staged.reasons == [
        "4 | catalogue | bad_identifier", "5 | catalogue | missing_field",
        "6 | catalogue | bad_identifier",
      ])
  }

  @Test("version 2 adds a row for each fact")
  func versionTwo() throws {
    let staged = try stage(
      #"""
      {"version": 2, "products": [
        {"product_id": "a"},
        {"product_id": "b", "type": "consumable", "delivery": "on_demand",
         "delivery_per": "period", "grace_hours": 24, "valid_from": "2026-01-02",
         "valid_to": "2026-11-19T04:04:05+01:00", "unknown": 1, "prices": [
           {"currency": "USD", "storefront": "USA", "price": "0.990", "valid_from": "2026-02-01"},
           {"currency": "EUR", "price": 1.5}]}]}
      """#, in: .catalog)
    #expect(
      Staged.drawn(staged.catalogue, Self.columns) == [
        "1 | a | listed |  |  | -infinity | ", "2 | b | listed |  |  | -infinity | ",
        "2 | b | type |  |  | -infinity | consumable",
        "2 | b | delivery |  |  | -infinity | on_demand",
        "2 | b | delivery_per |  |  | -infinity | period",
        "2 | b | grace_hours |  |  | -infinity | 24",
        "2 | b | valid_from |  |  | -infinity | 2026-01-02T00:00:00Z",
        "2 | b | valid_to |  |  | -infinity | 2026-11-19T03:04:05Z",
        "2 | b | price | USD | USA | 2026-02-01T00:00:00Z | 0.990",
        "2 | b | price | EUR |  | -infinity | 1.5",
      ])
  }

  @Test(
    "an entry of version 2 that cannot be used is rejected alone, with all its facts",
    arguments: [
      (#"{"type":"consumable"}"#, "missing_field"), (#""b""#, "missing_field"),
      (#"{"product_id":"b","type":"gift"}"#, "unknown_value"),
      (#"{"product_id":"b","delivery":1}"#, "unknown_value"),
      (#"{"product_id":"b","delivery_per":"day"}"#, "unknown_value"),
      (#"{"product_id":"b","grace_hours":-1}"#, "bad_number"),
      (#"{"product_id":"b","grace_hours":1.5}"#, "bad_number"),
      (#"{"product_id":"b","grace_hours":87601}"#, "bad_number"),
      (#"{"product_id":"b","valid_from":"soon"}"#, "bad_date"),
      (#"{"product_id":"b","valid_to":20260101}"#, "bad_date"),
      (#"{"productID":"b"}"#, "missing_field"),
      (#"{"product_id":"b","Type":"consumable"}"#, "missing_field"),
      (#"{"product_id":"b","Prices":[]}"#, "missing_field"),
      (
        #"{"product_id":"b","prices":[{"currency":"USD","price":"1","validFrom":"2026-01-01"}]}"#,
        "missing_field"
      ),
      (#"{"product_id":"b","prices":{}}"#, "bad_amount"),
      (#"{"product_id":"b","prices":[7]}"#, "bad_amount"),
      (#"{"product_id":"b","prices":[{"currency":"USD"}]}"#, "missing_field"),
      (#"{"product_id":"b","prices":[{"price":"1"}]}"#, "missing_field"),
      (#"{"product_id":"b","prices":[{"currency":"usd","price":"1"}]}"#, "bad_amount"),
      (#"{"product_id":"b","prices":[{"currency":"USD","price":"1,5"}]}"#, "bad_amount"),
      (
        #"{"product_id":"b","prices":[{"currency":"USD","price":"1","valid_from":"x"}]}"#,
        "bad_date"
      ),
    ])
  func rejectedEntry(entry: String, reason: String) throws {
    let staged = try stage(
      #"{"version":2,"products":[{"product_id":"a"},\#(entry)]}"#, in: .catalog)
    #expect(staged.reasons == ["2 | catalogue | \(reason)"])
    #expect(staged.rejections[0]["raw"] == entry)
    #expect(Staged.drawn(staged.catalogue, "product_id member") == ["a | listed"])
  }

  @Test("the rejection of another spelling says how to write the name")
  func otherSpelling() throws {
    let staged = try stage(
      #"{"version":2,"products":[{"product_id":"a","type":"consumable","Type":"x"},"#
        + #"{"product_id":"b","Valid-From":"2026-01-01"}]}"#, in: .catalog)
    #expect(staged.reasons == ["2 | catalogue | missing_field"])
    #expect(
      staged.rejections[0]["detail"]?.hasSuffix("Write valid_from instead of Valid-From.") == true)
    #expect(staged.catalogueSaid == ["a type consumable"])
  }

  @Test(
    "a price for a storefront that cannot exist rejects its entry",
    arguments: [
      #""US""#, #""usa""#, #""USAX""#, #""U A""#, #""US1""#, #""ÜSA""#, "840", "true", "[]", "{}",
    ])
  func storefront(written: String) throws {
    func entry(_ storefront: String) -> String {
      #"{"product_id":"b","prices":[{"currency":"USD","price":"1"},"#
        + #"{"currency":"USD","price":"2","storefront":\#(storefront)}]}"#
    }
    let staged = try stage(
      #"{"version":2,"products":[{"product_id":"a"},\#(entry(written))]}"#, in: .catalog)
    #expect(staged.reasons == ["2 | catalogue | unknown_value"])
    #expect(staged.rejections[0]["detail"]?.contains("ISO 3166-1 alpha-3") == true)
    #expect(Staged.drawn(staged.catalogue, "product_id member") == ["a | listed"])
    for (usable, meant) in [(#""USA""#, "USA"), ("null", ""), (#""""#, "")] {
      let staged = try stage(
        #"{"version":2,"products":[\#(entry(usable))]}"#, in: .catalog)
      let prices = staged.catalogue.filter { $0["member"] == "price" }
      #expect(Staged.drawn(prices, "storefront value") == [" | 1", "\(meant) | 2"])
    }
  }

  @Test(
    "a JSON file that is no catalogue is rejected as a file",
    arguments: [
      (#"{"version":3,"products":[]}"#, "unknown_version"),
      (#"{"products":[{"id":"a"},{"product_id":"b"}]}"#, "unknown_version"),
      (#"{"products":[7]}"#, "unknown_version"), (#"{"data":[]}"#, "unknown_format"),
      (#"["a","#, "truncated"), (#"["a"]]"#, "malformed_json"), ("hello\n", "unknown_format"),
      (#"{"status":0,"receipt":{}}"#, "wrong_folder"),
      (#"[{"status":0,"receipt":{}}]"#, "wrong_folder"),
      (DeliveryTests.header + "\n", "wrong_folder"), ("<html></html>", "unknown_format"),
    ])
  func rejectedFile(text: String, reason: String) throws {
    let staged = try stage(text, in: .catalog)
    #expect(staged.reasons == ["- | file | \(reason)"])
    #expect(staged.catalogue.isEmpty)
  }
}
