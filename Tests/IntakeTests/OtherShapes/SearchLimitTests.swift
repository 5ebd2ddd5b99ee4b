import Foundation
import SigningTestSupport
import Testing

@testable import Intake

/// The search for evidence has limits, and its cost grows with the size of the text.
@Suite("Limits of the search for evidence")
struct SearchLimitTests {
  /// Texts that are expensive to search, by their size.
  private static let hostile: [(name: String, make: @Sendable (Int) -> String)] = [
    ("open brackets", { String(repeating: "[", count: $0) }),
    ("open braces", { String(repeating: "{\"a\":", count: $0 / 5) }),
    ("open braces in arrays", { String(repeating: "[{\"a\":", count: $0 / 6) }),
    ("broken objects", { String(repeating: "{\"receipt\":{\"a\":1,,}}\n", count: $0 / 22) }),
    ("broken strings", { String(repeating: "{\"receipt\":\"a\n", count: $0 / 14) }),
    ("cut objects", { String(repeating: "{\"receipt\":{\"a\":[1,\n", count: $0 / 20) }),
    (
      "nested broken objects",
      { n in
        String(repeating: String(repeating: "{\"receipt\":", count: 60) + "1,,\n", count: n / 664)
      }
    ),
    ("objects that are none", { String(repeating: "{\"a\":1,]", count: $0 / 8) }),
    ("quotes", { String(repeating: "\"", count: $0) }),
    ("quoted braces", { String(repeating: "\"{", count: $0 / 2) }),
    ("open strings", { String(repeating: "[\"\\\"", count: $0 / 4) }),
    ("backslashes", { "{\"a\":\"" + String(repeating: "\\", count: $0) }),
    ("labels of PEM", { String(repeating: "-----BEGIN", count: $0 / 10) }),
    ("lines of PEM", { String(repeating: "-----BEGIN\nAAAA\n", count: $0 / 16) }),
    ("percent escapes", { String(repeating: "%7B%22", count: $0 / 6) }),
    ("base64 of base64", { base64(Array(base64([UInt8](repeating: 0x4d, count: $0 / 2)).utf8)) }),
    ("beginnings of signed texts", { String(repeating: "eyJhbGciOiJFUzI1NiJ9.", count: $0 / 21) }),
    ("hexadecimal digits", { String(repeating: "30", count: $0 / 2) }),
    ("members", { "{" + String(repeating: "\"status\":1,", count: $0 / 11) + "\"a\":1}" }),
    ("texts", { "[" + String(repeating: "\"{\\\"a\\\":[1]}\",", count: $0 / 14) + "1]" }),
    (
      "brackets closed",
      { n in
        String(repeating: "[", count: n / 2) + String(repeating: "]", count: n / 2)
      }
    ),
  ]

  private static func search(_ text: String) -> EvidenceSearch {
    Array(text.utf8).withUnsafeBufferPointer { EvidenceSearch($0) }
  }

  @Test("four times the bytes cost about four times the work")
  func linear() {
    for (name, make) in Self.hostile {
      let small = Self.search(make(40_000))
      let large = Self.search(make(160_000))
      #expect(small.found.isEmpty && large.found.isEmpty, "\(name)")
      #expect(large.work <= 5 * small.work, "\(name): \(small.work), \(large.work)")
      #expect(large.work <= 40 * 160_000, "\(name): \(large.work)")
    }
  }

  @Test("a member of many objects around evidence is added once to each piece of evidence")
  func membersAround() {
    let (depth, count) = (55, 2000)
    // With its quotes, the account has a hundred bytes.
    let account = String(repeating: "7", count: 98)
    let text =
      String(repeating: "{\"account_id\":\"\(account)\",\"a\":", count: depth)
      + "[" + String(repeating: "{\"status\":21007},", count: count) + "1]"
      + String(repeating: "}", count: depth)
    let search = Self.search(text)
    #expect(search.found.count == count && search.found.allSatisfy { $0.beside.count == 1 })
    let once = count * (depth + 100)
    #expect(search.work > once && search.work < once + 4 * text.utf8.count, "\(search.work)")
  }

  @Test("objects and arrays deeper than the limit are not searched, and the rejection says so")
  func nesting() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    for (depth, isFound) in [(62, true), (66, false), (500, false)] {
      let text =
        String(repeating: "{\"a\":[", count: depth / 2) + "\"\(signed)\""
        + String(repeating: "]}", count: depth / 2)
      let staged = try stage(text + "\n", in: .receipts, OwnStore.settings())
      #expect(staged.evidence.count == (isFound ? 1 : 0), "\(depth)")
      #expect(staged.reasons == (isFound ? [] : ["1 | receipt | too_deep"]), "\(depth)")
      // Evidence that is nested less deeply is still used.
      let both = try stage(
        #"{"b":"\#(signed)","c":\#(text)}"# + "\n", in: .receipts, OwnStore.settings())
      #expect(both.evidence.count == 1)
      #expect(both.reasons == (isFound ? [] : ["1 | receipt | too_deep"]), "\(depth)")
    }
  }

  @Test("texts within texts beyond the limit are not searched, and the rejection says so")
  func wraps() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    for (depth, isFound) in [
      (EvidenceSearch.wrapLimit, true), (EvidenceSearch.wrapLimit + 1, false),
    ] {
      var text = signed
      for _ in 0..<depth { text = #"{"message":\#(try json(text))}"# }
      let staged = try stage(text + "\n", in: .receipts, OwnStore.settings())
      #expect(staged.evidence.count == (isFound ? 1 : 0), "\(depth)")
      #expect(staged.reasons == (isFound ? [] : ["1 | receipt | too_deep"]), "\(depth)")
    }
  }

  @Test("a document with more evidence than the limit loses the rest, and reports a problem")
  func count() {
    let text =
      "[" + String(repeating: #"{"status":21007},"#, count: EvidenceSearch.foundLimit + 3) + "1]"
    let search = Self.search(text)
    #expect(search.found.count == EvidenceSearch.foundLimit)
    #expect(search.problem?.reason == .tooLarge)
  }
}
