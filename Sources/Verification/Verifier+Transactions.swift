internal import Crypto
internal import SwiftASN1
internal import X509

extension Verifier {
  /// Checks a signed transaction or notification.
  ///
  /// The payload's `environment` is for the caller to look at.
  ///
  /// - Parameters:
  ///   - jws: The transaction or notification.
  ///   - signedAt: Its payload's `signedDate`, in milliseconds since 1970, at which the certificates
  ///     must be valid.
  /// - Throws: Why it does not count as signed by Apple.
  public func verify(_ jws: CompactJWS, at signedAt: Int64) throws(VerificationProblem) {
    let (chain, isKnown) = try chain(for: jws.header)
    var digest = chain.digest
    digest.update(data: jws.signedPayload)
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature),
      chain.key.isValidSignature(signature, for: digest.finalize())
    else {
      throw VerificationProblem(
        .badSignature, "The signature belongs to another text: it was changed on the way.")
    }
    if isKnown {
      chains.noteReused()
    } else {
      transactionChains.insert(chain, at: 0)
      chains.remember(chain)
    }
    try chain.validity.require(signedAt)
  }

  private func chain(
    for header: ArraySlice<UInt8>
  ) throws(VerificationProblem) -> (TransactionChain, isKnown: Bool) {
    func isWanted(_ chain: TransactionChain) -> Bool {
      chain.roots === roots.identity && chain.header == header
    }
    if let index = transactionChains.firstIndex(where: isWanted) {
      return (transactionChains[index], true)
    }
    // Another thread may know it.
    transactionChains = chains.transactions
    if let known = transactionChains.first(where: isWanted) { return (known, true) }
    chains.noteChecked()
    return (try checkedChain(for: header), false)
  }

  private func checkedChain(
    for header: ArraySlice<UInt8>
  ) throws(VerificationProblem) -> TransactionChain {
    let encoded = try JWSHeader(header).certificates
    let signer: Certificate
    let issuer: Certificate
    let enclosedRoot: Certificate
    do {
      signer = try Certificate(derEncoded: encoded[0])
      issuer = try Certificate(derEncoded: encoded[1])
      enclosedRoot = try Certificate(derEncoded: encoded[2])
    } catch {
      throw VerificationProblem(
        .malformed, "A certificate in the header cannot be read; take it from Apple again.")
    }
    // A root may be issued anew for the same key; what counts is the trusted one's own certificate.
    let trusted = roots.transactions.first {
      $0.subject == enclosedRoot.subject && $0.publicKey == enclosedRoot.publicKey
    }
    guard let root = trusted else {
      throw CertificateChain.untrusted("The last certificate is none of the trusted roots")
    }
    try CertificateChain.require(signer, issuedBy: issuer, under: root, for: .transaction)
    guard let key = P256.Signing.PublicKey(signer.publicKey) else {
      throw CertificateChain.untrusted("The signer's key is not one for ES256")
    }
    var digest = SHA256()
    digest.update(data: header)
    digest.update(data: [UInt8(ascii: ".")])
    return TransactionChain(
      roots: roots.identity, header: ArraySlice(Array(header)), key: key,
      validity: Validity(signer).and(Validity(issuer)).and(Validity(root)), digest: digest)
  }
}
