internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import SwiftASN1
internal import X509

/// An authority of the tests' own, which signs what only Apple can sign in earnest.
///
/// It has two roots, as Apple has: one for receipts (RSA), one for transactions (P-384).
public struct TestAuthority: Sendable {
  /// How its certificates differ from those that Apple makes.
  public struct Shape: Sendable {
    /// When the signers' certificates are valid, in seconds since 1970: 2020 to 2039 unless set.
    public var signerValidity: ClosedRange<Int> = 1_577_836_800...2_208_988_799
    /// When the authorities between them and the roots are; the same unless set.
    public var issuerValidity: ClosedRange<Int> = 1_577_836_800...2_208_988_799
    /// Whether the signers bear the extension that makes them signers.
    public var hasSignerMarker = true
    /// Whether the authorities bear the extension that makes them Apple's.
    public var hasIssuerMarker = true
    /// Whether the authorities' certificates are an authority's at all.
    public var isIssuerAuthority = true
    /// Whether certificates for receipts are signed over SHA-1, as until 2015.
    public var usesSHA1 = false
    /// A critical extension of the signers that nobody knows.
    public var hasUnknownCriticalExtension = false

    /// Certificates just like Apple's.
    public init() {}
  }

  /// The root of receipts, in DER.
  public let receiptRoot: [UInt8]
  /// The root of transactions, in DER.
  public let transactionRoot: [UInt8]
  /// What issues the signers of iOS 6 receipts, in DER.
  public let purchaseReceiptIssuer: [UInt8]

  let transactionSigner: Signer<P256.Signing.PrivateKey>
  let receiptSigner: Signer<_RSA.Signing.PrivateKey>
  let purchaseReceiptSigner: Signer<_RSA.Signing.PrivateKey>

  /// A signer with its certificates in DER: its own, its authority's, the root's.
  struct Signer<Key: Sendable>: Sendable {
    let key: Key
    let chain: [[UInt8]]
    let issuerName: [UInt8]
    let serialNumber: [UInt8]
  }

  /// Makes an authority with keys for transactions of its own.
  ///
  /// The RSA keys take long to make, and all authorities of a process share them; only a foreign one
  /// has a root and an issuer of receipts with other keys.
  public static func make(_ shape: Shape = Shape(), isForeign: Bool = false) throws -> TestAuthority
  {
    let keys = TestKeys.shared
    let root = CertificateTemplate(
      name: "Test Root", isAuthority: true, validity: 946_684_800...2_524_607_999)
    let issuer = CertificateTemplate(
      name: "Test Developer Relations", isAuthority: shape.isIssuerAuthority,
      validity: shape.issuerValidity, marker: shape.hasIssuerMarker ? [6, 2, 1] : nil)
    let signer = CertificateTemplate(
      name: "Test Receipt Signing", isAuthority: false, validity: shape.signerValidity,
      marker: shape.hasSignerMarker ? [6, 11, 1] : nil,
      hasUnknownCriticalExtension: shape.hasUnknownCriticalExtension)
    var purchaseIssuer = issuer
    purchaseIssuer.name = "Test Store Authority"
    purchaseIssuer.marker = shape.hasIssuerMarker ? [6, 2, 2] : nil
    var purchaseSigner = signer
    purchaseSigner.name = "TestReceiptCertificate"
    purchaseSigner.marker = shape.hasSignerMarker ? [6, 5, 1] : nil

    let rsa = try CertificateMaker(
      root: root, key: .init(isForeign ? keys.foreignRoot : keys.root),
      algorithm: shape.usesSHA1 ? .sha1WithRSAEncryption : .sha256WithRSAEncryption)
    let rsaIssuerKey = isForeign ? keys.foreignIssuer : keys.issuer
    let rsaIssuer = try rsa.issue(issuer, key: .init(rsaIssuerKey.publicKey))
    let rsaSigner = try CertificateMaker(
      rsaIssuer, key: .init(rsaIssuerKey), algorithm: rsa.algorithm
    ).issue(signer, key: .init(keys.signer.publicKey))
    let storeIssuer = try rsa.issue(purchaseIssuer, key: .init(rsaIssuerKey.publicKey))
    let storeSigner = try CertificateMaker(
      storeIssuer, key: .init(rsaIssuerKey), algorithm: rsa.algorithm
    ).issue(purchaseSigner, key: .init(keys.shortSigner.publicKey))

    let signerKey = P256.Signing.PrivateKey()
    let issuerKey = P384.Signing.PrivateKey()
    let curve = try CertificateMaker(
      root: root, key: .init(P384.Signing.PrivateKey()), algorithm: .ecdsaWithSHA384)
    let curveIssuer = try curve.issue(issuer, key: .init(issuerKey.publicKey))
    let curveSigner = try CertificateMaker(
      curveIssuer, key: .init(issuerKey), algorithm: .ecdsaWithSHA384
    ).issue(signer, key: .init(signerKey.publicKey))

    return TestAuthority(
      receiptRoot: try rsa.certificate.bytes, transactionRoot: try curve.certificate.bytes,
      purchaseReceiptIssuer: try storeIssuer.bytes,
      transactionSigner: try Signer(
        signerKey, [curveSigner, curveIssuer, curve.certificate]),
      receiptSigner: try Signer(keys.signer, [rsaSigner, rsaIssuer, rsa.certificate]),
      purchaseReceiptSigner: try Signer(keys.shortSigner, [storeSigner, storeIssuer]))
  }
}

extension TestAuthority.Signer {
  init(_ key: Key, _ chain: [Certificate]) throws {
    self.init(
      key: key, chain: try chain.map { try $0.bytes },
      issuerName: try DERWriter.serialized(chain[0].issuer),
      serialNumber: DERWriter.unsigned(Array(chain[0].serialNumber.bytes)))
  }
}
