internal import CLibCrypto

/// A key of HMAC-SHA256 (RFC 2104), which threads may share.
package final class HMACKey: Sendable {
  /// Contains the key and is never updated: each code is computed in a copy.
  nonisolated(unsafe) private let keyed: OpaquePointer

  /// Takes a key of any length.
  package init(_ key: some Collection<UInt8>) {
    // HMAC pads keys with zeros, so one zero equals the empty key. For OpenSSL no bytes mean no
    // key.
    let key = key.isEmpty ? [0] : Array(key)
    guard let algorithm = EVP_MAC_fetch(Library.context, "HMAC", nil) else {
      preconditionFailure("libcrypto has no HMAC; reinstall libssl3.")
    }
    defer { EVP_MAC_free(algorithm) }
    guard let keyed = EVP_MAC_CTX_new(algorithm) else { preconditionFailure("Out of memory") }
    self.keyed = keyed
    let isReady = TieoutInitHMAC(keyed, key, key.count) == 1
    precondition(isReady, "libcrypto has no HMAC-SHA256; reinstall libssl3.")
  }

  deinit { EVP_MAC_CTX_free(keyed) }

  /// The code of a message, which has 32 bytes.
  package func code(for message: some Collection<UInt8>) -> [UInt8] {
    guard let context = EVP_MAC_CTX_dup(keyed) else { preconditionFailure("Out of memory") }
    defer { EVP_MAC_CTX_free(context) }
    let message = Array(message)
    precondition(EVP_MAC_update(context, message, message.count) == 1)
    return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      precondition(EVP_MAC_final(context, buffer.baseAddress, &count, 32) == 1)
    }
  }
}
