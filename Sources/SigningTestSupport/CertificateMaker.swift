internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import SwiftASN1
internal import X509

/// The RSA keys of all authorities: making one takes up to seconds.
struct TestKeys: Sendable {
  let root: _RSA.Signing.PrivateKey
  let foreignRoot: _RSA.Signing.PrivateKey
  let issuer: _RSA.Signing.PrivateKey
  let foreignIssuer: _RSA.Signing.PrivateKey
  let signer: _RSA.Signing.PrivateKey
  /// As long as those that sign receipts of iOS 6.
  let shortSigner: _RSA.Signing.PrivateKey

  static let shared: TestKeys = {
    do {
      return TestKeys(
        root: try .init(keySize: .bits2048), foreignRoot: try .init(keySize: .bits2048),
        issuer: try .init(keySize: .bits2048), foreignIssuer: try .init(keySize: .bits2048),
        signer: try .init(keySize: .bits2048),
        shortSigner: try .init(unsafeKeySize: .init(bitCount: 1024)))
    } catch {
      preconditionFailure("No RSA keys: \(error)")
    }
  }()
}

/// What a certificate says, but for keys.
struct CertificateTemplate {
  var name: String
  var isAuthority: Bool
  var validity: ClosedRange<Int>
  /// The end of an object identifier of Apple's.
  var marker: [UInt]?
  var hasUnknownCriticalExtension = false
}

/// Issues certificates.
struct CertificateMaker {
  let certificate: Certificate
  let key: Certificate.PrivateKey
  let algorithm: Certificate.SignatureAlgorithm

  init(
    _ certificate: Certificate, key: Certificate.PrivateKey,
    algorithm: Certificate.SignatureAlgorithm
  ) {
    self.certificate = certificate
    self.key = key
    self.algorithm = algorithm
  }

  /// Makes a root.
  init(
    root: CertificateTemplate, key: Certificate.PrivateKey,
    algorithm: Certificate.SignatureAlgorithm
  ) throws {
    let name = try Self.name(root.name)
    certificate = try Self.certificate(
      root, name: name, key: key.publicKey, issuer: name, issuerKey: key, algorithm: algorithm)
    self.key = key
    self.algorithm = algorithm
  }

  func issue(_ template: CertificateTemplate, key: Certificate.PublicKey) throws -> Certificate {
    try Self.certificate(
      template, name: try Self.name(template.name), key: key, issuer: certificate.subject,
      issuerKey: self.key, algorithm: algorithm)
  }

  private static func name(_ name: String) throws -> DistinguishedName {
    try DistinguishedName {
      CountryName("US")
      OrganizationName("Tieout Tests")
      CommonName(name)
    }
  }

  private static func certificate(
    _ template: CertificateTemplate, name: DistinguishedName, key: Certificate.PublicKey,
    issuer: DistinguishedName, issuerKey: Certificate.PrivateKey,
    algorithm: Certificate.SignatureAlgorithm
  ) throws -> Certificate {
    var extensions = try Certificate.Extensions {
      if template.isAuthority {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      } else {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
      }
    }
    if let marker = template.marker {
      let name = try ASN1ObjectIdentifier(elements: [1, 2, 840, 113635, 100] + marker)
      try extensions.append(.init(oid: name, critical: false, value: [0x05, 0x00]))
    }
    if template.hasUnknownCriticalExtension {
      try extensions.append(
        .init(oid: [1, 3, 6, 1, 4, 1, 1], critical: true, value: [0x05, 0x00]))
    }
    return try Certificate(
      version: .v3, serialNumber: .init(), publicKey: key,
      notValidBefore: Date(timeIntervalSince1970: Double(template.validity.lowerBound)),
      notValidAfter: Date(timeIntervalSince1970: Double(template.validity.upperBound)),
      issuer: issuer, subject: name, signatureAlgorithm: algorithm, extensions: extensions,
      issuerPrivateKey: issuerKey)
  }
}

extension Certificate {
  /// The certificate in DER.
  var bytes: [UInt8] {
    get throws { try DERWriter.serialized(self) }
  }
}
