internal import LibCrypto

extension Verifier {
  /// Checks and decodes a receipt of iOS 6: an old-style property list.
  ///
  /// The certificates must be valid at its `purchase-date-ms`, as in Apple's
  /// VerificationController.m, because the receipt does not say when it was signed.
  ///
  /// - Parameter text: The property list, its base64 already decoded.
  /// - Throws: The reason why it does not count as signed by Apple.
  public func transactionReceipt(
    _ text: [UInt8]
  ) throws(VerificationProblem) -> TransactionReceipt {
    let outside = try PropertyListText.entries(text)
    guard let purchase = outside["purchase-info"], let encoded = outside["signature"] else {
      throw VerificationProblem(
        .malformed, "It lacks purchase-info or its signature; send the receipt as it was made.")
    }
    guard let info = Base64.decoded(Array(purchase.utf8)),
      let signatureBytes = Base64.decoded(Array(encoded.utf8))
    else {
      throw VerificationProblem(
        .malformed, "Its purchase-info or signature is not base64; send it as it was made.")
    }
    let fields = try PropertyListText.entries(info)
    let signature = try PurchaseSignature(signatureBytes)
    guard let purchasedAt = fields["purchase-date-ms"].flatMap({ Int64($0) }) else {
      throw VerificationProblem(
        .malformed,
        "It does not say when the purchase was made (purchase-date-ms); send it as Apple made it.")
    }
    let (chain, isKnown) = try chain(of: signature)
    guard signature.isSigned([signature.version] + info, by: chain.key, checks) else {
      throw VerificationProblem.badSignature(of: "purchase")
    }
    if !isKnown { chains.remember(chain) }
    try chain.validity.require(purchasedAt, event: "The purchase was made")
    return TransactionReceipt(fields: fields, environment: outside["environment"])
  }

  private func chain(
    of signature: PurchaseSignature
  ) throws(VerificationProblem) -> (ReceiptChain, isKnown: Bool) {
    if let known = knownChain(signature.certificate, []) { return (known, true) }
    chains.noteChecked()
    guard let signer = Certificate(derEncoded: Array(signature.certificate)) else {
      throw VerificationProblem(
        .malformed, "The certificate in the signature cannot be read; send it as it was made.")
    }
    var problem = CertificateChain.untrusted(
      "\(CertificateChain.shown(signer.issuer)) is not a known issuer of iOS 6 receipts")
    for issuer in roots.purchaseReceiptIssuers where issuer.subject == signer.issuer {
      do throws(VerificationProblem) {
        let root = try root(of: issuer, for: .purchaseReceipt)
        try CertificateChain.require(purchaseReceiptSigner: signer, issuedBy: issuer)
        let chain = ReceiptChain(
          roots: roots.identity, signer: ArraySlice(Array(signature.certificate)), issuer: [],
          key: signer.key, validity: Validity(signer).and(Validity(issuer)).and(Validity(root)))
        return (chain, false)
      } catch {
        problem = error
      }
    }
    throw problem
  }
}

extension PurchaseSignature {
  /// Whether this key signed these bytes.
  ///
  /// Version 2 uses SHA-1, as in Apple's VerificationController.m. Of version 3 only the length is
  /// known, so SHA-1 and SHA-256 are accepted. With either of them, only the key's owner can sign.
  func isSigned(_ bytes: [UInt8], by key: PublicKey, _ checks: SignatureChecks) -> Bool {
    if checks.isValid(signature, by: key, .sha1, over: bytes[...]) { return true }
    return version == 3 && checks.isValid(signature, by: key, .sha256, over: bytes[...])
  }
}
