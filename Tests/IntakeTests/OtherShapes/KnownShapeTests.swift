import Foundation
import Intake
import TestNeeds
import Testing

/// A shape that is not read is rejected with its name and with advice.
@Suite("Shapes that are not read")
struct KnownShapeTests {
  @Test(
    "a shape that is not read is rejected with its name",
    arguments: [
      ("http_interactions:\n- request:\n    method: post\n", "has no evidence of a purchase"),
      ("---\nhttp_interactions:\n- request: {\n", "the YAML is broken (line "),
      ("---\nkey: value\n", "YAML"),
      ("{\"level\":\"info\",\"msg\":\"x\"}\n{\"level\":\"warn\"}\n", "level, msg"),
      ("<!DOCTYPE html><html><body>502</body></html>", "web page"),
      ("{=22status=22:0}=3D=3D\n", "quoted-printable"),
      (String(repeating: String(repeating: "M", count: 75) + "=\n", count: 20), "quoted-printable"),
      ("PK\u{3}\u{4}abc", "ZIP"), ("SQLite format 3\u{0}", "SQLite"), ("%PDF-1.7\n", "PDF"),
      ("Provider\tProvider Country\tSKU\tUnits\tProduct Type Identifier\n", "Sales and Trends"),
      ("Start Date\tEnd Date\tVendor Identifier\tPartner Share\n", "Financial Report"),
      ("_filename,subscription_apple_id,app_apple_id,event_date\n", "Subscription Event"),
    ])
  func named(text: String, words: String) throws {
    let staged = try stage(text, in: .receipts)
    #expect(staged.rejections.count == 1)
    #expect(staged.rejections.first?["detail"]?.contains(words) == true, "\(staged.rejections)")
  }

  @Test("the rejection of a file that is compressed twice says so", arguments: Compression.allCases)
  func twice(compression: Compression) throws {
    let inner = try compressed(Array("{}\n".utf8), compression)
    let staged = try stage(try compressed(inner, .gzip), in: .receipts)
    #expect(staged.reasons == ["- | file | not_text"])
    #expect(staged.rejections[0]["detail"]?.contains("inside with \(compression)") == true)
  }

  @Test("Apple's other reports are rejected as such in every folder", .needsCorpus)
  func reports() throws {
    let folders = ["reports_misc", "reports_subscriber"]
    for file in try folders.flatMap({ try Corpus.files($0) }) {
      for folder in Folder.allCases {
        let staged = try stage(path: file, in: folder)
        #expect(staged.reasons == ["- | file | unknown_format"], "\(file) in \(folder)")
        #expect(
          staged.rejections.first?["detail"]?.contains("which Tieout does not read") == true,
          "\(file) in \(folder)")
      }
    }
  }

  @Test("a property list that is a dictionary is not called damaged")
  func dictionary() throws {
    let markup = "<plist><dict><key>a</key><array><string>b</string></array></dict></plist>"
    let binary = try PropertyListSerialization.data(
      fromPropertyList: ["a": ["b"]], format: .binary, options: 0)
    for bytes in [Array(markup.utf8), Array(binary)] {
      let staged = try stage(bytes, in: .catalog)
      #expect(staged.reasons == ["- | file | unknown_format"])
      #expect(staged.rejections[0]["detail"]?.contains("is a dictionary") == true)
    }
  }

  @Test("a receipt that names no app gets no advice to add the app to bundle_ids")
  func bundle() throws {
    let settings = IntakeSettings(bundleIDs: ["ours"])
    let nameless = try stage(#"{"status":0,"receipt":{"in_app":[]}}"#, in: .receipts, settings)
    #expect(nameless.reasons == ["1 | receipt | foreign_bundle"])
    #expect(nameless.rejections[0]["detail"]?.contains("names no app") == true)
    #expect(nameless.rejections[0]["detail"]?.contains("add it there") == false)
  }
}
