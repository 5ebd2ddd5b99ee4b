import DamageTestSupport
import Foundation
import Testing

@testable import SignatureVerification

/// Compares the small decoders with Foundation's.
@Suite("Decoding of texts")
struct TextFormTests {
  @Test("base64 in either alphabet, with or without padding and lines, gives the same bytes")
  func base64() throws {
    var dice = Dice(RandomCases.firstSeed)
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
      let text = Data(bytes).base64EncodedString()
      let url = text.replacing("+", with: "-").replacing("/", with: "_")
      let bare = url.replacing("=", with: "")
      for form in [
        text, url, bare, text.replacing("=", with: ""), text + "\n",
        Data(bytes).base64EncodedString(options: .lineLength64Characters),
        text.replacing("+", with: "%2B").replacing("/", with: "%2f").replacing("=", with: "%3D"),
        text.map(String.init).joined(separator: " \r\n\t"),
      ] {
        #expect(Base64.decoded(Array(form.utf8)) == bytes, "\(form)")
      }
      #expect(Base64.urlDecoded(Array(bare.utf8)[...]) == bytes)
    }
  }

  @Test(
    "text that is not base64 gives nothing",
    arguments: [
      "A", "AAAAA", "AB==C", "=", "====", "AA=", "AAA==", "AA===", "AB==", "AAB=", "A*AA", "%",
      "%2", "%2C",
    ])
  func notBase64(text: String) {
    #expect(Base64.decoded(Array(text.utf8)) == nil)
  }

  @Test("every byte outside the alphabets is refused")
  func alphabet() {
    let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    for byte in UInt8.min...UInt8.max {
      let isURL = letters.contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      #expect((Base64.urlDecoded([65, byte, 65, 65][...]) != nil) == isURL)
      #expect((Base64.urlDecoded([65, 65, 65, 65, 65, byte, 65][...]) != nil) == isURL)
    }
  }

  @Test("instants are the same as Foundation's")
  func instants() throws {
    for seed in RandomCases.seeds(2_000) {
      var dice = Dice(seed)
      // The years 1600 to 9999. For earlier years Foundation uses another calendar.
      let seconds = Int64.random(in: -11_676_096_000..<253_402_300_800, using: &dice)
      let text = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
      #expect(SignedInstant.milliseconds(of: text) == seconds * 1000, "seed \(seed): \(text)")
    }
    #expect(SignedInstant.milliseconds(of: "2023-10-19T22:02:34+0100") == 1_697_749_354_000)
    #expect(SignedInstant.milliseconds(of: "2023-10-19T22:02:34+01:00") == 1_697_749_354_000)
    #expect(SignedInstant.milliseconds(of: "2024-02-29T00:00:00Z") == 1_709_164_800_000)
    #expect(SignedInstant.milliseconds(of: "2023-12-31T00:00:00Z") == 1_703_980_800_000)
    #expect(SignedInstant.milliseconds(of: "2023-10-19 16:02:34.5-05:00") == 1_697_749_354_000)
  }

  @Test(
    "text that is not an instant gives nothing",
    arguments: [
      "", "2023", "2023-10-19", "2023-10-19T22:02:34", "2023-10-19T22:02:34z",
      "2023-10-19T24:02:34Z",
      "2023-00-19T22:02:34Z", "2023-10-32T22:02:34Z", "2023-10-19T22:60:34Z",
      "2023-10-19T22:02:61Z", "2023-02-29T22:02:34Z", "2024-02-30T22:02:34Z",
      "2023-04-31T22:02:34Z", "0000-12-31T22:02:34Z",
      "2023-10-19T22:02:34+1", "2023-10-19T22:02:34+25:00", "2023-10-19T22:02:34ZZ",
      "2023-10-19T22:02:34.Z",
      "+023-10-19T22:02:34Z", "2023-1a-19T22:02:34Z",
    ])
  func noInstant(text: String) {
    #expect(SignedInstant.milliseconds(of: text) == nil)
  }

  @Test("a length may have every form of BER, and a text may be in pieces")
  func lengths() throws {
    for bytes in [
      [0x04, 0x02, 1, 2], [0x04, 0x81, 0x02, 1, 2], [0x04, 0x84, 0, 0, 0, 2, 1, 2],
      [0x24, 0x80, 0x04, 0x01, 1, 0x04, 0x00, 0x24, 0x80, 0x04, 0x01, 2, 0, 0, 0, 0],
      [0x24, 0x06, 0x04, 0x01, 1, 0x04, 0x01, 2],
    ] as [[UInt8]] {
      var reader = BERReader(bytes[...])
      let octets = try reader.octets(try reader.next())
      #expect(octets == [1, 2])
      #expect(reader.isAtEnd)
    }
  }

  @Test("BER integers are the same as Swift's")
  func integers() throws {
    for number in [0, 1, 127, 128, 255, 256, 1701, -1, -128, -129, .max, .min] as [Int64] {
      var octets = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * Int64($0))) }
      while octets.count > 1, octets[0] == (octets[1] < 0x80 ? 0 : 0xff) { octets.removeFirst() }
      let bytes = [0x02, UInt8(octets.count)] + octets
      var reader = BERReader(bytes[...])
      #expect(try reader.next().integer(in: bytes[...]) == number)
    }
  }
}
