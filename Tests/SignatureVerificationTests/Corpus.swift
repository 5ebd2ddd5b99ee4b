import Foundation
import SignatureVerification
import TestNeeds
import Testing

/// The content of the genuine files.
extension Corpus {
  /// The bytes of a receipt, decoded if its file is base64.
  static func receipt(_ name: String) throws -> [UInt8] {
    let bytes = try bytes("receipts/\(name)")
    guard name.hasSuffix(".b64") else { return bytes }
    let decoded = Base64.decoded(bytes)
    return try #require(decoded)
  }

  static func transaction(_ name: String) throws -> CompactJWS {
    try CompactJWS(try bytes("jws/\(name).jws"))
  }

  static func json(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  /// The signing date in a payload.
  ///
  /// Some kinds of payload have it under another name.
  static func signedDate(_ jws: CompactJWS) throws -> Int64 {
    let payload = try json(jws.payload)
    return payload["signedDate"] as? Int64 ?? payload["receiptCreationDate"] as? Int64
      ?? 1_700_000_000_000
  }

  /// The members of a JSON file.
  static func json(at name: String) throws -> [String: Any] { try json(try bytes(name)) }

  /// A verifier that trusts Apple's roots and the roots of the synthetic files.
  static func verifier() throws -> Verifier {
    let names = ["receipt-root", "receipt-expired-root", "receipt-no-signer-oid-root"]
    let curves = [
      "jws-root", "jws-expired-root", "jws-no-intermediate-oid-root", "jws-no-leaf-oid-root",
    ]
    let roots = try TrustedRoots(
      receipts: [try bytes("certs/AppleIncRootCertificate.cer")]
        + names.map { try bytes("certs/emindeniz99__\($0).der") },
      transactions: [
        try bytes("certs/AppleRootCA-G3.cer"), try bytes("certs/apple__testCA.der"),
      ] + curves.map { try bytes("certs/emindeniz99__\($0).der") })
    return Verifier(roots: roots, chains: ChainCache())
  }
}
