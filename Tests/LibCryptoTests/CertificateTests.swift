import LibCrypto
import SigningTestSupport
import Testing

@Suite("Certificates")
struct CertificateTests {
  private static let authority = Result { try TestAuthority.make() }

  @Test("a certificate contains its names, dates, key and extensions")
  func parts() throws {
    let bytes = try Self.authority.get().transactionCertificates
    let chain = try bytes.map { try #require(Certificate(derEncoded: $0)) }
    #expect(
      Certificate.text(ofName: chain[0].subject) == "CN=Test Receipt Signing,O=Tieout Tests,C=US")
    #expect(chain[0].issuer == chain[1].subject)
    #expect(chain[0].notBefore == 1_577_836_800)
    #expect(chain[0].notAfter == 2_208_988_799)
    #expect(chain[0].key.kind == .p256)
    #expect(chain[1].key.kind == .other)
    #expect(chain.map(\.mayIssue) == [false, true, true])
    #expect(
      chain[0].extensions.map(\.name.description) == [
        "2.5.29.19", "2.5.29.15", "1.2.840.113635.100.6.11.1",
      ])
    #expect(chain[0].extensions.map(\.isCritical) == [true, true, false])
  }

  @Test("a certificate is signed by its issuer only")
  func issuers() throws {
    let authority = try Self.authority.get()
    for bytes in [authority.transactionCertificates, authority.receiptCertificates] {
      let chain = try bytes.map { try #require(Certificate(derEncoded: $0)) }
      #expect(chain[0].isSigned(by: chain[1]))
      #expect(chain[1].isSigned(by: chain[2]))
      #expect(chain[2].isSigned(by: chain[2]))
      #expect(!chain[0].isSigned(by: chain[2]))
      #expect(!chain[1].isSigned(by: chain[0]))
    }
  }

  @Test("bytes after a certificate's end are refused")
  func ends() throws {
    let bytes = try Self.authority.get().receiptCertificates[0]
    #expect(Certificate(derEncoded: bytes) != nil)
    #expect(Certificate(derEncoded: bytes + [0]) == nil)
    #expect(Certificate(derEncoded: bytes + bytes) == nil)
    for count in 0..<bytes.count {
      #expect(Certificate(derEncoded: Array(bytes.prefix(count))) == nil)
    }
  }

  @Test("a certificate with a changed bit is unreadable or not signed by its issuer")
  func flips() throws {
    let chain = try Self.authority.get().receiptCertificates
    let issuer = try #require(Certificate(derEncoded: chain[1]))
    for index in chain[0].indices {
      var bytes = chain[0]
      bytes[index] ^= 1 << (index % 8)
      #expect(Certificate(derEncoded: bytes)?.isSigned(by: issuer) != true, "byte \(index)")
    }
  }

  // DER uses the shortest form of a length. BER allows longer forms, and OpenSSL reads them.
  @Test("a certificate in BER is refused")
  func ber() throws {
    let bytes = try Self.authority.get().receiptCertificates[0]
    #expect(Array(bytes.prefix(2)) == [0x30, 0x82])
    #expect(Certificate(derEncoded: [0x30, 0x83, 0x00] + bytes[2...]) == nil)
    #expect(Certificate(derEncoded: [0x30, 0x80] + bytes[4...] + [0, 0]) == nil)
  }
}

@Suite("Object identifiers")
struct ObjectIdentifierTests {
  @Test(
    "an object identifier is encoded as in X.690, and shown with dots",
    arguments: [
      ([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06, 0x0b, 0x01], "1.2.840.113635.100.6.11.1"),
      ([0x55, 0x1d, 0x13], "2.5.29.19"), ([0x88, 0x37, 0x03], "2.999.3"), ([0x00], "0.0"),
      ([], ""), ([0x2a, 0x86], "2a86"),
      ([0x2a] + Array(repeating: 0xff, count: 9) + [0x7f], "2affffffffffffffffff7f"),
    ] as [([UInt8], String)])
  func text(encoded: [UInt8], text: String) {
    #expect(ObjectIdentifier(encoded: encoded).description == text)
  }

  @Test("an object identifier can be written as a list of numbers")
  func literal() {
    let marker: ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    #expect(marker.description == "1.2.840.113635.100.6.11.1")
  }
}
