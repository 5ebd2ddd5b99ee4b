internal import Crypto
internal import Foundation

/// How a signed transaction differs from Apple's.
public struct TransactionForm: Sendable {
  /// What the header asks for.
  public var algorithm = "ES256"
  /// Which certificates it brings along: signer, authority, root are 0, 1, 2. None: no `x5c`.
  public var certificates: [Int]? = [0, 1, 2]
  /// The root that it brings along instead of the authority's own, in DER.
  public var foreignRoot: [UInt8]?
  /// Further members of the header.
  public var otherMembers: [String: String] = [:]

  /// Just like Apple's.
  public init() {}
}

extension TestAuthority {
  /// Signs a transaction or notification: compact JWS with ES256.
  public func sign(payload: String, form: TransactionForm = TransactionForm()) throws -> String {
    try sign(payload: Array(payload.utf8), form: form)
  }

  /// Signs any bytes as the payload of a JWS.
  public func sign(payload: [UInt8], form: TransactionForm = TransactionForm()) throws -> String {
    var members = form.otherMembers.sorted { $0.key < $1.key }.map {
      "\"\($0.key)\":\"\($0.value)\""
    }
    members.append("\"alg\":\"\(form.algorithm)\"")
    if let indices = form.certificates {
      var chain = transactionSigner.chain
      if let foreignRoot = form.foreignRoot { chain[2] = foreignRoot }
      let certificates = indices.map { "\"\(Data(chain[$0]).base64EncodedString())\"" }
      members.append("\"x5c\":[\(certificates.joined(separator: ","))]")
    }
    let header = "{\(members.joined(separator: ","))}"
    let signed = Self.urlEncoded(Array(header.utf8)) + "." + Self.urlEncoded(payload)
    let signature = try transactionSigner.key.signature(for: Data(signed.utf8))
    return signed + "." + Self.urlEncoded(Array(signature.rawRepresentation))
  }

  static func urlEncoded(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
