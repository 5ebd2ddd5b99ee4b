import Foundation
import TestNeeds
import Testing
import Verification

/// What the genuine files hold.
extension Corpus {
  /// A receipt, its base64 decoded where it is in base64.
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

  /// When a payload says that it was signed; some kinds do not say it in that name.
  static func signedDate(_ jws: CompactJWS) throws -> Int64 {
    let payload = try json(jws.payload)
    return payload["signedDate"] as? Int64 ?? payload["receiptCreationDate"] as? Int64
      ?? 1_700_000_000_000
  }

  /// What the JSON of a file says, by member.
  static func json(at name: String) throws -> [String: Any] { try json(try bytes(name)) }

  /// One that trusts Apple's roots and those of the synthetic files.
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
