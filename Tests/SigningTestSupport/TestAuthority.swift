internal import LibCrypto

/// An authority of the tests, which signs documents that otherwise only Apple can sign.
///
/// It has two roots, as Apple has: one for receipts (RSA), one for transactions (P-384).
public struct TestAuthority: Sendable {
  /// The differences between its certificates and Apple's.
  public struct Shape: Sendable {
    /// The validity of the signers' certificates, in seconds since 1970; the default is 2020 to
    /// 2039.
    package var signerValidity: ClosedRange<Int> = 1_577_836_800...2_208_988_799
    /// The validity of the authorities' and the roots' certificates; the default is the same.
    package var issuerValidity: ClosedRange<Int> = 1_577_836_800...2_208_988_799
    /// Whether the signers' certificates have the extension that marks signers.
    package var hasSignerMarker = true
    /// Whether the authorities' certificates have the extension that marks Apple's authorities.
    package var hasIssuerMarker = true
    /// Whether the authorities' certificates are certificates of an authority.
    package var isIssuerAuthority = true
    /// Whether certificates for receipts are signed over SHA-1, as until 2015.
    package var usesSHA1 = false
    /// Whether the signers' certificates have an unknown critical extension.
    package var hasUnknownCriticalExtension = false

    /// The form of Apple's certificates.
    public init() {}
  }

  /// The root of receipts, in DER.
  public let receiptRoot: [UInt8]
  /// The root of transactions, in DER.
  public let transactionRoot: [UInt8]
  /// The certificate that issues the signers of iOS 6 receipts, in DER.
  public let purchaseReceiptIssuer: [UInt8]

  let transactionSigner: Signer
  let receiptSigner: Signer
  let purchaseReceiptSigner: Signer

  /// A signer with its chain of certificates in DER: its own, its authority's, the root's.
  struct Signer: Sendable {
    let key: PrivateKey
    let chain: [[UInt8]]
    let issuerName: [UInt8]
    let serialNumber: [UInt8]

    init(_ key: PrivateKey, _ chain: [IssuedCertificate]) {
      self.key = key
      self.chain = chain.map(\.bytes)
      issuerName = chain[0].issuerName
      serialNumber = chain[0].serialNumber
    }
  }

  /// Makes an authority with its own keys for transactions.
  ///
  /// RSA keys take long to make, so all authorities of a process share them. Only a foreign
  /// authority has a root and an issuer of receipts with other keys.
  public static func make(_ shape: Shape = Shape(), isForeign: Bool = false) throws -> TestAuthority
  {
    let keys = TestKeys.shared
    let root = CertificateTemplate(
      name: "Test Root", isAuthority: true, validity: 946_684_800...2_524_607_999)
    let issuer = CertificateTemplate(
      name: "Test Developer Relations", isAuthority: shape.isIssuerAuthority,
      validity: shape.issuerValidity,
      marker: shape.hasIssuerMarker ? [1, 2, 840, 113635, 100, 6, 2, 1] : nil)
    let signer = CertificateTemplate(
      name: "Test Receipt Signing", isAuthority: false, validity: shape.signerValidity,
      marker: shape.hasSignerMarker ? [1, 2, 840, 113635, 100, 6, 11, 1] : nil,
      hasUnknownCriticalExtension: shape.hasUnknownCriticalExtension)
    var purchaseIssuer = issuer
    purchaseIssuer.name = "Test Store Authority"
    purchaseIssuer.marker = shape.hasIssuerMarker ? [1, 2, 840, 113635, 100, 6, 2, 2] : nil
    var purchaseSigner = signer
    purchaseSigner.name = "TestReceiptCertificate"
    purchaseSigner.marker = shape.hasSignerMarker ? [1, 2, 840, 113635, 100, 6, 5, 1] : nil

    let rsa = CertificateMaker(
      root: root, key: isForeign ? keys.foreignRoot : keys.root,
      algorithm: shape.usesSHA1 ? .sha1WithRSA : .sha256WithRSA)
    let rsaIssuerKey = isForeign ? keys.foreignIssuer : keys.issuer
    let rsaIssuer = rsa.issue(issuer, key: rsaIssuerKey)
    let rsaSigner = CertificateMaker(rsaIssuer, key: rsaIssuerKey, algorithm: rsa.algorithm)
      .issue(signer, key: keys.signer)
    let storeIssuer = rsa.issue(purchaseIssuer, key: rsaIssuerKey)
    let storeSigner = CertificateMaker(storeIssuer, key: rsaIssuerKey, algorithm: rsa.algorithm)
      .issue(purchaseSigner, key: keys.shortSigner)

    let signerKey = PrivateKey(.p256)
    let issuerKey = PrivateKey(.p384)
    let curve = CertificateMaker(
      root: root, key: PrivateKey(.p384), algorithm: .ecdsaWithSHA384)
    let curveIssuer = curve.issue(issuer, key: issuerKey)
    let curveSigner = CertificateMaker(curveIssuer, key: issuerKey, algorithm: .ecdsaWithSHA384)
      .issue(signer, key: signerKey)

    return TestAuthority(
      receiptRoot: rsa.certificate.bytes, transactionRoot: curve.certificate.bytes,
      purchaseReceiptIssuer: storeIssuer.bytes,
      transactionSigner: Signer(signerKey, [curveSigner, curveIssuer, curve.certificate]),
      receiptSigner: Signer(keys.signer, [rsaSigner, rsaIssuer, rsa.certificate]),
      purchaseReceiptSigner: Signer(keys.shortSigner, [storeSigner, storeIssuer]))
  }
}
