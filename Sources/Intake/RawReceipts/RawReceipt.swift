import LibCrypto

/// An app receipt or a transaction receipt as an app sent it, and who sent it.
public struct RawReceipt: Sendable, Equatable {
  /// The receipt itself, decoded from base64.
  public let bytes: [UInt8]
  /// The account that the envelope names.
  package var accountID: String?
  /// The device that the envelope names.
  package var deviceID: String?
  /// The storefront that the envelope names.
  package var storefront: String?
  /// The line of the file that the document begins in.
  public var line: Int64

  /// Makes a receipt from its bytes and from the members of an envelope.
  package init(
    bytes: [UInt8], accountID: String? = nil, deviceID: String? = nil, storefront: String? = nil,
    line: Int64 = 1
  ) {
    self.bytes = bytes
    self.accountID = accountID
    self.deviceID = deviceID
    self.storefront = storefront
    self.line = line
  }

  /// The SHA-256 of the bytes, which does not depend on how the base64 was written.
  package var hash: [UInt8] { HashFunction.sha256.digest(of: bytes).bytes }
}
