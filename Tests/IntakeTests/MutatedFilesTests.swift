import DamageTestSupport
import Intake
import Testing

/// Every form of every folder with random damage, in the whole reader.
///
/// `TIEOUT_TEST_CASES` is the number of cases for each form. A failure names its seed, which
/// `TIEOUT_TEST_SEED` repeats.
@Suite("Mutated files", .timeLimit(.minutes(60)))
struct MutatedFilesTests {
  /// A whole file of some form.
  struct Form: CustomTestStringConvertible {
    let testDescription: String
    let folder: Folder
    let bytes: [UInt8]

    init(_ name: String, _ folder: Folder, _ text: String) {
      self.init(name, folder, Array(text.utf8))
    }

    init(_ name: String, _ folder: Folder, _ bytes: [UInt8]) {
      testDescription = name
      self.folder = folder
      self.bytes = bytes
    }
  }

  private static let deliveries =
    DeliveryTests.header + ",error,bytes\r\n"
    + (1...4).map { "d\($0),\($0),a,failed,2026-11-19T03:04:05Z,\"x,\"\"y\"\"\r\nz\",5\r\n" }
    .joined()

  private static let texts = [
    Form(
      "documents, one a line", .receipts, FileTests.document + "\n" + #"{"status":21007}"# + "\n"),
    Form(
      "one document in lines", .receipts, FileTests.document.replacing(",", with: ",\n")),
    Form(
      "an envelope", .receipts,
      #"{"received_at":"2026-11-19T03:04:05Z","account_id":"a","verifyReceiptResponse":"#
        + FileTests.document + "}\n"),
    Form("deliveries in CSV", .deliveries, deliveries),
    Form(
      "deliveries in NDJSON", .deliveries,
      #"{"delivery_id":"d","transaction_id":1,"product_id":"a","status":"delivered","#
        + #""occurred_at":"2026-11-19T03:04:05Z","bytes":5}"# + "\n"),
    Form(
      "a queue log", .client,
      ClientTests.queueHeader
        + "\n1,a,purchased,2026-11-19T03:04:05Z\n,b,failed,2026-11-19T03:04:05Z\n"),
    Form(
      "invalid identifiers", .client, ClientTests.reportHeader + "\na,2026-11-19T03:04:05Z,1\n"),
    Form(
      "a client's NDJSON", .client,
      #"{"product_id":"a","reported_at":"2026-11-19T03:04:05Z"}"# + "\n"),
    Form(
      "acknowledgements", .acknowledgements,
      "finding,until,because,by\r\nF-0123456789ab,2026-12-31,\"known; \"\"see\"\"\r\n17\",anna\r\n"
        + "F-01ab,,why,bert\r\n"),
    Form("a sales report", .apple, AppleIntakeTests.sales),
    Form("a financial report", .apple, AppleIntakeTests.financial),
  ]

  /// All forms, without compression.
  static let plainForms =
    texts + CatalogueDamageTests.forms.map { Form($0.testDescription, .catalog, $0.bytes) }

  /// All forms, and one form of each of three folders in every compression.
  private static func forms() throws -> [Form] {
    var forms = plainForms
    for form in [texts[0], texts[3], plainForms[texts.count + 3]] {
      for compression in Compression.allCases {
        forms.append(
          Form(
            "\(form.testDescription), \(compression)", form.folder,
            try compressed(form.bytes, compression)))
      }
    }
    return forms
  }

  @Test("undamaged forms have no rejections, so that rejections come from damage")
  func whole() throws {
    for form in try Self.forms() {
      #expect(try stage(form.bytes, in: form.folder).rejections.isEmpty, "\(form.testDescription)")
    }
  }

  @Test("every record is counted, and each rejection has a line and a known reason")
  func damaged() throws {
    let scratch = try ScratchFolder()
    let known = Set(RejectionReason.allCases.map(\.rawValue))
    let settings = [IntakeSettings(), IntakeSettings(documentLimitBytes: 150, blockBytes: 11)]
    var rejections = 0
    for form in try Self.forms() {
      for seed in RandomCases.seeds(20) {
        let file = MutatedFile(of: form.bytes, seed: seed)
        let path = try scratch.file("damaged", file.bytes)
        let staged = try stage(
          path: path, in: form.folder, settings[Int(seed % 2)],
          note: "\(form.testDescription), \(file)")
        for row in staged.rejections {
          rejections += 1
          let line = row["line"] ?? "-"
          let isPlaced = row["kind"] == "file" ? line == "-" : (Int64(line) ?? 0) >= 1
          let reason = row["reason"] ?? ""
          let isKnown = known.contains(reason) || reason.hasPrefix("status_")
          #expect(isPlaced && isKnown, "\(row) of \(form.testDescription), \(file)")
        }
      }
    }
    #expect(rejections > 0)
  }
}
