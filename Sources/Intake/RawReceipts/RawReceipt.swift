import Crypto

/// An app receipt or a transaction receipt as an app sent it, and who sent it.
public struct RawReceipt: Sendable, Equatable {
  /// The receipt itself, out of its base64.
  public let bytes: [UInt8]
  /// The account that the envelope names.
  public var accountID: String?
  /// The device that the envelope names.
  public var deviceID: String?
  /// The storefront that the envelope names.
  public var storefront: String?
  /// The line of the file that the document begins in.
  public var line: Int64 = 1

  /// The SHA-256 of the bytes: the same receipt is the same whatever its base64 looked like.
  public var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }
}
