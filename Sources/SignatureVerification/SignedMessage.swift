internal import LibCrypto

/// A CMS message (RFC 5652) with its content and one signature: the outer form of an app receipt.
struct SignedMessage {
  /// The maximum number of certificates; Apple sends three.
  static let certificateLimit = 16

  /// The signed content.
  let content: ArraySlice<UInt8>
  /// The certificates in the message, in their order.
  let certificates: [EnclosedCertificate]
  /// The name of the signer's issuer, as it is encoded.
  let signerIssuer: ArraySlice<UInt8>
  /// The signer's serial number, without tag and length.
  let signerSerialNumber: ArraySlice<UInt8>
  /// The hash function of content and signed attributes: SHA-1 until 2023, SHA-256 since.
  let function: HashFunction
  /// The signed attributes, if there are any.
  let signedAttributes: SignedAttributes?
  let signature: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) throws(VerificationProblem) {
    var outermost = BERReader(bytes)
    var contentInfo = outermost.within(try outermost.next(BERTag.sequence, "CMS message"))
    guard outermost.hasOnlyPaddingLeft else {
      throw VerificationProblem(
        .malformed, "Something follows the receipt at byte \(outermost.offset); send it alone.")
    }
    let kind = try contentInfo.next(BERTag.objectIdentifier, "kind of message")
    guard bytes[kind.content].elementsEqual(ObjectIdentifierBytes.signedData) else {
      throw VerificationProblem(
        .malformed, "It is a CMS message that is not signed; send the receipt.")
    }
    var wrapper = contentInfo.within(try contentInfo.next(BERTag.first, "signed data"))
    var signedData = wrapper.within(try wrapper.next(BERTag.sequence, "signed data"))
    _ = try signedData.next(BERTag.integer, "version")
    _ = try signedData.next(BERTag.set, "list of digests")
    content = try Self.content(&signedData)
    certificates = try Self.certificates(&signedData)
    if signedData.nextTag == BERTag.second { _ = try signedData.next() }
    var signers = signedData.within(try signedData.next(BERTag.set, "list of signers"))
    var signer = signers.within(try signers.next(BERTag.sequence, "signer"))
    guard signers.isAtEnd else {
      throw VerificationProblem(
        .malformed,
        "It has several signers, but Apple's receipts have one; send the receipt of Apple.")
    }
    _ = try signer.next(BERTag.integer, "version of the signer")
    var name = signer.within(try signer.next(BERTag.sequence, "name of the signer"))
    signerIssuer = bytes[try name.next(BERTag.sequence, "issuer of the signer").whole]
    signerSerialNumber = bytes[try name.next(BERTag.integer, "number of the signer").content]
    function = try Self.function(&signer)
    if signer.nextTag == BERTag.first {
      signedAttributes = try SignedAttributes(bytes, within: try signer.next())
    } else {
      signedAttributes = nil
    }
    try Self.requireRSA(&signer, with: function)
    signature = try signer.octets(try signer.next())
  }

  private static func content(
    _ signedData: inout BERReader
  ) throws(VerificationProblem) -> ArraySlice<UInt8> {
    var encapsulated = signedData.within(try signedData.next(BERTag.sequence, "content"))
    let kind = try encapsulated.next(BERTag.objectIdentifier, "kind of content")
    guard encapsulated.bytes[kind.content].elementsEqual(ObjectIdentifierBytes.data) else {
      throw VerificationProblem(
        .malformed, "The signed content is not data, as in a receipt; send the receipt.")
    }
    guard encapsulated.nextTag == BERTag.first else {
      throw VerificationProblem(
        .malformed, "It is a signature without the receipt that it signs; send both.")
    }
    var wrapper = encapsulated.within(try encapsulated.next())
    return try wrapper.octets(try wrapper.next())
  }

  private static func certificates(
    _ signedData: inout BERReader
  ) throws(VerificationProblem) -> [EnclosedCertificate] {
    guard signedData.nextTag == BERTag.first else { return [] }
    var set = signedData.within(try signedData.next())
    var found: [EnclosedCertificate] = []
    while !set.isAtEnd {
      guard found.count < certificateLimit else {
        throw VerificationProblem(
          .malformed, "It has more certificates than any receipt; send the receipt of Apple.")
      }
      found.append(try EnclosedCertificate(set.bytes, try set.next(BERTag.sequence, "certificate")))
    }
    return found
  }

  private static func function(
    _ signer: inout BERReader
  ) throws(VerificationProblem) -> HashFunction {
    var algorithm = signer.within(try signer.next(BERTag.sequence, "digest"))
    let name = signer.bytes[
      try algorithm.next(BERTag.objectIdentifier, "name of the digest").content]
    if name.elementsEqual(ObjectIdentifierBytes.sha256) { return .sha256 }
    if name.elementsEqual(ObjectIdentifierBytes.sha1) { return .sha1 }
    throw VerificationProblem(
      .malformed, "Its digest is neither SHA-1 nor SHA-256; send the receipt of Apple.")
  }

  private static func requireRSA(
    _ signer: inout BERReader, with function: HashFunction
  ) throws(VerificationProblem) {
    var algorithm = signer.within(try signer.next(BERTag.sequence, "kind of signature"))
    let name = signer.bytes[
      try algorithm.next(BERTag.objectIdentifier, "name of the signature").content]
    if name.elementsEqual(ObjectIdentifierBytes.rsa) { return }
    let combined =
      switch function {
      case .sha1: ObjectIdentifierBytes.sha1WithRSA
      case .sha256: ObjectIdentifierBytes.sha256WithRSA
      }
    guard name.elementsEqual(combined) else {
      throw VerificationProblem(.malformed, "It is not signed by RSA, as Apple's receipts are.")
    }
  }
}

/// Object identifiers as they are encoded, without tag and length.
enum ObjectIdentifierBytes {
  /// `id-data`, 1.2.840.113549.1.7.1.
  static let data: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01]
  /// `id-signedData`, 1.2.840.113549.1.7.2.
  static let signedData: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]
  /// `id-contentType`, 1.2.840.113549.1.9.3.
  static let contentType: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x03]
  /// `id-messageDigest`, 1.2.840.113549.1.9.4.
  static let messageDigest: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x04]
  /// `rsaEncryption`, 1.2.840.113549.1.1.1.
  static let rsa: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]
  /// `sha1WithRSAEncryption`, 1.2.840.113549.1.1.5.
  static let sha1WithRSA: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x05]
  /// `sha256WithRSAEncryption`, 1.2.840.113549.1.1.11.
  static let sha256WithRSA: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]
  /// `id-sha1`, 1.3.14.3.2.26.
  static let sha1: [UInt8] = [0x2b, 0x0e, 0x03, 0x02, 0x1a]
  /// `id-sha256`, 2.16.840.1.101.3.4.2.1.
  static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
}
