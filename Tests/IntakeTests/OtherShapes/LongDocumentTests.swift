import Testing

@testable import Intake

/// A JSON object of several lines in a log of one record a line costs no other line.
@Suite("Objects of several lines in a log")
struct LongDocumentTests {
  private static func line(_ number: Int) -> String {
    #"{"ts":1,"event":{"status":0,"receipt":{"in_app":[{"transaction_id":"\#(number)","#
      + #""product_id":"p","purchase_date_ms":"1794996000000"}]}}}"#
  }

  private static func pretty(_ number: Int) -> String {
    """
    {
      "status": 0,
      "receipt": {
        "in_app": [
          {
            "transaction_id": "\(number)",
            "product_id": "p}{",
            "purchase_date_ms": "1794996000000"
          }
        ]
      }
    }
    """
  }

  /// An answer with the account of its number.
  private static func envelope(_ number: Int) -> String {
    """
    {
      "account_id": "a\(number)",
      "verifyReceiptResponse": \(pretty(number).replacing("\n", with: "\n  "))
    }
    """
  }

  private static let quiet = "{\n  \"level\": \"info\",\n  \"list\": [\n    1\n  ]\n}"

  private func transactions(_ staged: Staged) -> Set<String> {
    Set(staged.evidence.compactMap { $0["transaction_id"] })
  }

  private func accounts(_ staged: Staged) -> [String] {
    Staged.drawn(staged.evidence, "transaction_id account_id")
  }

  /// All orders of some records.
  private static func orders(_ records: [String]) -> [[String]] {
    guard records.count > 1 else { return [records] }
    return records.indices.flatMap { index in
      var rest = records
      let first = rest.remove(at: index)
      return orders(rest).map { [first] + $0 }
    }
  }

  @Test("each record is read or rejected once, in every order")
  func permutations() throws {
    let records = [
      Self.line(1), "03:00 INFO no purchase", Self.pretty(2), Self.quiet,
      "03:00 INFO answer: \(Self.pretty(3)) in 17 ms", "{\"event\": \(Self.pretty(4))}",
    ]
    for (number, order) in Self.orders(records).enumerated() {
      let text = order.joined(separator: "\n") + (number % 2 == 0 ? "\n" : "")
      let settings = IntakeSettings(blockBytes: [1, 100, 1 << 20][number % 3])
      let staged = try stage(text, in: .receipts, settings)
      #expect(transactions(staged) == ["1", "2", "3", "4"], "\(text)")
      #expect(staged.rejections.count == 2, "\(text)\n\(staged.reasons)")
      let isCut = number % 2 == 1 && order.last?.hasSuffix("no purchase") == true
      #expect(
        Set(staged.rejections.compactMap { $0["reason"] })
          == [isCut ? "truncated" : "malformed_json", "not_a_receipt"])
      var line = 1
      var lines: Set<String> = []
      for record in order {
        if record.contains("transaction_id") { lines.insert("\(line)") }
        line += record.split(separator: "\n").count
      }
      #expect(Set(staged.documents.compactMap { $0["line"] }) == lines, "\(text)")
    }
  }

  @Test("an object is found far below the beginning, and can be the only evidence")
  func far() throws {
    let noise = String(repeating: "{\"level\":\"info\",\"text\":\"no purchase\"}\n", count: 40_000)
    let staged = try stage(noise + Self.pretty(1) + "\n" + Self.line(2) + "\n", in: .receipts)
    #expect(transactions(staged) == ["1", "2"])
    #expect(staged.counts.documents.rejected == 40_000)
    let alone = try stage(noise + Self.pretty(1) + "\n", in: .receipts)
    #expect(transactions(alone) == ["1"])
  }

  @Test(
    "objects of which one begins in the last line of another keep their accounts",
    arguments: ["", " ", ", ", "\n"])
  func joined(separator: String) throws {
    let documents = (1...3).map { Self.envelope($0) }.joined(separator: separator)
    let found = ["1 | a1", "2 | a2", "3 | a3"]
    for blockBytes in [1, 100, 1 << 20] {
      let settings = IntakeSettings(blockBytes: blockBytes)
      let alone = try stage(documents + "\n", in: .receipts, settings)
      #expect(accounts(alone) == found)
      #expect(alone.rejections.isEmpty)
      let log = try stage(
        "\(Self.line(4))\nINFO \(documents) done\n\(Self.line(5))\n", in: .receipts, settings)
      #expect(accounts(log) == ["4 | -"] + found + ["5 | -"])
      #expect(log.rejections.isEmpty)
    }
  }

  @Test("an object that begins where another one ends can be cut off or broken")
  func joinedToDamaged() throws {
    let start = "\(Self.line(1))\nINFO request \(Self.envelope(2)) response "
    let whole = try stage("\(start)\(Self.envelope(3))\n", in: .receipts)
    #expect(accounts(whole) == ["1 | -", "2 | a2", "3 | a3"])
    let broken = Self.envelope(3).replacing("\"a3\",", with: "\"a3\",,")
    for rest in [String(Self.envelope(3).dropLast(2)), "\(broken)\n\(Self.line(4))\n"] {
      let staged = try stage(start + rest, in: .receipts)
      #expect(accounts(staged).prefix(2) == ["1 | -", "2 | a2"], "\(rest)")
      #expect(!transactions(staged).contains("3") && !staged.rejections.isEmpty, "\(rest)")
    }
  }

  @Test("evidence in an object whose beginning is missing is not read without its account")
  func beginningMissing() throws {
    let lines = Self.envelope(2).split(separator: "\n")
    let compact = Self.envelope(2).filter { !$0.isWhitespace }
    for text in [
      lines.dropFirst().joined(separator: "\n") + "\n\(Self.line(1))\n",
      lines.dropFirst(2).joined(separator: "\n") + "\n\(Self.line(1))\n",
      "\(Self.line(1))\ngot {\(lines.dropFirst().joined(separator: "\n"))\n",
      "\(compact.dropFirst(4))\n\(Self.line(1))\n",
      "\(Self.line(1))\n\(compact.dropFirst())\n",
    ] {
      let staged = try stage(text, in: .receipts)
      #expect(accounts(staged) == ["1 | -"], "\(text)")
      #expect(
        staged.rejections.contains { $0["detail"]?.contains("looks like evidence") == true },
        "\(text)")
    }
  }

  @Test("an object that the file ends in is one rejection, wherever it is cut")
  func cutAtEnd() throws {
    let whole = Self.pretty(2)
    for prefix in ["", "03:00 INFO answer: "] {
      for length in 1..<whole.count {
        for blockBytes in [1, 1 << 20] {
          let text = "\(Self.line(1))\n\(prefix)\(whole.prefix(length))"
          let staged = try stage(text, in: .receipts, IntakeSettings(blockBytes: blockBytes))
          #expect(transactions(staged) == ["1"], "\(text)")
          // Without a member, the brace is a line like any other.
          let isObject = length == 1 || length > 4
          #expect(
            staged.reasons == ["2 | receipt | \(isObject ? "truncated" : "malformed_json")"],
            "\(text)")
        }
      }
    }
  }

  @Test("a damaged object costs no other line, whatever is missing")
  func damaged() throws {
    let whole = Array(Self.pretty(2).utf8)
    for place in whole.indices {
      for end in [place + 1, min(place + 30, whole.count)] {
        var damaged = whole
        damaged.removeSubrange(place..<end)
        let text =
          "\(Self.line(1))\n\(String(decoding: damaged, as: UTF8.self))\n\(Self.line(3))\n"
          + "\(Self.pretty(4))\n\(Self.line(5))\n"
        for blockBytes in [1, 1 << 20] {
          let staged = try stage(text, in: .receipts, IntakeSettings(blockBytes: blockBytes))
          #expect(transactions(staged).isSuperset(of: ["1", "3", "4", "5"]), "\(text)")
        }
      }
    }
  }

  @Test("an object with a wrong comma is one rejection")
  func wrongComma() throws {
    let damaged = Self.pretty(2).replacing("\"p}{\",", with: "\"p}{\"")
    // So many lines are in several blocks.
    let lines = String(repeating: Self.line(1) + "\n", count: 1000)
    for blockBytes in [1, 100, 1 << 20] {
      let staged = try stage(
        "\(lines)\(damaged)\n\(Self.line(3))\n\(damaged)\n", in: .receipts,
        IntakeSettings(blockBytes: blockBytes))
      #expect(transactions(staged) == ["1", "3"])
      #expect(
        staged.reasons == ["1001 | receipt | malformed_json", "1014 | receipt | malformed_json"])
    }
  }

  @Test(
    "four times the bytes cost about four times the work",
    arguments: [
      "{\n\"a\": ", "{\n \"a\": 1,,\n", "{\n  \"a\": [\n", "{\n\"a\n",
      "{\"a\":1} {\n\"a\":1\n\"b\"\n", "{\n\"a\":1\n} ", "{\n\"a\":1\n} {\n\"a\":1,,\n} ",
      "  {\n    \"a\": oops oops\n    \"b\": {\n      \"a\": 1\n",
    ])
  func linear(part: String) {
    func work(_ count: Int) -> Int {
      Array(String(repeating: part, count: count / part.utf8.count).utf8)
        .withUnsafeBufferPointer { bytes in
          var framing = LogFraming(limit: 1 << 24)
          var start = 0
          while start < bytes.count {
            let end = framing.cut(bytes.part(start..<bytes.count), isFinal: true).end
            guard end > 0 else { break }
            start += end
          }
          return framing.work
        }
    }
    #expect(work(160_000) <= 5 * work(40_000) + 1000)
    #expect(work(160_000) <= 3 * 160_000)
  }
}
