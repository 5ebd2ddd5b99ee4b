import Intake
import Testing

@Suite("Catalogues")
struct CatalogueTests {
  static let columns = "line product_id member currency storefront price_from value"

  @Test("a plain JSON list lists its identifiers; a bad entry is rejected alone")
  func plainList() throws {
    let staged = try stage(#"["a", 5, "b c", "", "x\u0001"]"#, in: .catalog)
    #expect(
      Staged.drawn(staged.catalogue, Self.columns) == [
        "1 | a | listed |  |  | -infinity | ", "3 | b c | listed |  |  | -infinity | ",
      ])
    #expect(
      staged.reasons == [
        "2 | catalogue | bad_identifier", "4 | catalogue | bad_identifier",
        "5 | catalogue | bad_identifier",
      ])
  }

  @Test("version 2 adds a row for each thing it says")
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
    "an entry of version 2 that cannot be used is rejected alone, with all that it says",
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

  @Test(
    "a JSON file that is no catalogue is rejected as a file",
    arguments: [
      (#"{"version":3,"products":[]}"#, "unknown_version"),
      (#"{"products":[{"id":"a"}]}"#, "unknown_version"), (#"{"data":[]}"#, "unknown_format"),
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

  private static func propertyList(_ array: String) -> String {
    #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
      + #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "#
      + #""http://www.apple.com/DTDs/PropertyList-1.0.dtd">"# + "\n"
      + "<plist version=\"1.0\">\(array)</plist>"
  }

  @Test("an XML property list holds strings, or dictionaries with productIdentifier")
  func xmlPropertyList() throws {
    let staged = try stage(
      Self.propertyList(
        "<array><string>a&amp;b</string><dict><key>productIdentifier</key><string>c</string>"
          + "<key>hosted</key><true/></dict><integer>5</integer><!-- </array> --></array>"),
      in: .catalog)
    #expect(Staged.drawn(staged.catalogue, "line product_id") == ["1 | a&b", "2 | c"])
    #expect(staged.reasons == ["3 | catalogue | bad_identifier"])
  }

  @Test("a binary property list is read too")
  func binaryPropertyList() throws {
    // bplist00, an array of the strings "a" and "bc", its three offsets, and the trailer.
    let bytes: [UInt8] =
      Array("bplist00".utf8) + [0xa2, 1, 2, 0x51, 0x61, 0x52, 0x62, 0x63, 8, 11, 13]
      + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 16]
    let staged = try stage(bytes, in: .catalog)
    #expect(Staged.drawn(staged.catalogue, "line product_id") == ["1 | a", "2 | bc"])
  }

  /// A binary property list of arrays, by the numbers of what each holds; the first is the outermost.
  private static func binary(arrays: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for array in arrays {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
      bytes += [0xa0 | UInt8(array.count)] + array
    }
    let table = UInt8(bytes.count >> 8), rest = UInt8(bytes.count & 255)
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, UInt8(arrays.count)]
      + [UInt8](repeating: 0, count: 14) + [table, rest]
  }

  @Test("a binary property list that holds itself, or the same a billion times, does no harm")
  func knottedPropertyList() throws {
    let knot = try stage(Self.binary(arrays: [[0, 0]]), in: .catalog)
    #expect(knot.catalogue.isEmpty && !knot.rejections.isEmpty)
    let doubling = (0..<60).map { [UInt8($0 + 1), UInt8($0 + 1)] } + [[]]
    let tree = try stage(Self.binary(arrays: doubling), in: .catalog)
    #expect(tree.reasons == ["1 | catalogue | bad_identifier", "2 | catalogue | bad_identifier"])
  }

  @Test(
    "a property list that cannot be used, or could do harm, is rejected as a file",
    arguments: [
      propertyList("<dict><key>a</key><string>b</string></dict>"), propertyList("<array><string>"),
      propertyList("<array>DEEP</array>"),
      "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"aaaa\">]><plist><array>"
        + "<string>&a;</string></array></plist>",
    ])
  func rejectedPropertyList(text: String) throws {
    // An argument is printed, and nobody wants to read a hundred thousand arrays.
    let deep = [("<array>", 100_000), ("</array>", 100_000)]
    let text = text.replacing(
      "DEEP", with: deep.map { String(repeating: $0, count: $1) }.joined())
    let staged = try stage(text, in: .catalog)
    #expect(staged.reasons == ["- | file | malformed_property_list"])
  }
}
