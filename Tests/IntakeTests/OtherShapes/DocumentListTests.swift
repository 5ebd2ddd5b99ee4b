import DamageTestSupport
import Foundation
import Intake
import Testing

/// Documents in an array, and documents one after another.
@Suite("Lists of documents")
struct DocumentListTests {
  /// A document of its own, in several lines.
  private static func pretty(_ number: Int, indent: String = "") -> String {
    let lines = [
      "{", #"  "status": 0,"#, #"  "receipt": {"#, #"    "in_app": ["#, "      {",
      #"        "transaction_id": "\#(number)","#, #"        "product_id": "p}{][","#,
      #"        "purchase_date_ms": "1700000000000""#, "      }", "    ]", "  }", "}",
    ]
    return lines.map { indent + $0 }.joined(separator: "\n")
  }

  private static func compact(_ number: Int) -> String {
    #"{"status":0,"receipt":{"in_app":[{"transaction_id":"\#(number)","product_id":"\\\"[","#
      + #""purchase_date_ms":"1700000000000"}]}}"#
  }

  private static func list(_ numbers: Range<Int>, _ form: Int) -> String {
    switch form {
    case 0: return "[" + numbers.map(compact).joined(separator: ",") + "]"
    case 1:
      return "[\n" + numbers.map { pretty($0, indent: "  ") }.joined(separator: ",\n") + "\n]\n"
    case 2: return numbers.map { pretty($0) }.joined(separator: "\n") + "\n"
    case 3: return "[\n" + numbers.map(compact).joined(separator: ",\n") + "\n]"
    case 4: return numbers.map { pretty($0) }.joined(separator: "\n\n\n")
    default:
      return " [" + numbers.map { (try? json(compact($0))) ?? "" }.joined(separator: " , ") + "]\n"
    }
  }

  @Test("each element is one document, in blocks of any size", arguments: 0..<6)
  func everyForm(form: Int) throws {
    for count in [2, 3, 40] {
      let text = Self.list(0..<count, form)
      for blockBytes in [1, 50, 1000, 1 << 20] {
        let staged = try stage(text, in: .receipts, IntakeSettings(blockBytes: blockBytes))
        #expect(
          staged.evidence.map { $0["transaction_id"] } == (0..<count).map { "\($0)" },
          "\(form), \(count), \(blockBytes)")
        #expect(staged.rejections.isEmpty)
        #expect(try stage(gzip(Array(text.utf8)), in: .receipts) == staged)
      }
    }
  }

  @Test(
    "an array of signed texts or receipts is read, and an array of identifiers is misplaced")
  func texts() throws {
    for document in try EvidenceDocument.all().prefix(4) {
      let text = "[\(try json(document.text))]"
      let staged = try stage(text, in: .receipts, OwnStore.settings())
      #expect(ShapedRows(staged) == (try document.plain()))
    }
    #expect(try stage(#"["a","b"]"#, in: .receipts).reasons == ["- | file | wrong_folder"])
  }

  @Test("white space between documents is not kept, however long it is")
  func whiteSpace() throws {
    let space = String(repeating: " ", count: 8 << 20)
    let scratch = try ScratchFolder()
    let path = try scratch.file(
      "file", Array("[\(Self.compact(1)),\(space)\(Self.compact(2))]".utf8))
    let settings = IntakeSettings(documentLimitBytes: 1 << 20)
    #expect(try stage(path: path, in: .receipts, settings).evidence.count == 2)
    let reader = FileReader(path: path, folder: .receipts, fileID: 1, settings: settings)
    var read: Int64 = 0
    while reader.next() != nil {
      #expect(reader.byteCount - read <= 3 << 20)
      read = reader.byteCount
    }
  }

  @Test("the line of a document is the line in which it begins")
  func line() throws {
    let staged = try stage(Self.list(0..<3, 2), in: .receipts)
    #expect(staged.documents.map { $0["line"] } == ["1", "13", "25"])
    let array = try stage(Self.list(0..<3, 1), in: .receipts)
    #expect(array.documents.map { $0["line"] } == ["2", "14", "26"])
  }

  @Test("the limit is for each document, and a document above it is rejected alone")
  func limit() throws {
    let long = #"{"status":0,"x":""# + String(repeating: "y", count: 5000) + #""}"#
    for form in [0, 1, 2, 3] {
      let parts = [Self.list(0..<1, form), Self.list(1..<60, form)]
      let isArray = form != 2
      let first = isArray ? String(parts[0].dropLast(form == 1 ? 3 : 1)) : parts[0]
      let rest = isArray ? String(parts[1].dropFirst(1)) : parts[1]
      let text = first + (isArray ? "," : "") + (form == 2 ? long + "\n" : long + ",") + rest
      for blockBytes in [100, 1 << 20] {
        let settings = IntakeSettings(documentLimitBytes: 1000, blockBytes: blockBytes)
        let staged = try stage(text, in: .receipts, settings)
        #expect(staged.evidence.count == 60, "\(form)")
        #expect(Staged.drawn(staged.rejections, "reason") == ["too_large"], "\(form)")
      }
    }
  }

  @Test("a bad document is rejected alone, wherever it is")
  func bad() throws {
    let kinds: [(bad: String, reason: String)] = [
      ("{\n  \"status\": nothing\n}", "malformed_json"), ("{\n  \"a\": 1\n}", "not_a_receipt"),
      ("{\n  \"status\": 21003\n}", "status_21003"), ("{\n  \"status\": \"0\n}", "malformed_json"),
      ("{\n  \"a\": {\n}", "malformed_json"), ("{\n  \"a\": [\n}", "malformed_json"),
    ]
    for (bad, reason) in kinds {
      for place in 1...3 {
        var documents = (0..<4).map { Self.pretty($0) }
        documents.insert(bad, at: place)
        for blockBytes in [1, 1 << 20] {
          let staged = try stage(
            documents.joined(separator: "\n") + "\n", in: .receipts,
            IntakeSettings(blockBytes: blockBytes))
          #expect(staged.evidence.count == 4, "\(bad) in place \(place)")
          #expect(Staged.drawn(staged.rejections, "reason") == [reason], "\(bad) in place \(place)")
        }
      }
    }
  }

  @Test("a list that is cut off at any place loses only its last document, and says so")
  func truncated() throws {
    for form in [0, 1, 2, 3] {
      let text = Self.list(0..<3, form)
      for length in text.utf8.count * 3 / 4..<text.utf8.count {
        let start = String(text.utf8.prefix(length)) ?? ""
        let staged = try stage(start, in: .receipts)
        let isWhole = form == 2 ? start == text.dropLast() : start.dropFirst().contains("\n]")
        #expect(staged.evidence.count >= 2, "\(form), \(length)")
        #expect(
          Staged.drawn(staged.rejections, "reason") == (isWhole ? [] : ["truncated"]),
          "\(form), \(length)")
      }
    }
  }

  @Test("an array of which only the first document was written is cut off")
  func oneDocument() throws {
    for text in ["[\(Self.compact(1))", "[\n\(Self.compact(1))\n", "[\(Self.compact(1)),"] {
      let staged = try stage(text, in: .receipts)
      #expect(staged.evidence.count == 1)
      #expect(Staged.drawn(staged.rejections, "reason") == ["truncated"])
    }
  }

  @Test("every record in a list with random damage is counted")
  func damaged() throws {
    let scratch = try ScratchFolder()
    for seed in RandomCases.seeds(70) {
      let text = Self.list(0..<4, Int(seed % 6))
      let file = MutatedFile(of: Array(text.utf8), seed: seed)
      let settings = IntakeSettings(
        documentLimitBytes: seed % 2 == 0 ? 1 << 20 : 300, blockBytes: seed % 3 == 0 ? 11 : 1 << 20)
      _ = try stage(
        path: scratch.file("damaged", file.bytes), in: .receipts, settings, note: "\(file)")
    }
  }
}
