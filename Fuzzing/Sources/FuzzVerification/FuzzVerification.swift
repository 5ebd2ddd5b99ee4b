import Foundation
import LibCrypto
import SignatureVerification
import SigningTestSupport

/// The decoders for documents that Apple signs.
enum Decoder: UInt8, CaseIterable {
  case appReceipt, receiptContent, signedTransaction, transactionReceipt, base64, certificate, key
}

/// The objects that all inputs share: an authority, and a verifier that trusts it.
struct Bench {
  let authority: TestAuthority
  let verifier: Verifier
  /// A BER receipt without a signature, split at the place of its content.
  let content: (before: [UInt8], after: [UInt8])

  static nonisolated(unsafe) let shared: Bench = {
    do {
      return try Bench()
    } catch {
      fatalError("No authority: \(error)")
    }
  }()

  private init() throws {
    authority = try TestAuthority.make()
    verifier = Verifier(
      roots: try TrustedRoots(
        receipts: [authority.receiptRoot], transactions: [authority.transactionRoot],
        purchaseReceiptIssuers: [authority.purchaseReceiptIssuer]),
      chains: ChainCache())
    // In the indefinite form no length comes before the content, so content of any length fits.
    let whole = try authority.appReceipt(content: [], form: Self.form)
    let empty: [UInt8] = [0x24, 0x80, 0x04, 0x00, 0x24, 0x80, 0x04, 0x00, 0x04, 0x00, 0, 0, 0, 0]
    guard let start = whole.indices.first(where: { whole[$0...].starts(with: empty) }) else {
      fatalError("An empty receipt is made in another way now.")
    }
    content = (Array(whole[..<(start + 2)]), Array(whole[(start + empty.count - 2)...]))
  }

  private static var form: ReceiptForm {
    var form = ReceiptForm()
    form.encoding = .indefinite
    return form
  }

  /// Runs the decoder that the input's first byte selects.
  func decode(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    switch Decoder(rawValue: first % UInt8(Decoder.allCases.count)) ?? .base64 {
    case .appReceipt: _ = try? verifier.appReceipt(bytes)
    case .receiptContent:
      let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) }
      _ = try? AppReceipt(
        unverified: content.before + [0x04, 0x84] + length + bytes + content.after)
    case .signedTransaction:
      guard let jws = try? CompactJWS(bytes) else { return }
      try? verifier.verify(jws, at: 1_795_057_445_000)
    case .transactionReceipt: _ = try? verifier.transactionReceipt(bytes)
    case .base64: _ = Base64.decoded(bytes)
    case .certificate:
      guard let certificate = Certificate(derEncoded: bytes) else { return }
      _ = certificate.isSigned(by: certificate)
      _ = Certificate.text(ofName: certificate.subject)
      _ = certificate.extensions.map(\.name.description)
    case .key:
      guard let key = PublicKey(subjectPublicKeyInfo: bytes),
        let check = SignatureCheck(key, .sha256)
      else { return }
      _ = check.isValid(bytes[...], HashFunction.sha256.digest(of: bytes))
    }
  }

  /// The first documents: one for each decoder and form.
  func seeds() throws -> [(Decoder, [UInt8])] {
    var receipt = TestReceipt()
    receipt.purchases = [
      TestPurchase(transactionID: "1", productID: "a", purchaseDate: "2026-11-14T13:30:00Z")
    ]
    let payload = #"{"transactionId":"1","signedDate":1795057445000}"#
    return [
      (.appReceipt, try authority.appReceipt(receipt)),
      (.appReceipt, try authority.appReceipt(receipt, form: Self.form)),
      (.receiptContent, receipt.content),
      (.signedTransaction, Array(try authority.sign(payload: payload).utf8)),
      (
        .transactionReceipt,
        try authority.transactionReceipt(["purchase-date-ms": "1795057445000", "bid": "a"])
      ),
      (.base64, Array("AAECAwQF\r\n%2B%2F==".utf8)),
      (.certificate, authority.receiptCertificates[0]),
      (.certificate, authority.transactionCertificates[0]),
      (.certificate, authority.transactionCertificates[1]),
      (.key, PrivateKey(.rsa(bits: 2048)).publicKeyInfo), (.key, PrivateKey(.p256).publicKeyInfo),
    ]
  }
}

/// Called once by libFuzzer: writes seeds into the folder that `TIEOUT_FUZZ_SEEDS` names.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _: UnsafeMutablePointer<CInt>, _: UnsafeMutablePointer<UnsafeMutableRawPointer>
) -> CInt {
  guard let folder = ProcessInfo.processInfo.environment["TIEOUT_FUZZ_SEEDS"] else { return 0 }
  do {
    for (number, seed) in try Bench.shared.seeds().enumerated() {
      let file = URL(fileURLWithPath: folder).appendingPathComponent("seed\(number)")
      try Data([seed.0.rawValue] + seed.1).write(to: file)
    }
  } catch {
    fatalError("The seeds cannot be written: \(error)")
  }
  return 0
}

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  Bench.shared.decode(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
