internal import Foundation
internal import LibCrypto

/// How an app receipt is signed and encoded.
public struct ReceiptForm: Sendable {
  /// How the message is encoded.
  public enum Encoding: Sendable, CaseIterable {
    /// DER: every length is definite, and nothing is in pieces.
    case der
    /// BER: indefinite lengths, and the content in pieces that are themselves in pieces.
    case indefinite
  }

  /// How the message is encoded.
  public var encoding = Encoding.der
  /// Whether SHA-1 is used, as until 2023, instead of SHA-256.
  package var usesSHA1 = false
  /// Whether the signature covers attributes, which contain the content's digest.
  package var hasSignedAttributes = false
  /// The number of bytes of one more signed attribute without meaning; nil: none.
  package var otherAttribute: Int?
  /// Whether the content is in a second octet string.
  package var isDoubleWrapped = false
  /// The certificates in the receipt: 0 is the signer's, 1 the authority's, 2 the root's.
  package var certificates = [0, 1, 2]
  /// Further certificates, in DER.
  package var otherCertificates: [[UInt8]] = []

  /// The form of Apple's receipts since 2023.
  public init() {}
}

extension TestAuthority {
  /// The certificates of receipts in DER: signer, authority, root.
  public var receiptCertificates: [[UInt8]] { receiptSigner.chain }

  /// Signs an app receipt.
  public func appReceipt(
    _ receipt: TestReceipt, form: ReceiptForm = ReceiptForm()
  ) throws -> [UInt8] {
    try appReceipt(content: receipt.content, form: form)
  }

  /// Signs any bytes as the content of a receipt: CMS SignedData.
  public func appReceipt(
    content: [UInt8], form: ReceiptForm = ReceiptForm()
  ) throws -> [UInt8] {
    let content = form.isDoubleWrapped ? DERWriter.element(0x04, content) : content
    let isIndefinite = form.encoding == .indefinite
    func wrapped(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
      isIndefinite ? DERWriter.indefinite(tag, content) : DERWriter.element(tag, content)
    }
    let digest = DERWriter.element(0x30, form.usesSHA1 ? Names.sha1 : Names.sha256)
    let encapsulated = wrapped(
      0x30,
      Names.data
        + wrapped(0xa0, isIndefinite ? Self.pieces(content) : DERWriter.element(0x04, content)))
    let certificates =
      form.certificates.map { receiptSigner.chain[$0] } + form.otherCertificates
    let signedData = wrapped(
      0x30,
      DERWriter.integer(1) + DERWriter.element(0x31, digest) + encapsulated
        + wrapped(0xa0, certificates.flatMap(\.self))
        + DERWriter.element(0x31, try signerInfo(content, digest: digest, form)))
    return wrapped(0x30, Names.signedData + wrapped(0xa0, signedData))
  }

  private func signerInfo(
    _ content: [UInt8], digest: [UInt8], _ form: ReceiptForm
  ) throws -> [UInt8] {
    var signed = content
    var attributes: [UInt8] = []
    if form.hasSignedAttributes {
      let function = form.usesSHA1 ? HashFunction.sha1 : .sha256
      let contentDigest = function.digest(of: content).bytes
      let other = form.otherAttribute.map { count in
        let value = DERWriter.element(0x04, Array(repeating: 0x2e, count: count))
        // An unknown object identifier, 1.2.3.4.
        return DERWriter.element(
          0x30, [0x06, 0x03, 0x2a, 0x03, 0x04] + DERWriter.element(0x31, value))
      }
      signed = DERWriter.set(
        [
          DERWriter.element(0x30, Names.contentType + DERWriter.element(0x31, Names.data)),
          DERWriter.element(
            0x30,
            Names.messageDigest + DERWriter.element(0x31, DERWriter.element(0x04, contentDigest))),
        ] + (other.map { [$0] } ?? []))
      attributes = [0xa0] + signed.dropFirst()
    }
    return DERWriter.element(
      0x30,
      DERWriter.integer(1)
        + DERWriter.element(
          0x30,
          receiptSigner.issuerName + DERWriter.element(0x02, receiptSigner.serialNumber))
        + digest + attributes + DERWriter.element(0x30, Names.rsa + [0x05, 0x00])
        + DERWriter.element(
          0x04, receiptSigner.key.signature(over: signed, form.usesSHA1 ? .sha1 : .sha256)))
  }

  /// An octet string in pieces; one of the pieces is itself in pieces.
  private static func pieces(_ content: [UInt8]) -> [UInt8] {
    let half = content.count / 2
    let quarter = half + (content.count - half) / 2
    let inner = DERWriter.indefinite(
      0x24,
      DERWriter.element(0x04, Array(content[half..<quarter]))
        + DERWriter.element(0x04, Array(content[quarter...])))
    return DERWriter.indefinite(0x24, DERWriter.element(0x04, Array(content[..<half])) + inner)
  }

  /// Signs a receipt of iOS 6.
  ///
  /// - Parameters:
  ///   - fields: The signed fields, under Apple's hyphenated names.
  ///   - environment: The environment, which is outside the signed part.
  public func transactionReceipt(
    _ fields: [String: String], environment: String? = nil
  ) throws -> [UInt8] {
    let info = Array(Self.propertyList(fields).utf8)
    let signer = purchaseReceiptSigner
    let signature = signer.key.signature(over: [2] + info, .sha1)
    let certificate = signer.chain[0]
    let length = (0..<4).map { UInt8(truncatingIfNeeded: certificate.count >> (24 - 8 * $0)) }
    var outside = [
      "purchase-info": Data(info).base64EncodedString(),
      "signature": Data([2] + signature + length + certificate)
        .base64EncodedString(),
      "pod": "100", "signing-status": "0",
    ]
    outside["environment"] = environment
    return Array(Self.propertyList(outside).utf8)
  }

  private static func propertyList(_ fields: [String: String]) -> String {
    let lines = fields.sorted { $0.key < $1.key }.map { "\t\"\($0.key)\" = \"\($0.value)\";\n" }
    return "{\n\(lines.joined())}"
  }
}

/// Object identifiers as elements of DER.
private enum Names {
  static let data = DERWriter.element(0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01])
  static let signedData = DERWriter.element(
    0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02])
  static let contentType = DERWriter.element(
    0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x03])
  static let messageDigest = DERWriter.element(
    0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x04])
  static let rsa = DERWriter.element(0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01])
  static let sha1 = DERWriter.element(0x06, [0x2b, 0x0e, 0x03, 0x02, 0x1a]) + [0x05, 0x00]
  static let sha256 =
    DERWriter.element(0x06, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]) + [0x05, 0x00]
}
