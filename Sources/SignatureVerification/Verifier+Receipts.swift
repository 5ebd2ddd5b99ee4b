internal import LibCrypto

extension AppReceipt {
  /// Decodes an app receipt without a check of its signature, so anyone may have written it.
  ///
  /// - Parameter bytes: CMS in BER or DER.
  /// - Throws: `malformed`.
  public init(unverified bytes: [UInt8]) throws(VerificationProblem) {
    self = try ReceiptContent.receipt(try SignedMessage(bytes[...]).content)
  }

  /// Whether bytes begin with a whole element of BER, as a receipt is.
  ///
  /// An element of indefinite length does not give its length, so its content is read to its end.
  package static func isWhole(_ bytes: [UInt8]) -> Bool {
    var cursor = BERCursor(bytes.indices)
    return (try? cursor.next(in: bytes[...])) != nil
  }
}

extension Verifier {
  /// Checks and decodes an app receipt: CMS in BER or DER.
  ///
  /// The certificates must be valid when the receipt was made (attribute 12).
  ///
  /// - Parameter bytes: The receipt, its base64 already decoded. Zeros after it are ignored.
  /// - Throws: The reason why it does not count as signed by Apple.
  public func appReceipt(_ bytes: [UInt8]) throws(VerificationProblem) -> AppReceipt {
    let message = try SignedMessage(bytes[...])
    let receipt = try ReceiptContent.receipt(message.content)
    if receipt.receiptType == "Xcode" { throw XcodeCertificate.problem }
    guard let createdAt = receipt.createdAt.flatMap(SignedInstant.milliseconds) else {
      throw VerificationProblem(
        .malformed,
        "Its creation date (attribute 12) is missing or in no known form; ask Apple for it again.")
    }
    let (chain, isKnown) = try chain(of: message)
    guard message.isSigned(by: chain.key, checks) else {
      throw VerificationProblem.badSignature(of: "receipt")
    }
    if !isKnown { chains.remember(chain) }
    try chain.validity.require(createdAt)
    return receipt
  }

  private func chain(
    of message: SignedMessage
  ) throws(VerificationProblem) -> (ReceiptChain, isKnown: Bool) {
    let signer = message.certificates.first {
      $0.issuer == message.signerIssuer && $0.serialNumber == message.signerSerialNumber
    }
    guard let signer else {
      throw CertificateChain.untrusted("It does not contain the certificate of its signer")
    }
    if XcodeCertificate.isMarked(signer.subject) { throw XcodeCertificate.problem }
    var problem = CertificateChain.untrusted("It does not contain the certificate of its authority")
    // Several certificates may have the authority's name; one of them must pass the checks.
    for issuer in message.certificates where issuer.subject == signer.issuer {
      if let known = knownChain(signer.bytes, issuer.bytes) { return (known, true) }
      chains.noteChecked()
      do throws(VerificationProblem) {
        return (try checkedChain(signer.bytes, issuer.bytes), false)
      } catch {
        problem = error
      }
    }
    throw problem
  }

  private func checkedChain(
    _ signerBytes: ArraySlice<UInt8>, _ issuerBytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) -> ReceiptChain {
    guard let signer = Certificate(derEncoded: Array(signerBytes)),
      let issuer = Certificate(derEncoded: Array(issuerBytes))
    else {
      throw VerificationProblem(
        .malformed, "A certificate in the receipt cannot be read; ask Apple for it again.")
    }
    let root = try root(of: issuer, for: .appReceipt)
    try CertificateChain.require(signer, issuedBy: issuer, under: root, for: .appReceipt)
    guard case .rsa(let bits) = signer.key.kind, bits >= 2048 else {
      throw CertificateChain.untrusted("The signer's key is not RSA of at least 2,048 bits")
    }
    return ReceiptChain(
      roots: roots.identity, signer: ArraySlice(Array(signerBytes)),
      issuer: ArraySlice(Array(issuerBytes)), key: signer.key,
      validity: Validity(signer).and(Validity(issuer)).and(Validity(root)))
  }

  /// The trusted root that issued an authority's certificate.
  func root(
    of issuer: Certificate, for purpose: ChainPurpose
  ) throws(VerificationProblem) -> Certificate {
    var problem = CertificateChain.untrusted(
      "\(CertificateChain.shown(issuer.issuer)) is not one of the trusted roots",
      lacksRoot: true)
    for root in roots.receipts where root.subject == issuer.issuer {
      do throws(VerificationProblem) {
        try CertificateChain.require(issuer, under: root, for: purpose)
        return root
      } catch {
        problem = error
      }
    }
    throw problem
  }

  func knownChain(_ signer: ArraySlice<UInt8>, _ issuer: ArraySlice<UInt8>) -> ReceiptChain? {
    func isWanted(_ chain: ReceiptChain) -> Bool {
      chain.roots === roots.identity && chain.signer == signer && chain.issuer == issuer
    }
    if let known = receiptChains.first(where: isWanted) { return known }
    // Another thread may have added the chain.
    receiptChains = chains.receipts
    return receiptChains.first(where: isWanted)
  }
}

extension SignedMessage {
  /// Whether this key made the signature, and the signature covers this content.
  func isSigned(by key: PublicKey, _ checks: SignatureChecks) -> Bool {
    let contentDigest = checks.digest(of: content, function)
    guard let signedAttributes else {
      return checks.isValid(signature, by: key, function, contentDigest)
    }
    return contentDigest.equals(signedAttributes.messageDigest)
      && checks.isValid(signature, by: key, function, over: signedAttributes.signedBytes[...])
  }
}
