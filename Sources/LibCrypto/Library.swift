internal import CLibCrypto

/// OpenSSL's state for this module alone.
///
/// A library context of its own reads no `openssl.cnf`, so the machine's configuration cannot
/// disable a digest or a signature algorithm: openssl-3 OSSL_LIB_CTX(3).
enum Library {
  nonisolated(unsafe) static let context: OpaquePointer = {
    guard let context = OSSL_LIB_CTX_new(), OSSL_PROVIDER_load(context, "default") != nil else {
      preconditionFailure("libcrypto cannot load its default provider; reinstall libssl3.")
    }
    return context
  }()

  /// Clears the thread's queue of OpenSSL errors.
  ///
  /// libpq and libcurl read the same queue and would report an error that is not theirs.
  static func clearErrors() { ERR_clear_error() }
}
