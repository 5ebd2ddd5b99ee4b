internal import FoundationEssentials

/// The header of a signed transaction, decoded once for each chain of certificates.
struct JWSHeader {
  /// The members of the header, by the names of RFC 7515.
  private struct Fields: Decodable {
    let alg: String?
    let kid: String?
    let x5c: [String]?
    let crit: [String]?
  }

  /// The certificates in DER: signer, authority, root.
  let certificates: [[UInt8]]

  init(_ segment: ArraySlice<UInt8>) throws(VerificationProblem) {
    guard let bytes = Base64.urlDecoded(segment),
      let fields = try? JSONDecoder().decode(Fields.self, from: Data(bytes))
    else {
      throw VerificationProblem(.malformed, "The header is not JSON in base64url; send it whole.")
    }
    guard fields.alg == "ES256", fields.crit == nil else {
      throw VerificationProblem(
        .malformed, "The algorithm is not ES256 without extensions; take it from Apple.")
    }
    guard let encoded = fields.x5c else {
      throw VerificationProblem(
        .malformed, "The header has no certificates (x5c); take it from Apple again.")
    }
    var certificates: [[UInt8]] = []
    for text in encoded.prefix(4) {
      guard let certificate = Base64.decoded(Array(text.utf8)) else {
        throw VerificationProblem(
          .malformed, "A certificate in the header is not base64; take the text from Apple again.")
      }
      certificates.append(certificate)
    }
    if certificates.count == 1,
      fields.kid == Self.xcodeKey || XcodeCertificate.isMarked(certificates[0])
    {
      throw XcodeCertificate.problem
    }
    guard certificates.count == 3 else {
      throw CertificateChain.untrusted(
        "The header has \(encoded.count) certificates, but Apple's have three")
    }
    self.certificates = certificates
  }

  private static let xcodeKey = "Apple_Xcode_Key"
}

/// The certificate with which Xcode signs when it simulates the App Store on a developer's machine.
enum XcodeCertificate {
  /// The name of its subject and issuer.
  private static let name = Array("StoreKit Testing in Xcode".utf8)

  /// Whether the certificate contains Xcode's name.
  static func isMarked(_ certificate: some RandomAccessCollection<UInt8>) -> Bool {
    var rest = certificate[...]
    while let start = rest.firstIndex(of: name[0]) {
      rest = rest[start...]
      if rest.starts(with: name) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  static let problem = VerificationProblem(
    .xcode, "Xcode signed it in a test: nothing was sold. Keep test machines out of the inbox.")
}
