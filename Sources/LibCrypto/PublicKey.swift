internal import CLibCrypto

/// A key that checks signatures.
///
/// It never changes, so threads may share it.
public final class PublicKey: Sendable {
  /// The kinds of key.
  package enum Kind: Sendable, Equatable {
    /// RSA with a modulus of this number of bits.
    case rsa(bits: Int)
    /// A point of NIST's P-256, written uncompressed under the curve's name.
    case p256
    /// Any other key, among them P-384.
    case other
  }

  nonisolated(unsafe) let key: OpaquePointer
  /// The kind of this key.
  package let kind: Kind

  /// Takes over one reference to an `EVP_PKEY`.
  ///
  /// - Parameter info: Its SubjectPublicKeyInfo in DER.
  init(adopting key: OpaquePointer, info: [UInt8]) {
    self.key = key
    kind =
      switch EVP_PKEY_get_base_id(key) {
      // RSA-PSS keys have the same base and another identifier.
      case EVP_PKEY_RSA where EVP_PKEY_get_id(key) == EVP_PKEY_RSA:
        .rsa(bits: Int(EVP_PKEY_get_bits(key)))
      // OpenSSL also accepts the parameters of a curve. Only a named curve has exactly these bytes.
      case EVP_PKEY_EC where info.count == 91 && info.starts(with: Self.p256Start): .p256
      default: .other
      }
  }

  deinit { EVP_PKEY_free(key) }

  /// Reads a SubjectPublicKeyInfo in DER; nil if the bytes are not exactly one.
  public convenience init?(subjectPublicKeyInfo bytes: [UInt8]) {
    defer { Library.clearErrors() }
    let key: OpaquePointer? = bytes.withUnsafeBufferPointer {
      var next = $0.baseAddress
      guard let key = d2i_PUBKEY_ex(nil, &next, $0.count, Library.context, nil) else { return nil }
      guard next == $0.baseAddress.map({ $0 + bytes.count }) else {
        EVP_PKEY_free(key)
        return nil
      }
      return key
    }
    guard let key else { return nil }
    self.init(adopting: key, info: bytes)
  }

  /// SubjectPublicKeyInfo of a P-256 key up to the point's first byte: RFC 5480, 2.
  private static let p256Start: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
  ]
}
