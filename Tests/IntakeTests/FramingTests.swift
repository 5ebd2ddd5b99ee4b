import Intake
import Testing

@Suite("Documents and lines")
struct FramingTests {
  private static let document = FileTests.document
  private static let pretty =
    "{\n \"status\": 0,\n \"receipt\": {\n  \"in_app\": [\n\(ReceiptTests.entry)\n]\n }\n}\n"

  @Test("a document that spans lines is one document")
  func oneDocument() throws {
    let staged = try stage("\n\n" + Self.pretty, in: .receipts)
    #expect(Staged.drawn(staged.documents, "line") == ["3"])
    #expect(staged.counts.transactions.read == 1)
    #expect(try stage(Self.document, in: .receipts).documents.count == 1)
  }

  @Test("the same document has the same hash in either form")
  func documentHash() throws {
    let line = try stage(Self.document + "\n" + Self.document + " \r\n", in: .receipts)
    let file = try stage("\n" + Self.document, in: .receipts)
    #expect(Set((line.documents + file.documents).map { $0["document_hash"] }).count == 1)
  }

  @Test("bad first lines are rejected alone")
  func badFirstLines() throws {
    for bad in ["{\"status\":0,\"rec", "nonsense", "[1,", "{}x", "\u{1}"] {
      let one = try stage(bad + "\n" + Self.document + "\n" + Self.document + "\n", in: .receipts)
      #expect(one.reasons == ["1 | receipt | malformed_json"], "\(bad)")
      #expect(one.documents.count == 2)
      let three = try stage(
        bad + "\n" + bad + "\r\n\r\n" + bad + "\n" + Self.document + "\n", in: .receipts)
      #expect(three.rejections.count == 3, "\(bad)")
      #expect(Staged.drawn(three.documents, "line") == ["5"])
    }
  }

  @Test("a hundred thousand values without an end are rejected, each searched once")
  func manyBrokenValues() throws {
    let first = "[{\"a\":\"b\"},\n"
    let open = String(repeating: "{\n", count: 100_000) + "\"\n"
    #expect(try stage(first + open, in: .receipts).documents.isEmpty)
    let numbers = "{\n{}\n" + String(repeating: "1\n", count: 100_000)
    #expect(try stage(first + numbers, in: .receipts).documents.isEmpty)
  }

  @Test("a last line without a line end is truncated, unless it parses")
  func truncated() throws {
    let staged = try stage(
      Self.document + "\n" + Self.document.dropLast(5), in: .receipts)
    #expect(staged.reasons == ["2 | receipt | truncated"])
    #expect(try stage(Self.document + "\n" + Self.document, in: .receipts).documents.count == 2)
    let complete = try stage(Self.document + "\n" + "{\"status\":}\n", in: .receipts)
    #expect(complete.reasons == ["2 | receipt | malformed_json"])
  }

  @Test("a single document that is cut off is truncated, wherever its lines end")
  func truncatedDocument() throws {
    for length in [3, 20, 40, Self.pretty.count - 2] {
      let staged = try stage(String(Self.pretty.prefix(length)), in: .receipts)
      #expect(staged.reasons == ["1 | receipt | truncated"], "\(length)")
    }
    let malformed = try stage("{\n\"status\": nothing\n}\n", in: .receipts)
    #expect(malformed.reasons == ["1 | receipt | malformed_json"])
  }

  @Test("a line over the limit is rejected with its beginning, and reading goes on after it")
  func longLine() throws {
    let long = "{\"status\":\"" + String(repeating: "x", count: 9000) + "\"}"
    for blockBytes in [64, 1000, 1 << 20] {
      let settings = IntakeSettings(
        documentLimitBytes: 1000, rejectionLimitBytes: 50, blockBytes: blockBytes)
      let staged = try stage(
        Self.document + "\n" + long + "\n" + Self.document + "\n" + long, in: .receipts, settings)
      #expect(staged.reasons == ["2 | receipt | too_large", "4 | receipt | too_large"])
      #expect(
        Staged.drawn(staged.rejections, "raw raw_bytes").first
          == "\(long.prefix(50)) | \(long.utf8.count)")
      #expect(Staged.drawn(staged.documents, "line") == ["1", "3"])
    }
  }

  @Test("a file over the limit is one rejection, whatever its form is")
  func longFile() throws {
    let settings = IntakeSettings(documentLimitBytes: 1000, rejectionLimitBytes: 10)
    let long = String(repeating: "\"\": 5,\n", count: 500)
    let document = try stage("{\n" + long, in: .receipts, settings)
    #expect(document.reasons == ["1 | receipt | too_large"])
    #expect(Staged.drawn(document.rejections, "raw_bytes") == ["3502"])
    let minified = try stage("{" + long.replacing("\n", with: ""), in: .receipts, settings)
    #expect(minified.reasons == ["1 | receipt | too_large"])
    let list = try stage("[" + long, in: .catalog, settings)
    #expect(list.reasons == ["- | file | too_large"])
  }

  @Test("a CSV row over the limit is rejected, and so is a row with a quote that never closes")
  func longRow() throws {
    let settings = IntakeSettings(documentLimitBytes: 200, blockBytes: 64)
    let good = "d,1,a,failed,2026-11-19T03:04:05Z\n"
    let long = "d,1," + String(repeating: "a", count: 300) + ",failed,2026-11-19T03:04:05Z\n"
    let open = "d,1,\"a,failed,2026-11-19T03:04:05Z\n"
    let staged = try stage(
      DeliveryTests.header + "\n" + good + long + good + open
        + String(repeating: good, count: 20), in: .deliveries, settings)
    #expect(staged.reasons == ["3 | delivery | too_large", "5 | delivery | malformed_csv"])
    #expect(staged.deliveries.count == 22)
  }

  @Test("a CSV row with a quoted field over the limit is one rejection, whatever its lines are")
  func longQuotedField() throws {
    let good = "d,1,a,failed,2026-11-19T03:04:05Z\n"
    for text in ["a \"\"text\"\",\n", "a,\r\n\n", "\"\",\n,\n", "x"] {
      let field = "\"" + String(repeating: text, count: 300) + "\""
      let long = "d,\"1\"," + field + ",failed,2026-11-19T03:04:05Z"
      let lines = field.utf8.filter { $0 == UInt8(ascii: "\n") }.count
      for blockBytes in [64, 1000, 1 << 20] {
        let settings = IntakeSettings(documentLimitBytes: 200, blockBytes: blockBytes)
        let staged = try stage(
          DeliveryTests.header + "\n" + good + long + "\n" + good + good + long, in: .deliveries,
          settings)
        #expect(
          staged.reasons == [
            "3 | delivery | too_large", "\(lines + 6) | delivery | too_large",
          ])
        #expect(
          Staged.drawn(staged.rejections, "raw_bytes")
            == [String(long.utf8.count), String(long.utf8.count)])
        #expect(staged.deliveries.count == 3)
      }
    }
  }

  @Test("an excerpt shows control characters and at most two hundred characters")
  func excerpt() throws {
    let tail = String(repeating: "é", count: 300)
    let staged = try stage(
      Self.document + "\n" + "{\u{7}\u{202e}\u{7f}" + tail + "\n", in: .receipts)
    let excerpt = try #require(staged.rejections.first?["excerpt"])
    #expect(excerpt == "{\u{2407}\u{2426}\u{2421}" + tail.prefix(196))
  }
}
