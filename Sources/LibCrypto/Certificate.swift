internal import CLibCrypto

/// An X.509 certificate (RFC 5280); its parts are read once and never change.
public final class Certificate: Sendable {
  /// An extension: the part of a certificate besides names, key and dates.
  public struct Extension: Sendable {
    /// The identifier of the extension.
    public let name: ObjectIdentifier
    /// Whether a program that does not understand it must refuse the certificate.
    package let isCritical: Bool
  }

  private let handle: CertificateHandle
  /// The issuer's name in DER.
  package let issuer: [UInt8]
  /// The subject's name in DER.
  public let subject: [UInt8]
  /// The key's SubjectPublicKeyInfo in DER.
  package let keyInfo: [UInt8]
  /// The subject's key.
  package let key: PublicKey
  /// The extensions in their order, each name once.
  public let extensions: [Extension]
  /// The first second in which it is valid, in seconds since 1970.
  package let notBefore: Int64
  /// The last second in which it is valid, in seconds since 1970.
  package let notAfter: Int64
  /// Whether basicConstraints marks an authority and keyUsage, if present, allows it to sign
  /// others.
  package let mayIssue: Bool

  /// Reads a certificate in DER.
  ///
  /// Nil if the bytes are not exactly one certificate in DER, if an extension occurs twice or
  /// cannot be read, or if a date has an offset or a fraction. Nil also for a signature other than
  /// RSA (PKCS #1 v1.5) over SHA-1 or SHA-2, or ECDSA over SHA-2.
  public init?(derEncoded bytes: [UInt8]) {
    defer { Library.clearErrors() }
    guard let handle = CertificateHandle(bytes) else { return nil }
    let read = handle.certificate
    // OpenSSL also reads BER. Outside of the part that the issuer signs, BER differs when it is
    // encoded again; the signature covers the signed part as it is.
    guard DER.encoded(read, i2d_X509) == bytes,
      Self.algorithms.contains(X509_get_signature_nid(read)),
      let notBefore = DER.seconds(X509_get0_notBefore(read)),
      let notAfter = DER.seconds(X509_get0_notAfter(read)),
      let key = X509_get_pubkey(read)
    else { return nil }
    self.handle = handle
    self.notBefore = notBefore
    self.notAfter = notAfter
    issuer = DER.encoded(X509_get_issuer_name(read), i2d_X509_NAME)
    subject = DER.encoded(X509_get_subject_name(read), i2d_X509_NAME)
    keyInfo = DER.encoded(X509_get_X509_PUBKEY(read), i2d_X509_PUBKEY)
    self.key = PublicKey(adopting: key, info: keyInfo)
    extensions = handle.extensions
    // X509_check_ca makes exceptions for old certificates; the flags do not.
    let flags = X509_get_extension_flags(read)
    mayIssue =
      flags & UInt32(EXFLAG_BCONS) != 0 && flags & UInt32(EXFLAG_CA) != 0
      && X509_get_key_usage(read) & UInt32(KU_KEY_CERT_SIGN) != 0
    // OpenSSL looks for duplicates only among the extensions that it knows.
    let hasTwins = Set(extensions.map(\.name)).count < extensions.count
    if hasTwins || flags & UInt32(EXFLAG_INVALID) != 0 { return nil }
  }

  /// Whether another certificate's key signed this one.
  ///
  /// A signature by an RSA key of less than 2,048 bits does not count.
  public func isSigned(by issuer: Certificate) -> Bool {
    if case .rsa(let bits) = issuer.key.kind, bits < 2048 { return false }
    defer { Library.clearErrors() }
    return X509_verify(handle.certificate, issuer.key.key) == 1
  }

  /// The text of ``issuer`` or ``subject`` as in RFC 2253: "CN=Apple Root CA,O=Apple Inc.".
  public static func text(ofName name: [UInt8]) -> String {
    defer { Library.clearErrors() }
    let read: OpaquePointer? = name.withUnsafeBufferPointer {
      var next = $0.baseAddress
      return d2i_X509_NAME(nil, &next, $0.count)
    }
    guard let read, let output = BIO_new(BIO_s_mem()) else { return "" }
    defer {
      X509_NAME_free(read)
      BIO_free(output)
    }
    guard X509_NAME_print_ex(output, read, 0, TieoutNameForm) >= 0 else { return "" }
    var bytes: UnsafeMutablePointer<CChar>?
    let count = TieoutBIOBytes(output, &bytes)
    let text = UnsafeRawBufferPointer(start: bytes, count: max(0, count))
    return String(decoding: text, as: UTF8.self)
  }

  private static let algorithms: Set<Int32> = [
    NID_sha1WithRSAEncryption, NID_sha256WithRSAEncryption, NID_sha384WithRSAEncryption,
    NID_sha512WithRSAEncryption, NID_ecdsa_with_SHA256, NID_ecdsa_with_SHA384,
    NID_ecdsa_with_SHA512,
  ]
}

/// Owns OpenSSL's certificate, which does not change after it was made.
private final class CertificateHandle: Sendable {
  nonisolated(unsafe) let certificate: OpaquePointer

  init?(_ bytes: [UInt8]) {
    var read = X509_new_ex(Library.context, nil)
    let isWhole = bytes.withUnsafeBufferPointer {
      var next = $0.baseAddress
      // On failure the call frees the certificate and clears the variable. OpenSSL stops at the end
      // of the certificate, and no bytes may follow.
      return d2i_X509(&read, &next, $0.count) != nil
        && next == $0.baseAddress.map { $0 + bytes.count }
    }
    guard let read else { return nil }
    certificate = read
    if !isWhole { return nil }
  }

  deinit { X509_free(certificate) }

  var extensions: [Certificate.Extension] {
    (0..<max(0, X509_get_ext_count(certificate))).compactMap { index in
      guard let found = X509_get_ext(certificate, index) else { return nil }
      let name = X509_EXTENSION_get_object(found)
      let encoded = UnsafeBufferPointer(start: OBJ_get0_data(name), count: OBJ_length(name))
      return Certificate.Extension(
        name: ObjectIdentifier(encoded: Array(encoded)),
        isCritical: X509_EXTENSION_get_critical(found) != 0)
    }
  }
}

/// Values from OpenSSL's structures.
private enum DER {
  /// The encoded form of a part; empty if OpenSSL cannot encode it.
  static func encoded(
    _ part: OpaquePointer?,
    _ write: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  ) -> [UInt8] {
    let count = Int(write(part, nil))
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var next = buffer.baseAddress
      filled = max(0, Int(write(part, &next)))
    }
  }

  /// Seconds since 1970, from the two forms that RFC 5280 (4.1.2.5) allows.
  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    guard let time else { return nil }
    // ASN1_TIME_diff also accepts offsets, fractions and missing seconds.
    let count = time.pointee.type == V_ASN1_UTCTIME ? 13 : 15
    guard Int(time.pointee.length) == count, time.pointee.data[count - 1] == UInt8(ascii: "Z"),
      let epoch = ASN1_TIME_set(nil, 0)
    else { return nil }
    defer { ASN1_TIME_free(epoch) }
    var days: Int32 = 0
    var rest: Int32 = 0
    guard ASN1_TIME_diff(&days, &rest, epoch, time) == 1 else { return nil }
    return Int64(days) * 86400 + Int64(rest)
  }
}
