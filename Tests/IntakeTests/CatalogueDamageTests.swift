import CopyFormat
import DamageTestSupport
import Foundation
import Testing

@testable import Intake

@Suite("Catalogues that were damaged or shuffled")
struct CatalogueDamageTests {
  /// One small catalogue of a form.
  struct Form: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
      testDescription = name
      self.bytes = bytes
    }
  }

  static let forms = [
    Form("array", Array(#"["a","b"]"#.utf8)),
    Form("ids", Array(#"{"products":[{"id":"a"},"b"]}"#.utf8)),
    Form(
      "version 2",
      Array(
        (#"{"version":2,"products":[{"product_id":"a","type":"consumable","valid_to":"2026-01-01","#
          + #""prices":[{"currency":"USD","price":"1"}]},{"product_id":"b"}]}"#).utf8)
    ),
    Form("XML list", Array(PropertyListTests.xml("<array><string>a</string></array>").utf8)),
    Form(
      "binary list",
      BinaryPropertyListText(
        .array([.string("a"), .dictionary([("productIdentifier", .string("b\u{e9}"))])])
      ).bytes
    ),
    Form("StoreKit", Array(StoreKitConfigurationTests.file().utf8)),
    Form("App Store Connect", Array(AppStoreConnectAnswerTests.oneTime.utf8)),
    Form(
      "package",
      Array(
        ImporterPackageTests.package(
          "<in_app_purchases>"
            + ImporterPackageTests.purchase(
              "a",
              "<product><cleared_for_sale>true</cleared_for_sale><intervals><interval>"
                + "<start_date>2026-01-01</start_date></interval></intervals></product>")
            + "</in_app_purchases>",
          comment: "<!-- This document was generated on Oct 6, 2025 1:04:27 PM -->"
        ).utf8)
    ),
  ]

  @Test(
    "a catalogue cut at any byte is rejected or gives the same facts, never a part of them",
    arguments: forms)
  func anyTruncation(form: Form) throws {
    let bytes = form.bytes
    let whole = try stage(bytes, in: .catalog)
    #expect(whole.rejections.isEmpty && !whole.catalogue.isEmpty)
    for length in 0..<bytes.count {
      let cut = try stage(Array(bytes[..<length]), in: .catalog)
      if cut.rejections.isEmpty {
        #expect(cut == whole || cut == Staged(), "cut at \(length)")
        // Only white space, or everything, can be missing without a rejection.
        #expect(length == 0 || bytes[length...].allSatisfy(\.isWhiteSpace))
      } else {
        #expect(cut.catalogue.isEmpty, "cut at \(length)")
        #expect(cut.rejections.count == 1 && cut.rejections[0]["kind"] == "file")
      }
    }
  }

  /// The facts of all entries, in sorted order.
  private static func said(_ text: String) throws -> [String] {
    let staged = try stage(text, in: .catalog)
    #expect(staged.rejections.isEmpty && !staged.catalogueSaid.isEmpty)
    return staged.catalogueSaid.sorted()
  }

  /// A catalogue of a form, with the given identifiers.
  private static func text(_ form: Int, _ ids: [String]) -> String {
    func joined(_ entry: (String) -> String, _ separator: String = ",") -> String {
      ids.map(entry).joined(separator: separator)
    }
    switch form {
    case 0: return "[" + joined { "\"\($0)\"" } + "]"
    case 1: return #"{"products":["# + joined { #"{"id":"\#($0)"}"# } + "]}"
    case 2:
      return PropertyListTests.xml(
        "<array>" + joined({ "<string>\($0)</string>" }, "") + "</array>")
    case 3: return ImporterPackageTests.package(joined({ ImporterPackageTests.purchase($0) }, " "))
    case 4:
      return #"{"products":["# + joined { #"{"productID":"\#($0)"}"# }
        + #"],"subscriptionGroups":[]}"#
    default:
      return #"{"data":["#
        + joined { #"{"type":"subscriptions","attributes":{"productId":"\#($0)"}}"# } + "]}"
    }
  }

  @Test(
    "the order of entries does not change their facts", arguments: 0...5, 0..<4 as Range<UInt64>)
  func anyOrder(form: Int, seed: UInt64) throws {
    var dice = Dice(seed)
    let ids = (0..<6).map { "product.\($0)" }
    let expected = try Self.said(Self.text(form, ids))
    #expect(try Self.said(Self.text(form, ids.shuffled(using: &dice))) == expected)
  }

  @Test("a catalogue with any damage is read or rejected, and the counts add up", arguments: forms)
  func mutated(form: Form) throws {
    let parser = RecordParser()
    let file = FileContext(fileID: 7, folder: .catalog, settings: IntakeSettings())
    for seed in RandomCases.seeds(1400) {
      let damaged = MutatedFile(of: form.bytes, seed: seed)
      let input = damaged.bytes
      var rows = StagedRows()
      // The parser may read a little beyond the end of the JSON.
      (input + [UInt8](repeating: 0, count: 128)).withUnsafeBufferPointer {
        let bytes = $0.part(0..<input.count).trimmed
        parser.parseCatalogue(bytes, in: file, into: &rows)
      }
      let counts = rows.countsInBlock
      let entries = try CopyRows.catalogue.rows(of: rows.catalogue)
      let rejected = try CopyRows.rejections.rows(of: rows.rejections)
      let listed = entries.filter { $0["member"] == "listed" }
      let tally = counts.catalogueEntries
      let isClosed =
        tally.read == Int64(listed.count) + tally.rejected
        && Int64(rejected.count) == tally.rejected + (counts.fileRejected ? 1 : 0)
        && (!counts.fileRejected || entries.isEmpty)
        // Only the facts about a list as a whole have no identifier, and only a complete list gives
        // them.
        && entries.allSatisfy { $0["product_id"] != "" || $0["member"] == "store_list_covers" }
        && (rejected.isEmpty || entries.allSatisfy { $0["member"] != "store_list_covers" })
      #expect(isClosed, "\(damaged)")
      if !isClosed { return }
    }
  }
}
