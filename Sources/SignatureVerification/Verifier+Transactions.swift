internal import LibCrypto

extension Verifier {
  /// Checks a signed transaction or notification.
  ///
  /// The caller checks the payload's `environment`.
  ///
  /// - Parameters:
  ///   - jws: The transaction or notification.
  ///   - signedAt: The `signedDate` of its payload, in milliseconds since 1970; the certificates
  ///     must be valid at this instant.
  /// - Throws: The reason why it does not count as signed by Apple.
  public func verify(_ jws: CompactJWS, at signedAt: Int64) throws(VerificationProblem) {
    let (chain, isKnown) = try chain(for: jws.header)
    let digest = checks.digest(of: jws.signedPayload, after: chain.headerHash)
    guard checks.isValid(raw: jws.signature, by: chain.key, digest) else {
      throw VerificationProblem.badSignature(of: "text")
    }
    if !isKnown {
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
    // Another thread may have added the chain.
    transactionChains = chains.transactions
    if let known = transactionChains.first(where: isWanted) { return (known, true) }
    chains.noteChecked()
    return (try checkedChain(for: header), false)
  }

  private func checkedChain(
    for header: ArraySlice<UInt8>
  ) throws(VerificationProblem) -> TransactionChain {
    let encoded = try JWSHeader(header).certificates
    guard let signer = Certificate(derEncoded: encoded[0]),
      let issuer = Certificate(derEncoded: encoded[1]),
      let enclosedRoot = Certificate(derEncoded: encoded[2])
    else {
      throw VerificationProblem(
        .malformed, "A certificate in the header cannot be read; take it from Apple again.")
    }
    // A root may be issued again for the same key; only the trusted root's own certificate counts.
    let trusted = roots.transactions.first {
      $0.subject == enclosedRoot.subject && $0.keyInfo == enclosedRoot.keyInfo
    }
    guard let root = trusted else {
      throw CertificateChain.untrusted(
        "The last certificate is not one of the trusted roots", lacksRoot: true)
    }
    try CertificateChain.require(signer, issuedBy: issuer, under: root, for: .transaction)
    guard signer.key.kind == .p256 else {
      throw CertificateChain.untrusted("The signer's key is not one for ES256")
    }
    var hash = RunningHash()
    hash.update(header)
    hash.update(CollectionOfOne(UInt8(ascii: ".")))
    return TransactionChain(
      roots: roots.identity, header: ArraySlice(Array(header)), key: signer.key,
      validity: Validity(signer).and(Validity(issuer)).and(Validity(root)),
      headerHash: HashState(of: hash))
  }
}
