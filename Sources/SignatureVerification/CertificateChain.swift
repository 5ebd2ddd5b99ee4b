internal import LibCrypto

/// The requirements for a chain of certificates besides its signatures.
struct ChainPurpose {
  /// The extension that marks the certificate of a signer of receipts or transactions.
  let signerMarker: ObjectIdentifier
  /// The extension that marks the authority between signer and root, where it is required.
  let issuerMarker: ObjectIdentifier?

  /// Signed transactions: both markers are required, as in Apple's own library.
  static let transaction = ChainPurpose(
    signerMarker: [1, 2, 840, 113635, 100, 6, 11, 1],
    issuerMarker: [1, 2, 840, 113635, 100, 6, 2, 1])
  /// App receipts: only the signer's marker; valid ones that others made lack the authority's
  /// marker.
  static let appReceipt = ChainPurpose(
    signerMarker: transaction.signerMarker, issuerMarker: nil)
  /// Receipts of iOS 6, as Apple's VerificationController.m says.
  static let purchaseReceipt = ChainPurpose(
    signerMarker: [1, 2, 840, 113635, 100, 6, 5, 1], issuerMarker: nil)
}

/// The separate steps from a signer's certificate to a trusted root.
///
/// OpenSSL's verifier builds paths of any shape and from any store; Apple's paths have exactly one
/// shape.
enum CertificateChain {
  /// Checks that the authority issued the signer's certificate, and the root the authority's.
  ///
  /// - Throws: `untrusted_chain`. The caller checks when the certificates were valid.
  static func require(
    _ signer: Certificate, issuedBy issuer: Certificate, under root: Certificate,
    for purpose: ChainPurpose
  ) throws(VerificationProblem) {
    try require(issuer, under: root, for: purpose)
    try requireMarker(purpose.signerMarker, in: signer)
    guard signer.issuer == issuer.subject, signer.isSigned(by: issuer) else {
      throw untrusted("\(shown(signer.subject)) is not issued by \(shown(issuer.subject))")
    }
    try requireKnown(signer)
  }

  /// Checks that a certificate belongs to an authority, and that the root issued it.
  static func require(
    _ issuer: Certificate, under root: Certificate, for purpose: ChainPurpose
  ) throws(VerificationProblem) {
    if let marker = purpose.issuerMarker {
      try requireMarker(marker, in: issuer)
    }
    guard issuer.issuer == root.subject, issuer.isSigned(by: root) else {
      throw untrusted("\(shown(issuer.subject)) is not issued by \(shown(root.subject))")
    }
    try requireKnown(issuer)
    guard issuer.mayIssue else {
      throw untrusted("\(shown(issuer.subject)) is not the certificate of an authority")
    }
  }

  /// Checks that the authority of iOS 6 receipts issued the certificate of their signer.
  ///
  /// Those signers have RSA keys of 1,024 bits.
  static func require(
    purchaseReceiptSigner signer: Certificate, issuedBy issuer: Certificate
  ) throws(VerificationProblem) {
    try requireMarker(ChainPurpose.purchaseReceipt.signerMarker, in: signer)
    try requireKnown(signer)
    guard case .rsa(let bits) = signer.key.kind, bits >= 1024, signer.isSigned(by: issuer) else {
      throw untrusted("\(shown(signer.subject)) is not issued by \(shown(issuer.subject))")
    }
  }

  /// Checks an extension that Apple puts into certificates for one purpose.
  static func requireMarker(
    _ marker: ObjectIdentifier, in certificate: Certificate
  ) throws(VerificationProblem) {
    guard certificate.extensions.contains(where: { $0.name == marker }) else {
      throw untrusted("\(shown(certificate.subject)) lacks \(marker), so it is not for this use")
    }
  }

  /// Checks that a certificate has no critical extension that is unknown here (RFC 5280, 4.2).
  static func requireKnown(_ certificate: Certificate) throws(VerificationProblem) {
    for other in certificate.extensions where other.isCritical && !understood.contains(other.name) {
      throw untrusted(
        "\(shown(certificate.subject)) has the unknown critical extension \(other.name)")
    }
  }

  /// The problem of an untrusted chain, with what to do about it.
  ///
  /// - Parameter lacksRoot: Whether a further trusted root could help.
  static func untrusted(_ what: String, lacksRoot: Bool = false) -> VerificationProblem {
    let otherwise = lacksRoot ? ", or name the root that it leads to as trusted" : ""
    return VerificationProblem(.untrustedChain, "\(what); take it from Apple again\(otherwise).")
  }

  /// A name from a certificate in the form for a message.
  ///
  /// Anyone can have made the certificate, so only printable ASCII characters are shown.
  static func shown(_ name: [UInt8]) -> String {
    let text = String(Certificate.text(ofName: name).unicodeScalars.lazy.prefix(120).map(printable))
    return text.isEmpty ? "a certificate without a name" : "'\(text)'"
  }

  private static func printable(_ scalar: Unicode.Scalar) -> Character {
    (0x20..<0x7f).contains(scalar.value) ? Character(scalar) : "?"
  }

  /// The extensions that may be critical: Apple's markers, and those of RFC 5280, 4.2.1.
  ///
  /// In this order: Apple's markers of signers and of authorities, basicConstraints, keyUsage,
  /// extendedKeyUsage, certificatePolicies, subjectKeyIdentifier, authorityKeyIdentifier.
  private static let understood: Set<ObjectIdentifier> = [
    ChainPurpose.transaction.signerMarker, ChainPurpose.purchaseReceipt.signerMarker,
    [1, 2, 840, 113635, 100, 6, 2, 1], [1, 2, 840, 113635, 100, 6, 2, 2],
    [2, 5, 29, 19], [2, 5, 29, 15], [2, 5, 29, 37], [2, 5, 29, 32], [2, 5, 29, 14], [2, 5, 29, 35],
  ]
}
