internal import Foundation
internal import LibCrypto

/// The RSA keys of all authorities; making one can take seconds.
struct TestKeys: Sendable {
  let root = PrivateKey(.rsa(bits: 2048))
  let foreignRoot = PrivateKey(.rsa(bits: 2048))
  let issuer = PrivateKey(.rsa(bits: 2048))
  let foreignIssuer = PrivateKey(.rsa(bits: 2048))
  let signer = PrivateKey(.rsa(bits: 2048))
  /// A key of the same size as the keys that sign receipts of iOS 6.
  let shortSigner = PrivateKey(.rsa(bits: 1024))

  static let shared = TestKeys()
}

/// The contents of a certificate, except keys.
struct CertificateTemplate {
  var name: String
  var isAuthority: Bool
  /// In seconds since 1970, before 2050.
  var validity: ClosedRange<Int>
  /// The extension that states what Apple made the certificate for.
  var marker: ObjectIdentifier?
  var hasUnknownCriticalExtension = false
}

/// The algorithm with which a certificate is signed.
enum CertificateAlgorithm {
  case sha1WithRSA
  case sha256WithRSA
  case ecdsaWithSHA384

  /// AlgorithmIdentifier in DER: RFC 3279, 2.2 and RFC 5758, 3.2.
  var encoded: [UInt8] {
    switch self {
    case .sha1WithRSA: Self.rsa([1, 2, 840, 113549, 1, 1, 5])
    case .sha256WithRSA: Self.rsa([1, 2, 840, 113549, 1, 1, 11])
    case .ecdsaWithSHA384: DERWriter.element(0x30, DERWriter.name([1, 2, 840, 10045, 4, 3, 3]))
    }
  }

  var hash: PrivateKey.HashName {
    switch self {
    case .sha1WithRSA: .sha1
    case .sha256WithRSA: .sha256
    case .ecdsaWithSHA384: .sha384
    }
  }

  private static func rsa(_ name: ObjectIdentifier) -> [UInt8] {
    DERWriter.element(0x30, DERWriter.name(name) + [0x05, 0x00])
  }
}

/// An issued certificate in DER, with the parts to which other structures refer.
struct IssuedCertificate {
  let bytes: [UInt8]
  let issuerName: [UInt8]
  let subjectName: [UInt8]
  /// Without tag and length.
  let serialNumber: [UInt8]
}

/// Issues certificates of version 3: RFC 5280, 4.1.
struct CertificateMaker {
  let certificate: IssuedCertificate
  let key: PrivateKey
  let algorithm: CertificateAlgorithm

  init(_ certificate: IssuedCertificate, key: PrivateKey, algorithm: CertificateAlgorithm) {
    self.certificate = certificate
    self.key = key
    self.algorithm = algorithm
  }

  /// Makes a root certificate.
  init(root: CertificateTemplate, key: PrivateKey, algorithm: CertificateAlgorithm) {
    self.key = key
    self.algorithm = algorithm
    certificate = Self.certificate(
      root, keyInfo: key.publicKeyInfo, issuerName: Self.name(root.name), issuerKey: key,
      algorithm: algorithm)
  }

  func issue(_ template: CertificateTemplate, key: PrivateKey) -> IssuedCertificate {
    Self.certificate(
      template, keyInfo: key.publicKeyInfo, issuerName: certificate.subjectName,
      issuerKey: self.key, algorithm: algorithm)
  }

  private static func certificate(
    _ template: CertificateTemplate, keyInfo: [UInt8], issuerName: [UInt8],
    issuerKey: PrivateKey, algorithm: CertificateAlgorithm
  ) -> IssuedCertificate {
    // 0x40 and 16 random bytes: a positive number without a leading zero.
    let serialNumber = [0x40] + (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    let subjectName = name(template.name)
    let signed = DERWriter.element(
      0x30,
      DERWriter.element(0xa0, DERWriter.integer(2)) + DERWriter.element(0x02, serialNumber)
        + algorithm.encoded + issuerName
        + DERWriter.element(
          0x30, time(template.validity.lowerBound) + time(template.validity.upperBound))
        + subjectName + keyInfo
        + DERWriter.element(0xa3, DERWriter.element(0x30, extensions(template))))
    let signature = issuerKey.signature(over: signed, algorithm.hash)
    let bytes = DERWriter.element(
      0x30, signed + algorithm.encoded + DERWriter.element(0x03, [0] + signature))
    return IssuedCertificate(
      bytes: bytes, issuerName: issuerName, subjectName: subjectName, serialNumber: serialNumber)
  }

  private static func name(_ commonName: String) -> [UInt8] {
    func part(_ kind: ObjectIdentifier, _ tag: UInt8, _ text: String) -> [UInt8] {
      let value = DERWriter.name(kind) + DERWriter.element(tag, Array(text.utf8))
      return DERWriter.element(0x31, DERWriter.element(0x30, value))
    }
    return DERWriter.element(
      0x30,
      part([2, 5, 4, 6], 0x13, "US") + part([2, 5, 4, 10], 0x0c, "Tieout Tests")
        + part([2, 5, 4, 3], 0x0c, commonName))
  }

  private static func time(_ seconds: Int) -> [UInt8] {
    let text = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
    let digits = text.filter(\.isNumber).dropFirst(2)
    return DERWriter.element(0x17, Array("\(digits)Z".utf8))
  }

  private static func extensions(_ template: CertificateTemplate) -> [UInt8] {
    func part(_ name: ObjectIdentifier, isCritical: Bool, _ value: [UInt8]) -> [UInt8] {
      DERWriter.element(
        0x30,
        DERWriter.name(name) + (isCritical ? [0x01, 0x01, 0xff] : [])
          + DERWriter.element(0x04, value))
    }
    let isAuthority = template.isAuthority
    var all =
      part(
        [2, 5, 29, 19], isCritical: true,
        DERWriter.element(0x30, isAuthority ? [0x01, 0x01, 0xff] : []))
      // keyUsage: keyCertSign with cRLSign, or digitalSignature.
      + part(
        [2, 5, 29, 15], isCritical: true,
        isAuthority ? [0x03, 0x02, 0x01, 0x06] : [0x03, 0x02, 0x07, 0x80])
    if let marker = template.marker { all += part(marker, isCritical: false, [0x05, 0x00]) }
    if template.hasUnknownCriticalExtension {
      all += part([1, 3, 6, 1, 4, 1, 1], isCritical: true, [0x05, 0x00])
    }
    return all
  }
}
