internal import CryptoExtras
internal import SwiftASN1
internal import X509

/// The certificate of a signer of iOS 6 receipts.
///
/// X509 takes no RSA key under 2048 bits, and these have 1024; so it is taken apart here.
struct PurchaseReceiptCertificate {
  let issuer: DistinguishedName
  let subject: DistinguishedName
  let validity: Validity
  let extensions: Certificate.Extensions
  let key: _RSA.Signing.PublicKey
  private let signedBytes: ArraySlice<UInt8>
  private let signature: ASN1BitString
  private let algorithm: Certificate.SignatureAlgorithm

  /// Takes a certificate of version 3 in DER: RFC 5280, 4.1.
  init(derEncoded bytes: [UInt8]) throws {
    let parts = try Self.parts(of: try DER.parse(bytes), count: 3...3)
    // Version, number, algorithm, issuer, validity, subject, key; then extensions, after two unique
    // identifiers that nobody uses.
    let fields = try Self.parts(of: parts[0], count: 8...8)
    signedBytes = parts[0].encodedBytes
    algorithm = try Self.algorithm(parts[1])
    signature = try ASN1BitString(derEncoded: parts[2])
    guard try Self.algorithm(fields[2]) == algorithm else { throw Unreadable() }
    issuer = try DistinguishedName(derEncoded: fields[3])
    validity = try Self.validity(fields[4])
    subject = try DistinguishedName(derEncoded: fields[5])
    key = try _RSA.Signing.PublicKey(unsafeDERRepresentation: fields[6].encodedBytes)
    let wrapped = try Self.parts(
      of: fields[7], ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific), count: 1...1)
    extensions = try Certificate.Extensions(
      Self.parts(of: wrapped[0], count: 1...64).map(Certificate.Extension.init(derEncoded:)))
  }

  /// Checks that an authority issued this certificate, for the receipts of iOS 6.
  func require(issuedBy issuer: Certificate) throws(VerificationProblem) {
    let purpose = ChainPurpose.purchaseReceipt
    try CertificateChain.requireMarker(purpose.signerMarker, in: extensions, of: subject)
    try CertificateChain.requireKnown(extensions, of: subject)
    guard
      issuer.publicKey.isValidSignature(
        signature.bytes, for: signedBytes, signatureAlgorithm: algorithm)
    else {
      throw CertificateChain.untrusted(
        "\(CertificateChain.shown(subject)) is not issued by "
          + CertificateChain.shown(issuer.subject))
    }
  }

  private struct Unreadable: Error {}

  private static func parts(
    of node: ASN1Node, _ identifier: ASN1Identifier = .sequence, count: ClosedRange<Int>
  ) throws -> [ASN1Node] {
    guard node.identifier == identifier, case .constructed(let nodes) = node.content else {
      throw Unreadable()
    }
    let parts = Array(nodes)
    guard count.contains(parts.count) else { throw Unreadable() }
    return parts
  }

  private static func algorithm(_ node: ASN1Node) throws -> Certificate.SignatureAlgorithm {
    switch try ASN1ObjectIdentifier(derEncoded: parts(of: node, count: 1...2)[0]) {
    case [1, 2, 840, 113549, 1, 1, 5]: return .sha1WithRSAEncryption
    case [1, 2, 840, 113549, 1, 1, 11]: return .sha256WithRSAEncryption
    default: throw Unreadable()
    }
  }

  private static func validity(_ node: ASN1Node) throws -> Validity {
    let times = try parts(of: node, count: 2...2).map(milliseconds)
    return Validity(first: times[0], last: times[1] + 999)
  }

  private static func milliseconds(_ node: ASN1Node) throws -> Int64 {
    let time = try UTCTime(derEncoded: node)
    let days = SignedInstant.daysSince1970(
      year: Int64(time.year), month: Int64(time.month), day: Int64(time.day))
    let minutes = (days * 24 + Int64(time.hours)) * 60 + Int64(time.minutes)
    return (minutes * 60 + Int64(time.seconds)) * 1000
  }
}
