internal import CLibCrypto

/// A hash function of OpenSSL's default provider.
public enum HashFunction: Sendable {
  /// SHA-1, with which Apple signed receipts until 2023.
  case sha1
  /// SHA-256.
  case sha256

  /// The digest of some bytes.
  public func digest(of bytes: some Collection<UInt8>) -> Digest {
    var hash = RunningHash(self)
    hash.update(bytes)
    return hash.finish()
  }

  var algorithm: OpaquePointer {
    switch self {
    case .sha1: Self.fetchedSHA1
    case .sha256: Self.fetchedSHA256
    }
  }

  // Fetched once: an implicit fetch for each hash costs more than hashing a short text.
  nonisolated(unsafe) private static let fetchedSHA1 = fetched("SHA1")
  nonisolated(unsafe) private static let fetchedSHA256 = fetched("SHA256")

  private static func fetched(_ name: String) -> OpaquePointer {
    guard let algorithm = EVP_MD_fetch(Library.context, name, nil) else {
      preconditionFailure("libcrypto has no \(name); reinstall libssl3.")
    }
    return algorithm
  }
}

/// The result of a hash function: 20 bytes (SHA-1) or 32 (SHA-256), stored without an allocation.
public struct Digest: Sendable {
  var storage = InlineArray<32, UInt8>(repeating: 0)
  /// The number of bytes.
  package internal(set) var count = 0

  /// Its bytes.
  package var bytes: [UInt8] { (0..<count).map { storage[$0] } }

  /// Its bytes as hexadecimal digits in lower case.
  package var hexadecimal: String { bytes.hexadecimal }

  /// Whether its bytes are exactly these.
  package func equals(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == count
      && (0..<count).allSatisfy { storage[$0] == bytes[bytes.startIndex + $0] }
  }
}
