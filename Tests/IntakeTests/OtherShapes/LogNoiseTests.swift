import Intake
import Testing

/// A line is no rejection for words that are no JSON if its evidence is read in full.
@Suite("Noise in the lines of a log")
struct LogNoiseTests {
  private static func answer(_ number: Int) -> String {
    #"{"status":0,"receipt":{"in_app":[{"transaction_id":"\#(number)","product_id":"p","#
      + #""purchase_date_ms":"1794996000000"}]}}"#
  }

  private static let words = [
    "None", "***", "nil", "undefined", "<redacted>", "[REDACTED]", "NaN", "(null)", "True", "xxxx",
    "-", "n/a", "***MASKED***", "007", "-01", "1.", "1.e5", "1e", "1e+", "0x1f", "--1",
  ]

  /// Words of JSON, and words that only begin like a number.
  private static let accounts = [
    "user_17", "f50e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000",
    "17ab3f", "007", "2026-11-19", "17e", "17",
  ]

  private func transactions(_ staged: Staged) -> [String] {
    staged.evidence.compactMap { $0["transaction_id"] }
  }

  @Test("a word that is no JSON is no broken object", arguments: words)
  func word(_ word: String) throws {
    let answer = Self.answer(1)
    for line in [
      #"{"account_id":"a","password":\#(word),"event":\#(answer)}"#,
      #"{"account_id":"a","event":\#(answer),"list":[1,\#(word),2]}"#,
      #"03:00 INFO {"account_id":"a","event":\#(answer),"x":\#(word)} done"#,
      #"{"password":\#(word),"account_id":"a","verifyReceiptResponse":\#(answer)}"#,
      #"{"message":\#(try json(#"{"account_id":"a","body":\#(answer),"x":\#(word)}"#))}"#,
    ] {
      let staged = try stage(line + "\n" + Self.answer(2) + "\n", in: .receipts)
      #expect(transactions(staged) == ["1", "2"], "\(line)")
      #expect(staged.rejections.isEmpty, "\(line): \(staged.rejections)")
      #expect(staged.evidence.first?["account_id"] == "a", "\(line)")
    }
  }

  @Test("a word in the place of an account is an account, unless it stands for a missing one")
  func account() throws {
    for (word, account) in Self.accounts.map({ ($0, $0) }) + [("None", "-"), ("***", "-")] {
      for line in [
        #"{"account_id":\#(word),"event":\#(Self.answer(1))}"#,
        #"{"account_id":\#(word),"verifyReceiptResponse":\#(Self.answer(1))}"#,
        #"03:00 INFO {"account_id":\#(word),"verifyReceiptResponse":\#(Self.answer(1))}"#,
      ] {
        let staged = try stage(line + "\n", in: .receipts)
        #expect(staged.rejections.isEmpty)
        #expect(staged.evidence.map { $0["account_id"] } == [account], "\(line)")
      }
    }
  }

  @Test("the beginning of a document beside the whole document is no broken object")
  func beginning() throws {
    let answer = Self.answer(1)
    let body = #"{"ts":1,"account_id":"a","event":\#(answer)}"#
    for whole in [answer, body] {
      for length in 2..<whole.count {
        for end in ["", "...", "\u{2026}", "... (truncated)"] {
          let piece = String(whole.prefix(length)) + end
          for line in [
            #"{"preview":\#(try json(piece)),"body":\#(whole)}"#,
            #"{"body":\#(whole),"preview":\#(try json(piece))}"#,
            #"{"body":\#(try json(whole)),"preview":\#(try json(piece))}"#,
            #"03:00 INFO \#(whole) \#(piece)"#,
          ] {
            let staged = try stage(line + "\n" + Self.answer(2) + "\n", in: .receipts)
            #expect(Set(transactions(staged)) == ["1", "2"], "\(line)")
            #expect(staged.evidence.contains { $0["account_id"] == "a" } == (whole == body))
            #expect(staged.rejections.isEmpty, "\(line): \(staged.rejections)")
          }
        }
      }
    }
  }

  @Test("evidence in an object that is cut off after it is a rejection beside other evidence")
  func cutAfterEvidence() throws {
    let staged = try stage(
      "03:00 \(Self.answer(1)) {\"event\":\(Self.answer(2)),\"x\n\(Self.answer(3))\n",
      in: .receipts)
    #expect(transactions(staged) == ["1", "3"])
    #expect(staged.reasons == ["1 | receipt | malformed_json"])
  }

  @Test("evidence far below the beginning is found, whatever the lines of the log begin with")
  func farBelow() throws {
    let settings = IntakeSettings(documentLimitBytes: 10_000, blockBytes: 1000)
    for start in ["<13>Nov 20 03:00:00 host app: ", "[2026-11-20 03:00:00] INFO ", "03:00 INFO "] {
      let noise = String(repeating: "\(start)no purchase\n", count: 3000)
      let staged = try stage("\(noise)\(start)\(Self.answer(1))\n", in: .receipts, settings)
      #expect(transactions(staged) == ["1"], "\(start)")
      #expect(staged.counts.documents.rejected == 3000, "\(start)")
      let without = try stage(noise, in: .receipts, settings)
      #expect(without.reasons == ["- | file | unknown_format"], "\(start)")
    }
  }

  @Test("the rejection of a line without evidence does not call the line broken JSON")
  func withoutEvidence() throws {
    let staged = try stage(
      "2026-11-20 INFO no purchase\n2026-11-20 INFO \(Self.answer(1))\n", in: .receipts)
    #expect(staged.reasons == ["1 | receipt | malformed_json"])
    #expect(staged.rejections[0]["detail"]?.contains("leave such lines out") == true)
  }

  @Test("the beginning of another document is a broken object")
  func other() throws {
    let whole = Self.answer(1)
    let piece = String(Self.answer(3).prefix(70))
    for end in ["", "..."] {
      let staged = try stage(
        #"{"body":\#(whole),"preview":\#(try json(piece + end))}"# + "\n", in: .receipts)
      #expect(transactions(staged) == ["1"])
      #expect(staged.reasons == ["1 | receipt | malformed_json"])
    }
  }
}
