import Intake
import Testing

@Suite("Harmful XML")
struct HarmfulMarkupTests {
  private static func list(type: String, _ text: String) -> String {
    "<?xml version=\"1.0\"?><!DOCTYPE plist \(type)><plist><array><string>\(text)</string></array>"
      + "</plist>"
  }

  private static func package(type: String, _ text: String) -> String {
    "<?xml version=\"1.0\"?><!DOCTYPE package \(type)>"
      + "<package xmlns=\"http://apple.com/itunes/importer\"><in_app_purchase><product_id>\(text)"
      + "</product_id></in_app_purchase></package>"
  }

  private static let documentTypes = [
    #"[<!ENTITY a "aaaa">]"#,
    #"[<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]"#,
    #"[<!ENTITY a SYSTEM "file:///etc/passwd">]"#,
    #"SYSTEM "http://example.com/a.dtd" [<!ENTITY % p SYSTEM "http://example.com/p"> %p;]"#,
    #"[<!ELEMENT plist ANY>]"#, #"[]"#, "[ <!-- nothing --> ]",
    #"[<!ATTLIST string x CDATA "default">]"#, #"[<?a b?>]"#,
  ]

  @Test("XML with declarations of its own is refused, used or not", arguments: documentTypes)
  func declarations(type: String) throws {
    for text in ["&a;", "a"] {
      let list = try stage(Self.list(type: type, text), in: .catalog)
      #expect(list.reasons == ["- | file | malformed_property_list"])
      #expect(list.rejections[0]["detail"]?.contains("declarations of its own") == true)
      let package = try stage(Self.package(type: type, text), in: .catalog)
      #expect(package.reasons == ["- | file | malformed_xml"])
      #expect(package.catalogue.isEmpty)
    }
  }

  @Test(
    "a document type from elsewhere is not read, and its entities are refused",
    arguments: [
      #"SYSTEM "file:///etc/passwd""#, #"PUBLIC "-//A//B" "http://example.com/a.dtd""#, "",
    ])
  func types(type: String) throws {
    #expect(
      try stage(Self.list(type: type, "a"), in: .catalog).catalogueSaid == ["a offered_by_app"])
    #expect(
      try stage(Self.list(type: type, "&a;"), in: .catalog).reasons
        == ["- | file | malformed_property_list"])
    #expect(
      try stage(Self.package(type: type, "&a;"), in: .catalog).reasons
        == ["- | file | malformed_xml"])
  }

  @Test("XML with an element whose name or namespace is very long is refused")
  func longNames() throws {
    let name = String(repeating: "a", count: 2000)
    for (text, reason) in [
      ("<plist><array xmlns:x=\"\(name)\"><x:b/></array></plist>", "malformed_property_list"),
      ("<plist><array><\(name)/></array></plist>", "malformed_property_list"),
      ("<package xmlns=\"\(name)\"></package>", "malformed_xml"),
    ] {
      let staged = try stage("<?xml version=\"1.0\"?>\(text)", in: .catalog)
      #expect(staged.reasons == ["- | file | \(reason)"])
      #expect(staged.rejections[0]["detail"]?.contains("longer than 1000 bytes") == true)
    }
  }

  @Test(
    "XML that is nested too deeply is refused, and other nested XML is not",
    arguments: [
      ("array", 100_000, "malformed_property_list"), ("array", 63, "malformed_property_list"),
      ("array", 60, nil), ("in_app_purchase", 100_000, "malformed_xml"),
      ("in_app_purchase", 63, "malformed_xml"),
      ("in_app_purchase", 60, nil),
    ])
  func nesting(name: String, count: Int, reason: String?) throws {
    let isList = name == "array"
    let root = isList ? "plist" : "package xmlns=\"http://apple.com/itunes/importer\""
    let inner =
      "<\(name)><a>" + String(repeating: "<\(name)>", count: count)
      + String(repeating: "</\(name)>", count: count) + "</a></\(name)>"
    let staged = try stage("<\(root)>\(inner)</\(isList ? "plist" : "package")>", in: .catalog)
    if let reason {
      #expect(staged.reasons == ["- | file | \(reason)"])
      #expect(staged.rejections[0]["detail"]?.contains("nested") == true)
    } else {
      #expect(staged.reasons.count == 1 && staged.rejections[0]["kind"] == "catalogue")
    }
  }

  @Test(
    "the rejection of broken XML names the line of the file",
    arguments: [("", 4), ("\n\n\n", 7), (" \r\n\t\n", 6)])
  func line(space: String, line: Int) throws {
    let text = "<?xml version=\"1.0\"?>\n<plist>\n<array>\n<string>a</array>\n</plist>\n"
    let staged = try stage(space + text, in: .catalog)
    #expect(staged.reasons == ["- | file | malformed_property_list"])
    #expect(
      staged.rejections[0]["detail"]?.contains("Line \(line) is not XML") == true,
      "\(staged.rejections)")
  }

  @Test(
    "XML of another kind is not a catalogue",
    arguments: [
      "<html><br></html>", "<!DOCTYPE html><html></html>", "<?xml version=\"1.0\"?><rss/>",
      "<!-- plist --><plists/>", "<plist xmlns=\"http://apple.com/itunes/importer\"/>",
    ])
  func unknown(text: String) throws {
    #expect(try stage(text, in: .catalog).reasons == ["- | file | unknown_format"])
  }
}
