import Intake
import Testing

/// A damaged record costs nothing but itself, and is never passed over in silence.
@Suite("Damaged records beside evidence")
struct DamagedLogTests {
  private static func answer(_ number: Int) -> String {
    #"{"status":0,"receipt":{"in_app":[{"transaction_id":"\#(number)","product_id":"p","#
      + #""purchase_date_ms":"1794996000000"}]}}"#
  }

  /// A line of a server's log with an answer.
  private static func line(_ number: Int) -> String { #"{"ts":1,"event":\#(answer(number))}"# }

  private static func delivery(_ number: Int) -> String {
    #"{"delivery_id":"D\#(number)","transaction_id":"1","product_id":"p","status":"delivered","#
      + #""occurred_at":"2026-11-18T10:00:40Z"}"#
  }

  private func transactions(_ staged: Staged) -> [String] {
    staged.evidence.compactMap { $0["transaction_id"] }
  }

  @Test("a broken or cut object beside evidence is rejected, wherever it is cut")
  func besideEvidence() throws {
    let whole = Self.answer(2)
    // The beginning of the other document is no second document.
    let shared = zip(whole, Self.answer(1)).prefix { $0 == $1 }.count
    for length in shared + 1..<whole.count {
      let cut = whole.prefix(length)
      let staged = try stage("x \(Self.answer(1)) \(cut)\ny \(Self.answer(3))\n", in: .receipts)
      #expect(transactions(staged) == ["1", "3"], "\(cut)")
      #expect(staged.reasons == ["1 | receipt | malformed_json"], "\(cut)")
    }
    let broken = #"{"status":0,"receipt":{"in_app":[{"transaction_id":"2",}]}}"#
    let staged = try stage(
      #"{"events":[\#(Self.answer(1)),\#(broken),\#(Self.answer(3))]}"#, in: .receipts)
    #expect(transactions(staged) == ["1", "3"])
    #expect(staged.reasons == ["1 | receipt | malformed_json"])
  }

  @Test("the last object of a file without a line end can be cut off")
  func cutAtEnd() throws {
    let staged = try stage("\(Self.answer(1))\(Self.answer(2).dropLast())", in: .receipts)
    #expect(transactions(staged) == ["1"])
    #expect(staged.reasons == ["1 | receipt | truncated"])
  }

  @Test("a damaged element of an array does not take the next one with it")
  func element() throws {
    let staged = try stage(
      "[\n\(Self.answer(1)),\n\(Self.answer(2).dropLast()),\n\(Self.answer(3))\n]\n", in: .receipts)
    #expect(transactions(staged) == ["1", "3"])
    #expect(staged.rejections.map { $0["reason"] } == ["malformed_json"])
  }

  @Test("a damaged first line of a log costs that line only, wherever it is cut")
  func firstLine() throws {
    let first = Self.line(1)
    let rest = (2...20).map { Self.line($0) }.joined(separator: "\n")
    for length in 1..<first.count {
      let staged = try stage("\(first.prefix(length))\n\(rest)\n", in: .receipts)
      #expect(transactions(staged).count == 19, "\(length)")
      #expect(staged.rejections.count == 1, "\(length)")
    }
  }

  @Test("a damaged first document in several lines does not hide the next")
  func firstDocument() throws {
    func document(_ number: Int) -> String {
      """
      {
       "status": 0,
       "receipt": {
        "in_app": [
         {
          "transaction_id": "\(number)",
          "product_id": "p",
          "purchase_date_ms": "1794996000000"
         }
        ]
       }
      }

      """
    }
    let damaged = document(1).replacing("\"p\",", with: "\"p\"")
    let staged = try stage(damaged + document(2) + document(3), in: .receipts)
    #expect(transactions(staged) == ["2", "3"])
    #expect(staged.reasons == ["1 | receipt | malformed_json"])
    let after = try stage(
      "\(Self.answer(1))\n\(Self.answer(2))\n\(document(3))\(Self.answer(4))\n", in: .receipts)
    #expect(transactions(after) == ["1", "2", "3", "4"])
    #expect(after.rejections.isEmpty)
  }

  @Test("the end of a JSON line is no CSV header")
  func deliveries() throws {
    for start in [
      String(Self.delivery(1).dropFirst(19)) + "\n", String(repeating: "\0", count: 5000),
    ] {
      let staged = try stage(
        "\(start)\(Self.delivery(1))\n\(Self.delivery(2))\n\(Self.delivery(3))\n", in: .deliveries)
      #expect(staged.deliveries.count >= 2)
      #expect(staged.rejections.map { $0["kind"] } == ["delivery"])
    }
  }

  @Test("records below many bytes of 0, or below lines of noise, are read")
  func recordsBelow() throws {
    let settings = IntakeSettings(blockBytes: 1000)
    let entry = #"{"product_id":"p","reported_at":"2026-11-18T10:00:40Z"}"#
    for (noise, reason) in [
      (String(repeating: "\0", count: 100_000), "not_text"),
      (String(repeating: "starting\n", count: 10_000), "missing_column"),
    ] {
      for (folder, record) in [(Folder.deliveries, Self.delivery(1)), (.client, entry)] {
        let staged = try stage("\(noise)\(record)\n\(record)\n\(record)\n", in: folder, settings)
        let used = staged.deliveries.count + staged.clientInvalidProducts.count
        #expect(used >= 2, "\(folder)")
        #expect(!staged.counts.fileRejected, "\(folder)")
        #expect(try stage(noise, in: folder, settings).reasons == ["- | file | \(reason)"])
      }
    }
  }

  @Test("an answer is not rejected for a part of it that is nested too deep")
  func deep() throws {
    for depth in 58...62 {
      let value =
        String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
      let answer = Self.answer(1).dropLast() + #","other":\#(value)}"#
      let staged = try stage(#"{"event":\#(answer)}"#, in: .receipts)
      #expect(transactions(staged) == ["1"])
      #expect(staged.rejections.isEmpty, "\(depth)")
    }
  }
}
