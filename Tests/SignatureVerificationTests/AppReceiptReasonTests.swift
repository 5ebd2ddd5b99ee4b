import SignatureVerification
import SigningTestSupport
import Testing

@Suite("Reasons to refuse an app receipt")
struct AppReceiptReasonTests {
  private let authority: TestAuthority
  private let verifier: Verifier

  init() throws {
    authority = try Own.authority.get()
    verifier = try Own.verifier(trusting: authority)
  }

  private func reason(_ bytes: [UInt8]) throws -> VerificationProblem.Reason? {
    try SignatureVerificationTests.reason { _ = try verifier.appReceipt(bytes) }
  }

  @Test("a foreign authority is not trusted, whichever certificates the receipt contains")
  func foreign() throws {
    let foreign = try Own.foreign.get()
    #expect(try reason(foreign.appReceipt(Own.receipt)) == .untrustedChain)
    var form = ReceiptForm()
    form.certificates = [0, 1]
    form.otherCertificates = [authority.receiptRoot]
    #expect(try reason(foreign.appReceipt(Own.receipt, form: form)) == .untrustedChain)
    // The trusted authority's certificate is present, but that authority did not issue the signer's
    // certificate.
    form.certificates = [0]
    form.otherCertificates = Array(authority.receiptCertificates[1...])
    #expect(try reason(foreign.appReceipt(Own.receipt, form: form)) == .untrustedChain)
  }

  @Test("a receipt must contain its signer's certificate and the certificate of its authority")
  func incomplete() throws {
    for certificates in [[], [1, 2], [0], [0, 2]] {
      var form = ReceiptForm()
      form.certificates = certificates
      let bytes = try authority.appReceipt(Own.receipt, form: form)
      #expect(try reason(bytes) == .untrustedChain, "\(certificates)")
    }
  }

  @Test("certificates without the properties of Apple's do not form a chain")
  func shapes() throws {
    for change in [
      { $0.hasSignerMarker = false }, { $0.isIssuerAuthority = false },
      { $0.hasUnknownCriticalExtension = true },
    ] as [(inout TestAuthority.Shape) -> Void] {
      var shape = TestAuthority.Shape()
      change(&shape)
      let authority = try TestAuthority.make(shape)
      let verifier = try Own.verifier(trusting: authority)
      let bytes = try authority.appReceipt(Own.receipt)
      let found = try SignatureVerificationTests.reason { _ = try verifier.appReceipt(bytes) }
      #expect(found == .untrustedChain, "\(shape)")
    }
  }

  @Test("a receipt is expired if its authority had expired when it signed")
  func expiredAuthority() throws {
    var shape = TestAuthority.Shape()
    shape.issuerValidity = 1_577_836_800...1_609_459_199
    let authority = try TestAuthority.make(shape)
    let verifier = try Own.verifier(trusting: authority)
    let bytes = try authority.appReceipt(Own.receipt)
    let found = try SignatureVerificationTests.reason { _ = try verifier.appReceipt(bytes) }
    #expect(found == .expiredCertificate)
  }

  @Test("a receipt from Xcode is recognized for any signer")
  func xcode() throws {
    var receipt = Own.receipt
    receipt.receiptType = "Xcode"
    #expect(try reason(authority.appReceipt(receipt)) == .xcode)
    #expect(try reason(Own.foreign.get().appReceipt(receipt)) == .xcode)
  }

  @Test("a receipt without a valid creation date is malformed")
  func undated() throws {
    for createdAt in [nil, "", "yesterday", "2026-11-19", "2026-13-19T00:00:00Z"] {
      var receipt = Own.receipt
      receipt.createdAt = createdAt
      #expect(try reason(authority.appReceipt(receipt)) == .malformed, "\(createdAt ?? "-")")
    }
  }

  @Test("zeros after a receipt are ignored, any other bytes are not")
  func padding() throws {
    for encoding in ReceiptForm.Encoding.allCases {
      var form = ReceiptForm()
      form.encoding = encoding
      let bytes = try authority.appReceipt(Own.receipt, form: form)
      #expect(try reason(bytes + [0, 0, 0]) == nil)
      #expect(try reason(bytes + [0, 1]) == .malformed)
      #expect(try reason(bytes + bytes) == .malformed)
    }
  }

  @Test("an attribute with two different values is refused, a repeated equal value is accepted")
  func repeated() throws {
    var receipt = Own.receipt
    receipt.otherAttributes = [(2, Array([0x0c, 0x12] + "com.example.reader".utf8))]
    #expect(try reason(authority.appReceipt(receipt)) == nil)
    receipt.otherAttributes = [(2, Array([0x0c, 0x12] + "com.example.writer".utf8))]
    #expect(try reason(authority.appReceipt(receipt)) == .malformed)
  }

  @Test(
    "signed content that is not a receipt is malformed",
    arguments: [
      [], [0x31], [0x30, 0x00], Array("hello".utf8), [0x31, 0x02, 0x30, 0x00],
      [0x31, 0x05, 0x30, 0x03, 0x02, 0x01, 0x11],
      // An attribute whose version is not a number, and an attribute with bytes after its value.
      [0x31, 0x0a, 0x30, 0x08, 0x02, 0x01, 0x11, 0x0c, 0x01, 0x01, 0x04, 0x00],
      [0x31, 0x0c, 0x30, 0x0a, 0x02, 0x01, 0x63, 0x02, 0x01, 0x01, 0x04, 0x00, 0x05, 0x00],
      // A purchase that is not a set.
      [0x31, 0x0c, 0x30, 0x0a, 0x02, 0x01, 0x11, 0x02, 0x01, 0x01, 0x04, 0x02, 0x05, 0x00],
    ] as [[UInt8]])
  func content(content: [UInt8]) throws {
    #expect(try reason(authority.appReceipt(content: content)) == .malformed)
  }

  @Test(
    "bytes that are not a receipt are malformed",
    arguments: [
      [], [0x30], [0x30, 0x80], [0x30, 0x00], [0x30, 0x80, 0x00, 0x00], Array("{}".utf8),
      [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], [0x30, 0x88, 1, 2, 3, 4, 5, 6, 7, 8],
      [0x1f, 0x81, 0x00],
      // Indefinite lengths without an end, nested in each other.
      Array(repeatElement([0x30, 0x80], count: 100_000).joined()),
      Array(repeatElement([0x24, 0x80], count: 100_000).joined()),
    ] as [[UInt8]])
  func noReceipt(bytes: [UInt8]) throws {
    #expect(try reason(bytes) == .malformed)
  }
}
