import DamageTestSupport
import Foundation
import LibCrypto
import SigningTestSupport
import Testing

@testable import SignatureVerification

/// Documents with random damage.
///
/// They cause no crash and no endless loop, and give no unsigned content.
///
/// `TIEOUT_TEST_CASES` sets the number of cases and `TIEOUT_TEST_SEED` the first seed. The same
/// seed gives the same damage.
@Suite("Damaged documents", .timeLimit(.minutes(60)))
struct MutationTests {
  static let inputs = RandomCases.count(orElse: 700)

  private let authority: TestAuthority
  private let verifier: Verifier

  init() throws {
    authority = try Own.authority.get()
    verifier = try Own.verifier(trusting: authority)
  }

  @Test("damaged app receipts have the same content or are refused")
  func receipts() throws {
    var seeds: [[UInt8]] = []
    for form in EveryByteTests.receiptForms {
      seeds.append(try authority.appReceipt(Own.receipt, form: form))
    }
    let expected = try verifier.appReceipt(seeds[0])
    var refused = 0
    damage(seeds, seed: 1) { bytes in
      guard let found = try? verifier.appReceipt(bytes) else { return refused += 1 }
      #expect(found == expected)
    }
    #expect(refused > 0)
  }

  @Test("damaged contents of receipts cause no crash")
  func contents() throws {
    // Without a signature check the damage reaches all later steps.
    damage([Own.receipt.content, TestReceipt().content], seed: 2) { bytes in
      _ = try? ReceiptContent.receipt(bytes[...])
    }
  }

  @Test("damaged signed transactions have the same payload or are refused")
  func transactions() throws {
    let signed = Array(try authority.sign(payload: Own.payload).utf8)
    try verifier.verify(CompactJWS(signed), at: Own.signedDate)
    var refused = 0
    damage([signed], seed: 3) { bytes in
      guard let jws = try? CompactJWS(bytes),
        (try? verifier.verify(jws, at: Own.signedDate)) != nil
      else { return refused += 1 }
      #expect(jws.payload == Array(Own.payload.utf8))
    }
    #expect(refused > 0)
  }

  @Test("damaged headers of signed transactions cause no crash")
  func headers() throws {
    let text = try authority.sign(payload: Own.payload)
    let segment = Array(text.utf8.prefix { $0 != UInt8(ascii: ".") })
    let header = try #require(Base64.urlDecoded(segment[...]))
    damage([header], seed: 4) { bytes in
      let encoded = Data(bytes).base64EncodedString().replacing("+", with: "-")
        .replacing("/", with: "_").replacing("=", with: "")
      _ = try? JWSHeader(Array(encoded.utf8)[...])
    }
  }

  @Test("damaged receipts of iOS 6 have the same content or are refused")
  func transactionReceipts() throws {
    let receipt = try authority.transactionReceipt(Own.purchaseFields, environment: "Sandbox")
    #expect(try verifier.transactionReceipt(receipt).fields == Own.purchaseFields)
    var refused = 0
    damage([receipt], seed: 5) { bytes in
      guard let found = try? verifier.transactionReceipt(bytes) else { return refused += 1 }
      #expect(found.fields == Own.purchaseFields)
    }
    #expect(refused > 0)
  }

  @Test("damaged signatures of receipts of iOS 6 cause no crash")
  func purchaseSignatures() throws {
    let receipt = try authority.transactionReceipt(Own.purchaseFields)
    let encoded = try #require(try PropertyListText.entries(receipt)["signature"])
    let signature = try #require(Base64.decoded(Array(encoded.utf8)))
    damage([signature], seed: 6) { bytes in
      _ = try? PurchaseSignature(bytes)
    }
  }

  @Test("damaged certificates are unreadable or not signed by their issuer")
  func certificates() throws {
    for chain in [authority.receiptCertificates, authority.transactionCertificates] {
      let issuer = try #require(Certificate(derEncoded: chain[1]))
      damage([chain[0]], seed: 7) { bytes in
        guard let found = Certificate(derEncoded: bytes), bytes != chain[0] else { return }
        #expect(!found.isSigned(by: issuer))
      }
    }
  }

  private func damage(_ seeds: [[UInt8]], seed: UInt64, _ body: ([UInt8]) -> Void) {
    var damage = Damage(seed: seed &+ (RandomCases.firstSeed - 1) &* 10)
    for number in 0..<Self.inputs {
      body(damage.done(to: seeds[number % seeds.count]))
    }
  }
}

/// Random damage: changed, lost, repeated and moved bytes, and wrong lengths.
struct Damage {
  private var dice: Dice

  init(seed: UInt64) { dice = Dice(seed) }

  /// A copy with one to eight damages.
  mutating func done(to bytes: [UInt8]) -> [UInt8] {
    var damaged = bytes
    for _ in 0...number(below: 8) { wound(&damaged) }
    return damaged
  }

  private mutating func wound(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else {
      bytes = [UInt8(truncatingIfNeeded: dice.next())]
      return
    }
    let place = number(below: bytes.count)
    let end = min(bytes.count, place + 1 + number(below: 40))
    switch number(below: 8) {
    case 0: bytes[place] ^= 1 << UInt8(number(below: 8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: dice.next())
    // Bytes with a special meaning in BER, JSON and property lists.
    case 2: bytes[place] = Self.weighty[number(below: Self.weighty.count)]
    case 3: bytes.removeSubrange(place..<end)
    case 4: bytes.insert(contentsOf: bytes[place..<end], at: number(below: bytes.count))
    case 5: bytes.removeSubrange(place...)
    case 6:
      bytes.insert(
        contentsOf: repeatElement(
          Self.weighty[number(below: Self.weighty.count)], count: 1 + number(below: 300)),
        at: place)
    default:
      let other = number(below: bytes.count)
      bytes.swapAt(place, other)
    }
  }

  private static let weighty: [UInt8] =
    [0x00, 0x80, 0xff, 0x7f, 0x81, 0x82, 0x84, 0x30, 0x31, 0x24, 0x04, 0xa0, 0x02]
    + Array(#""\{}[]=;.,: "#.utf8)

  private mutating func number(below limit: Int) -> Int { Int(dice.next() % UInt64(limit)) }
}
