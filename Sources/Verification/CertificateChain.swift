internal import SwiftASN1
internal import X509

/// What a chain of certificates must show beside its signatures.
struct ChainPurpose {
  /// What makes a certificate that of a signer of receipts or transactions.
  let signerMarker: ASN1ObjectIdentifier
  /// What makes a certificate that of the authority between signer and root, where that is demanded.
  let issuerMarker: ASN1ObjectIdentifier?

  /// Signed transactions: both markers, as Apple's own library has it.
  static let transaction = ChainPurpose(
    signerMarker: [1, 2, 840, 113635, 100, 6, 11, 1],
    issuerMarker: [1, 2, 840, 113635, 100, 6, 2, 1])
  /// App receipts: the signer's marker alone; good ones that others made lack the authority's.
  static let appReceipt = ChainPurpose(
    signerMarker: transaction.signerMarker, issuerMarker: nil)
  /// Receipts of iOS 6, as Apple's VerificationController.m says.
  static let purchaseReceipt = ChainPurpose(
    signerMarker: [1, 2, 840, 113635, 100, 6, 5, 1], issuerMarker: nil)

  /// Apple's markers of signers and of authorities; critical or not, they are understood.
  static let markers: Set<ASN1ObjectIdentifier> = [
    [1, 2, 840, 113635, 100, 6, 11, 1], [1, 2, 840, 113635, 100, 6, 5, 1],
    [1, 2, 840, 113635, 100, 6, 2, 1], [1, 2, 840, 113635, 100, 6, 2, 2],
  ]
}

/// The steps from a signer's certificate to a trusted root, one by one.
///
/// X509's own verifier builds paths of any shape, and is asynchronous; Apple's have exactly one shape.
enum CertificateChain {
  /// Checks that the signer's certificate is the authority's, and the authority's the root's.
  ///
  /// - Throws: `untrusted_chain`. When they were valid is for the caller to look at.
  static func require(
    _ signer: Certificate, issuedBy issuer: Certificate, under root: Certificate,
    for purpose: ChainPurpose
  ) throws(VerificationProblem) {
    try require(issuer, under: root, for: purpose)
    try requireMarker(purpose.signerMarker, in: signer.extensions, of: signer.subject)
    guard signer.issuer == issuer.subject,
      issuer.publicKey.isValidSignature(signer.signature, for: signer)
    else {
      throw untrusted("\(shown(signer.subject)) is not issued by \(shown(issuer.subject))")
    }
    try requireKnown(signer.extensions, of: signer.subject)
  }

  /// Checks that a certificate is an authority's and the root's.
  static func require(
    _ issuer: Certificate, under root: Certificate, for purpose: ChainPurpose
  ) throws(VerificationProblem) {
    if let marker = purpose.issuerMarker {
      try requireMarker(marker, in: issuer.extensions, of: issuer.subject)
    }
    guard issuer.issuer == root.subject,
      root.publicKey.isValidSignature(issuer.signature, for: issuer)
    else {
      throw untrusted("\(shown(issuer.subject)) is not issued by \(shown(root.subject))")
    }
    try requireKnown(issuer.extensions, of: issuer.subject)
    guard mayIssue(issuer) else {
      throw untrusted("\(shown(issuer.subject)) is not the certificate of an authority")
    }
  }

  /// Checks an extension that Apple puts into certificates for one purpose.
  static func requireMarker(
    _ marker: ASN1ObjectIdentifier, in extensions: Certificate.Extensions,
    of subject: DistinguishedName
  ) throws(VerificationProblem) {
    guard extensions[oid: marker] != nil else {
      throw untrusted("\(shown(subject)) lacks \(marker), so it is not for this use")
    }
  }

  /// Checks that nothing critical stands in a certificate that is not looked at here (RFC 5280, 4.2).
  static func requireKnown(
    _ extensions: Certificate.Extensions, of subject: DistinguishedName
  ) throws(VerificationProblem) {
    for known in extensions where known.critical && !understood.contains(known.oid) {
      throw untrusted("\(shown(subject)) has the unknown critical extension \(known.oid)")
    }
  }

  /// The problem, with what to do about it.
  static func untrusted(_ what: String) -> VerificationProblem {
    VerificationProblem(
      .untrustedChain,
      "\(what); take it from Apple again, or name the root that it leads to as trusted.")
  }

  /// A name out of a certificate, which anyone may have made up, fit for a message.
  static func shown(_ name: DistinguishedName) -> String {
    let text = String(String(describing: name).unicodeScalars.lazy.prefix(120).map(printable))
    return text.isEmpty ? "a certificate without a name" : "'\(text)'"
  }

  private static func printable(_ scalar: Unicode.Scalar) -> Character {
    (0x20..<0x7f).contains(scalar.value) ? Character(scalar) : "?"
  }

  private static func mayIssue(_ certificate: Certificate) -> Bool {
    guard let constraints = try? certificate.extensions.basicConstraints,
      case .isCertificateAuthority = constraints
    else { return false }
    // No key usage at all leaves every use open.
    guard certificate.extensions[oid: .X509ExtensionID.keyUsage] != nil else { return true }
    return (try? certificate.extensions.keyUsage)?.keyCertSign ?? false
  }

  /// The names of keys, the use of keys, certificate policies and what makes an authority.
  private static let understood: Set<ASN1ObjectIdentifier> = ChainPurpose.markers.union([
    .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    .X509ExtensionID.extendedKeyUsage, [2, 5, 29, 32],
    .X509ExtensionID.subjectKeyIdentifier, .X509ExtensionID.authorityKeyIdentifier,
  ])
}
