import Intake
import Testing

@Suite("Property lists")
struct PropertyListTests {
  static func xml(_ array: String) -> String {
    #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
      + #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "#
      + #""http://www.apple.com/DTDs/PropertyList-1.0.dtd">"# + "\n"
      + "<plist version=\"1.0\">\(array)</plist>"
  }

  private static let entries =
    "<array><string>a&amp;b</string><dict><key>productIdentifier</key><string>c</string>"
    + "<key>hosted</key><true/></dict><integer>5</integer><!-- </array> --><string/>"
    + "<dict><key>hosted</key><string>productIdentifier</string><key>other</key><dict>"
    + "<key>productIdentifier</key><string>no</string></dict></dict>"
    + "<string><![CDATA[d<e]]>\u{e9}</string></array>"

  @Test(
    "XML lists hold strings or dictionaries with productIdentifier, and other entries are rejected"
  )
  func xmlEntries() throws {
    let staged = try stage(Self.xml(Self.entries), in: .catalog)
    #expect(
      Staged.drawn(staged.catalogue, "line product_id member") == [
        "1 | a&b | listed", "1 | a&b | offered_by_app", "2 | c | listed", "2 | c | offered_by_app",
        "6 | d<e\u{e9} | listed", "6 | d<e\u{e9} | offered_by_app",
      ])
    #expect(
      staged.reasons == [
        "3 | catalogue | bad_identifier", "4 | catalogue | missing_field",
        "5 | catalogue | bad_identifier",
      ])
    #expect(staged.rejections.map { $0["raw"] }.prefix(2) == ["<integer>5</integer>", "<string/>"])
  }

  @Test("an XML list may have another encoding that XML parsers know")
  func encoding() throws {
    var text = Array(Self.xml("<array><string>caf?</string></array>").utf8)
    text[try #require(text.lastIndex(of: UInt8(ascii: "?")))] = 0xe9
    let latin = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>".utf8) + text.dropFirst(38)
    #expect(try stage(latin, in: .catalog).catalogueSaid == ["caf\u{e9} offered_by_app"])
    #expect(try stage(text, in: .catalog).reasons == ["- | file | malformed_property_list"])
  }

  private static func binary(_ values: [BinaryPropertyListText.Value]) -> [UInt8] {
    BinaryPropertyListText(.array(values)).bytes
  }

  @Test("a binary list gives the same entries", arguments: [1, 2, 3, 8], [2, 4, 8])
  func binaryEntries(referenceBytes: Int, offsetBytes: Int) throws {
    let list = BinaryPropertyListText(
      .array([
        .string("a"), .string("caf\u{e9} \u{1f4da}"), .integer(5), .string(""),
        .dictionary([
          ("hosted", .integer(1)), ("productIdentifier", .string("c")), ("\u{e9}", .string("no")),
        ]),
        .dictionary([("product", .string("no"))]), .array([.string("no")]),
        .string(String(repeating: "x", count: 255)), .string(String(repeating: "x", count: 256)),
      ]), referenceBytes: referenceBytes, offsetBytes: offsetBytes)
    let staged = try stage(list.bytes, in: .catalog)
    #expect(
      staged.catalogueSaid == [
        "a offered_by_app", "caf\u{e9} \u{1f4da} offered_by_app", "c offered_by_app",
        String(repeating: "x", count: 255) + " offered_by_app",
      ])
    #expect(
      staged.reasons
        == [3, 4, 6, 7, 9].map {
          "\($0) | catalogue | \($0 == 4 ? "missing_field" : "bad_identifier")"
        })
    #expect(staged.rejections.last?["raw"] == String(repeating: "x", count: 256))
  }

  @Test("a binary list is read whatever its last byte is")
  func lastByte() throws {
    // The last byte belongs to the place of the table, which depends on the length of the text.
    var lastBytes: Set<UInt8?> = []
    for length in 1...255 {
      let name = String(repeating: "x", count: length)
      let bytes = Self.binary([.string(name)])
      lastBytes.insert(bytes.last)
      #expect(
        try stage(bytes, in: .catalog).catalogueSaid == ["\(name) offered_by_app"], "\(length)")
    }
    #expect(lastBytes.isSuperset(of: [0x09, 0x0a, 0x0d, 0x20]))
  }

  @Test("an entry with half a character in a binary list is rejected")
  func halfCharacter() throws {
    var bytes = Self.binary([.string("\u{1f4da}\u{e9}"), .string("b")])
    let place = try #require(bytes.indices.first { Array(bytes[$0...].prefix(2)) == [0xd8, 0x3d] })
    bytes[place + 2] = 0
    bytes[place + 3] = 0x61
    let staged = try stage(bytes, in: .catalog)
    #expect(staged.reasons == ["1 | catalogue | bad_identifier"])
    #expect(staged.catalogueSaid == ["b offered_by_app"])
  }

  /// A binary property list of arrays, each with the numbers of its objects; the first is the
  /// outermost.
  private static func binary(arrays: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for array in arrays {
      offsets += BinaryPropertyListText.number(bytes.count, 2)
      bytes += [0xa0 | UInt8(array.count)] + array
    }
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 1]
      + BinaryPropertyListText.number(arrays.count, 8) + [UInt8](repeating: 0, count: 8)
      + BinaryPropertyListText.number(bytes.count, 8)
  }

  @Test("binary lists that contain themselves, or one object a billion times, do no harm")
  func knotted() throws {
    let knot = try stage(Self.binary(arrays: [[0, 0]]), in: .catalog)
    #expect(knot.catalogue.isEmpty && knot.rejections.count == 2)
    var doubling: [[UInt8]] = (1...60).map { [$0, $0] }
    doubling.append([])
    let tree = try stage(Self.binary(arrays: doubling), in: .catalog)
    #expect(tree.reasons == ["1 | catalogue | bad_identifier", "2 | catalogue | bad_identifier"])
  }

  @Test("a binary list with overlapping dictionaries is refused")
  func overlapping() throws {
    // The list has a thousand dictionaries of a thousand keys each, and their bytes overlap.
    let header: [UInt8] = [0xdf, 0x11, 0x03, 0xe8]
    var bytes = Array("bplist00".utf8) + [0xaf, 0x11, 0x03, 0xe8]
    for object in 1...1000 { bytes += BinaryPropertyListText.number(object, 2) }
    let first = bytes.count
    for _ in 0..<1000 { bytes += header }
    bytes += [UInt8](repeating: 0, count: 4000)
    let table = bytes.count
    bytes += BinaryPropertyListText.number(8, 4)
    for object in 0..<1000 { bytes += BinaryPropertyListText.number(first + 4 * object, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 2] + BinaryPropertyListText.number(1001, 8)
    bytes += BinaryPropertyListText.number(0, 8) + BinaryPropertyListText.number(table, 8)
    #expect(try stage(bytes, in: .catalog).reasons == ["- | file | malformed_property_list"])
  }

  @Test("a list with more entries than an app can have is refused")
  func tooMany() throws {
    let many = String(repeating: "<string>a</string>", count: 100_001)
    #expect(
      try stage(Self.xml("<array>\(many)</array>"), in: .catalog).reasons
        == ["- | file | too_large"])
    var bytes = Array("bplist00".utf8) + [0xaf, 0x12] + BinaryPropertyListText.number(100_001, 4)
    bytes += [UInt8](repeating: 1, count: 100_001) + [0x51, 0x61]
    let table = bytes.count
    bytes += BinaryPropertyListText.number(8, 4) + BinaryPropertyListText.number(table - 2, 4)
    bytes += [0, 0, 0, 0, 0, 0, 4, 1] + BinaryPropertyListText.number(2, 8)
    bytes += BinaryPropertyListText.number(0, 8) + BinaryPropertyListText.number(table, 8)
    #expect(try stage(bytes, in: .catalog).reasons == ["- | file | too_large"])
  }

  @Test(
    "a list that cannot be used is rejected as a file",
    arguments: [
      xml("<array><string>"), xml(""), xml("<array/><array/>"),
      "<plist><array><string>&nobody;</string></array></plist>",
    ])
  func rejected(text: String) throws {
    #expect(try stage(text, in: .catalog).reasons == ["- | file | malformed_property_list"])
    #expect(
      try stage(Self.binary([]) + [0], in: .catalog).reasons
        == ["- | file | malformed_property_list"])
  }
}
