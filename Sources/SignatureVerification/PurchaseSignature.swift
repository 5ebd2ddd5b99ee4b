/// The signature of an iOS 6 receipt.
///
/// Its bytes are the version, the RSA signature, the length of the certificate and the certificate.
struct PurchaseSignature {
  /// The version: 2, or 3 with longer keys.
  let version: UInt8
  let signature: ArraySlice<UInt8>
  /// The signer's certificate, in DER.
  let certificate: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) throws(VerificationProblem) {
    let length: Int
    switch bytes.first {
    case 2: length = 128
    case 3: length = 256
    default:
      throw VerificationProblem(
        .malformed, "The signature has neither version 2 nor version 3; send it as it was made.")
    }
    let head = 1 + length + 4
    guard bytes.count > head else {
      throw VerificationProblem(.malformed, "The signature is cut off; send it whole.")
    }
    let certificateLength = bytes[(1 + length)..<head].reduce(0) { $0 << 8 | Int($1) }
    guard certificateLength == bytes.count - head else {
      throw VerificationProblem(
        .malformed, "The signature's certificate is not as long as it says; send it whole.")
    }
    version = bytes[0]
    signature = bytes[1..<(1 + length)]
    certificate = bytes[head...]
  }
}
