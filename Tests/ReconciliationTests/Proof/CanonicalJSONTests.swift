import CanonicalJSON
import DamageTestSupport
import Foundation
import TestNeeds
import Testing

@Suite("JSON in the form of RFC 8785") struct CanonicalJSONTests {
  private func canonical(_ text: String) throws -> String {
    String(decoding: try CanonicalJSON(reading: Array(text.utf8)).text(), as: UTF8.self)
  }

  @Test("the examples of the RFC that have whole numbers only have the RFC's result")
  func examples() throws {
    // Section 3.2.2, without its fractions.
    #expect(
      try canonical(
        #"""
        {
          "numbers": [4, 0, -7],
          "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
          "literals": [null, true, false]
        }
        """#)
        == #"{"literals":[null,true,false],"numbers":[4,0,-7],"string":"€$\u000f\nA'B\"\\\\\"/"}"#)
    // Section 3.2.3: by UTF-16 code units, so U+1F600 comes before U+FB33.
    let sorted = try canonical(
      #"""
      {
        "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis"
      }
      """#)
    let values = sorted.matches(of: /:"([^"]*)"/).map { String($0.1) }
    #expect(
      values == [
        "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
        "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
      ])
  }

  @Test("every character below U+0020, the quote and the backslash have the RFC's escape")
  func escapes() throws {
    let short: [UInt8: String] = [8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r"]
    for byte in 0..<UInt8(0x20) {
      let expected = short[byte] ?? "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
      let text = try CanonicalJSON.string(String(Unicode.Scalar(byte))).text()
      #expect(String(decoding: text, as: UTF8.self) == "\"\(expected)\"")
    }
    let others = "\u{7f}\u{2028}/é😀"
    #expect(try CanonicalJSON.string(others).text() == Array("\"\(others)\"".utf8))
    #expect(try canonical(#""\"\\""#) == #""\"\\""#)
  }

  @Test(
    "what is not JSON, or has no exact form, is refused",
    arguments: [
      "", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "'a'", "1.5", "1e3", "-0", "01", "+1",
      "9007199254740992", "-9007199254740992", "99999999999999999999", "tru", "nul", "\"a",
      "\"\u{1}\"", #""\x""#, #""\u12""#, #""\ud83d""#, #""\ude00\ud83d""#, "{\"a\":1,\"a\":2}",
      "1 2", "[1] ]", "\u{feff}1",
    ])
  func refused(text: String) {
    #expect(throws: CanonicalJSONError.self) { try CanonicalJSON(reading: Array(text.utf8)) }
  }

  @Test("bytes that are not UTF-8, and a text that is nested too deep, are refused")
  func hostile() throws {
    for bytes: [UInt8] in [
      [0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22],
    ] {
      #expect(throws: CanonicalJSONError.self) { try CanonicalJSON(reading: bytes) }
    }
    #expect(throws: CanonicalJSONError.self) {
      try CanonicalJSON(reading: [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20))
    }
    let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    #expect(try canonical(deep) == deep)
    #expect(throws: CanonicalJSONError.self) { try canonical("[\(deep)]") }
  }

  @Test("a number that another program would round, or a name that occurs twice, is not written")
  func notWritten() {
    #expect(throws: CanonicalJSONError.self) {
      try CanonicalJSON.integer(CanonicalJSON.largestInteger + 1).text()
    }
    #expect(throws: CanonicalJSONError.self) { try CanonicalJSON.integer(.min).text() }
    #expect(throws: CanonicalJSONError.self) {
      try CanonicalJSON.object([.init("a", .null), .init("a", .null)]).text()
    }
  }

  @Test(
    "a random value that is written is read again as the same value",
    arguments: RandomCases.seeds(70))
  func roundTrip(seed: UInt64) throws {
    let value = RandomJSON(seed).value(depth: 0)
    let text = try value.text()
    #expect(try CanonicalJSON(reading: text).text() == text, "seed \(seed)")
  }

  @Test("a damaged text is refused, or read as a value that has one text")
  func damaged() throws {
    for seed in RandomCases.seeds(700) {
      let right = try RandomJSON(seed % 50).value(depth: 0).text()
      let damaged = MutatedFile(of: right, seed: seed).bytes
      guard let text = try? CanonicalJSON(reading: damaged).text() else { continue }
      #expect(try CanonicalJSON(reading: text).text() == text, "seed \(seed)")
    }
  }

  @Test("Python writes the same text for random values", .needs(.python3))
  func python() throws {
    let texts = try RandomCases.seeds(100).map {
      String(decoding: try RandomJSON($0).value(depth: 0).text(), as: UTF8.self)
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "json-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try (texts.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    let program = """
      import json, sys
      for line in open(sys.argv[1], encoding='utf-8', newline='\\n'):
          said = json.dumps(
              json.loads(line), sort_keys=True, separators=(',', ':'), ensure_ascii=False)
          if said + '\\n' != line:
              print(ascii(line), ascii(said))
      print('end')
      """
    let process = Process()
    process.executableURL = URL(filePath: try #require(Tool.python3.path))
    process.arguments = ["-c", program, file.path]
    let said = Pipe()
    process.standardOutput = said
    try process.run()
    let output = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(output == "end\n")
  }
}

/// Random values with rare characters in names and strings.
private struct RandomJSON {
  private var dice: Dice
  // Python sorts names by characters and the RFC by UTF-16 code units. They agree if no name has a
  // character above U+FFFF beside one from U+E000.
  private static let characters = Array(
    "ab\"\\/\u{0}\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f} \u{7f}\u{80}ö€\u{2028}\u{d7ff}😀\u{10ffff}e\u{301}"
      .unicodeScalars)

  init(_ seed: UInt64) {
    dice = Dice(seed)
  }

  func value(depth: Int) -> CanonicalJSON {
    var copy = self
    return copy.next(depth: depth)
  }

  private mutating func next(depth: Int) -> CanonicalJSON {
    switch Int.random(in: depth < 4 ? 0..<8 : 2..<8, using: &dice) {
    case 0:
      var names: [String] = []
      for _ in 0..<Int.random(in: 0..<6, using: &dice) {
        let name = text()
        if !names.contains(where: { Array($0.utf8) == Array(name.utf8) }) { names.append(name) }
      }
      return .object(names.map { CanonicalJSON.Member($0, next(depth: depth + 1)) })
    case 1:
      return .array((0..<Int.random(in: 0..<5, using: &dice)).map { _ in next(depth: depth + 1) })
    case 2: return .boolean(Bool.random(using: &dice))
    case 3: return .null
    case 4:
      return .integer(
        Int.random(
          in: -CanonicalJSON.largestInteger...CanonicalJSON.largestInteger, using: &dice))
    case 5: return .integer(Int.random(in: -3...3, using: &dice))
    default: return .string(text())
    }
  }

  private mutating func text() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0..<6, using: &dice) {
      text.unicodeScalars.append(Self.characters.randomElement(using: &dice) ?? "a")
    }
    return text
  }
}
