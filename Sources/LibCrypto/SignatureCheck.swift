internal import CLibCrypto

/// A key that is prepared to check signatures over one hash function; each thread needs its own.
public struct SignatureCheck: ~Copyable {
  private let context: OpaquePointer
  private let key: PublicKey

  /// Prepares RSA with the padding of PKCS #1 v1.5, or ECDSA; nil if the key cannot check
  /// signatures.
  public init?(_ key: PublicKey, _ function: HashFunction) {
    guard let context = EVP_PKEY_CTX_new_from_pkey(Library.context, key.key, nil) else {
      Library.clearErrors()
      return nil
    }
    var isReady = EVP_PKEY_verify_init(context) == 1
    if case .rsa = key.kind {
      isReady = isReady && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
    }
    isReady = isReady && EVP_PKEY_CTX_set_signature_md(context, function.algorithm) == 1
    guard isReady else {
      EVP_PKEY_CTX_free(context)
      Library.clearErrors()
      return nil
    }
    self.context = context
    self.key = key
  }

  deinit { EVP_PKEY_CTX_free(context) }

  /// Whether a signature in OpenSSL's form (RSA: the number; ECDSA: DER) is valid for this digest.
  public borrowing func isValid(_ signature: ArraySlice<UInt8>, _ digest: Digest) -> Bool {
    signature.withUnsafeBufferPointer { isValid($0.baseAddress, $0.count, digest) }
  }

  /// Whether an ECDSA signature of P-256 in the form of JWS is valid for this digest.
  ///
  /// - Parameter signature: Two numbers of 32 bytes each: RFC 7518, 3.4.
  public borrowing func isValid(raw signature: [UInt8], _ digest: Digest) -> Bool {
    guard key.kind == .p256, signature.count == 64 else { return false }
    // SEQUENCE and two INTEGERs of at most 33 bytes: 2 + 2 * 35.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 72) { encoded in
      var end = 2
      for half in [0, 32] {
        var first = half
        while first < half + 31, signature[first] == 0 { first += 1 }
        let pad = signature[first] >= 0x80 ? 1 : 0
        encoded[end] = 0x02
        encoded[end + 1] = UInt8(half + 32 - first + pad)
        encoded[end + 2] = 0
        end += 2 + pad
        for index in first..<half + 32 {
          encoded[end] = signature[index]
          end += 1
        }
      }
      encoded[0] = 0x30
      encoded[1] = UInt8(end - 2)
      return isValid(UnsafePointer(encoded.baseAddress), end, digest)
    }
  }

  private borrowing func isValid(
    _ signature: UnsafePointer<UInt8>?, _ count: Int, _ digest: Digest
  ) -> Bool {
    let result = digest.storage.span.withUnsafeBufferPointer {
      EVP_PKEY_verify(context, signature, count, $0.baseAddress, digest.count)
    }
    // 0: the signature does not match; negative: it cannot be read. Only 1 means that it is valid.
    if result == 1 { return true }
    Library.clearErrors()
    return false
  }
}
