internal import Foundation

/// The differences between a signed transaction and Apple's.
public struct TransactionForm: Sendable {
  /// The algorithm that the header names.
  package var algorithm = "ES256"
  /// The certificates in the header: 0 is the signer's, 1 the authority's, 2 the root's.
  ///
  /// Nil: the header has no `x5c`.
  package var certificates: [Int]? = [0, 1, 2]
  /// Certificates in DER that replace some of these, by their numbers.
  package var foreignCertificates: [Int: [UInt8]] = [:]
  /// Further members of the header.
  package var otherMembers: [String: String] = [:]

  /// The form of Apple's transactions.
  public init() {}
}

extension TestAuthority {
  /// The certificates of transactions in DER: signer, authority, root.
  public var transactionCertificates: [[UInt8]] { transactionSigner.chain }

  /// Signs a transaction or notification: compact JWS with ES256.
  public func sign(payload: String, form: TransactionForm = TransactionForm()) throws -> String {
    try sign(payload: Array(payload.utf8), form: form)
  }

  /// Signs any bytes as the payload of a JWS.
  package func sign(payload: [UInt8], form: TransactionForm = TransactionForm()) throws -> String {
    var members = form.otherMembers.sorted { $0.key < $1.key }.map {
      "\"\($0.key)\":\"\($0.value)\""
    }
    members.append("\"alg\":\"\(form.algorithm)\"")
    if let indices = form.certificates {
      let chain = transactionSigner.chain
      members.append(
        "\"x5c\":\(Self.encoded(indices.map { form.foreignCertificates[$0] ?? chain[$0] }))")
    }
    return try sign(header: "{\(members.joined(separator: ","))}", payload: payload)
  }

  /// Signs a payload under a header of any text, with the array of certificates in place of `$x5c`.
  package func sign(header: String, payload: String) throws -> String {
    let header = header.replacing("$x5c", with: Self.encoded(transactionSigner.chain))
    return try sign(header: header, payload: Array(payload.utf8))
  }

  private func sign(header: String, payload: [UInt8]) throws -> String {
    let signed = Self.urlEncoded(Array(header.utf8)) + "." + Self.urlEncoded(payload)
    let signature = transactionSigner.key.rawSignature(over: Array(signed.utf8))
    return signed + "." + Self.urlEncoded(signature)
  }

  /// The root of transactions in PEM.
  public var transactionRootPEM: String {
    let text = Data(transactionRoot).base64EncodedString(options: .lineLength64Characters)
    return
      "-----BEGIN CERTIFICATE-----\n\(text.replacing("\r", with: ""))\n-----END CERTIFICATE-----\n"
  }

  private static func encoded(_ certificates: [[UInt8]]) -> String {
    "[\(certificates.map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ","))]"
  }

  private static func urlEncoded(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
