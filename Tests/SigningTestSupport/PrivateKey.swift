internal import CLibCrypto

/// A key that signs as Apple does.
///
/// Only tests have such a key.
@safe public final class PrivateKey: Sendable {
  /// The kind of key to make.
  public enum Kind: Sendable {
    /// RSA with a modulus of this number of bits.
    case rsa(bits: Int)
    /// NIST's P-256, which signs transactions.
    case p256
    /// NIST's P-384, which signs the certificates of the keys that sign transactions.
    case p384
  }

  /// The hash function that a signature covers.
  package enum HashName: String, Sendable {
    /// SHA-1, for receipts until 2023.
    case sha1 = "SHA1"
    /// SHA-256.
    case sha256 = "SHA256"
    /// SHA-384, for certificates of P-384.
    case sha384 = "SHA384"
  }

  /// Its own library context, so that no `openssl.cnf` prevents tests from signing.
  nonisolated(unsafe) private static let library: OpaquePointer = {
    guard let library = unsafe OSSL_LIB_CTX_new(),
      unsafe OSSL_PROVIDER_load(library, "default") != nil
    else { preconditionFailure("libcrypto cannot load its default provider") }
    return unsafe library
  }()

  nonisolated(unsafe) private let key: OpaquePointer

  /// Makes a new key.
  public init(_ kind: Kind) {
    let isRSA = if case .rsa = kind { true } else { false }
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(Self.library, isRSA ? "RSA" : "EC", nil)
    else {
      preconditionFailure("libcrypto makes no keys")
    }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var isReady = unsafe EVP_PKEY_keygen_init(context) == 1
    let parameter =
      switch kind {
      case .rsa(let bits): unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits))
      case .p256: unsafe EVP_PKEY_CTX_set_group_name(context, "P-256")
      case .p384: unsafe EVP_PKEY_CTX_set_group_name(context, "P-384")
      }
    isReady = isReady && parameter == 1
    var key: OpaquePointer?
    isReady = unsafe isReady && EVP_PKEY_generate(context, &key) == 1
    guard isReady, let key = unsafe key else { preconditionFailure("libcrypto makes no such key") }
    unsafe self.key = key
  }

  deinit { unsafe EVP_PKEY_free(key) }

  /// The SubjectPublicKeyInfo in DER.
  public var publicKeyInfo: [UInt8] {
    let count = unsafe Int(i2d_PUBKEY(key, nil))
    return unsafe [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      var next = buffer.baseAddress
      filled = unsafe max(0, Int(i2d_PUBKEY(key, &next)))
    }
  }

  /// Signs bytes: RSA with the padding of PKCS #1 v1.5, or ECDSA in DER.
  package func signature(over bytes: [UInt8], _ hash: HashName) -> [UInt8] {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("Out of memory") }
    defer { unsafe EVP_MD_CTX_free(context) }
    var count = 0
    guard
      unsafe EVP_DigestSignInit_ex(context, nil, hash.rawValue, Self.library, nil, key, nil) == 1,
      unsafe EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1
    else { preconditionFailure("libcrypto does not sign") }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let result = unsafe EVP_DigestSign(context, buffer.baseAddress, &count, bytes, bytes.count)
      precondition(result == 1, "libcrypto does not sign")
      filled = count
    }
  }

  /// Signs bytes with ECDSA over P-256 and SHA-256, in the form of JWS: two numbers of 32 bytes.
  public func rawSignature(over bytes: [UInt8]) -> [UInt8] {
    // SEQUENCE { INTEGER, INTEGER }, all shorter than 128 bytes.
    let encoded = signature(over: bytes, .sha256)
    var raw: [UInt8] = []
    var start = 2
    for _ in 0..<2 {
      let end = start + 2 + Int(encoded[start + 1])
      let number = encoded[(start + 2)..<end].drop { $0 == 0 }
      raw += Array(repeating: 0, count: 32 - number.count) + number
      start = end
    }
    return raw
  }
}
