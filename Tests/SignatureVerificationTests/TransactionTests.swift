import SignatureVerification
import SigningTestSupport
import Testing

@Suite("Signed transactions")
struct TransactionTests {
  private let authority: TestAuthority
  private let verifier: Verifier

  init() throws {
    authority = try Own.authority.get()
    verifier = try Own.verifier(trusting: authority)
  }

  private func reason(
    _ text: String, at signedDate: Int64 = Own.signedDate
  ) throws -> VerificationProblem.Reason? {
    try SignatureVerificationTests.reason {
      try verifier.verify(try CompactJWS(Array(text.utf8)), at: signedDate)
    }
  }

  @Test("a payload of any length is returned unchanged")
  func payload() throws {
    for length in 0..<70 {
      let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37) }
      let jws = try CompactJWS(Array(try authority.sign(payload: payload).utf8))
      #expect(jws.payload == payload)
      try verifier.verify(jws, at: Own.signedDate)
    }
  }

  @Test("white space around a transaction is ignored, white space inside is not")
  func whiteSpace() throws {
    let text = try authority.sign(payload: Own.payload)
    #expect(try reason(" \t\r\n\(text)\r\n ") == nil)
    for position in [10, text.count / 2, text.count - 10] {
      var broken = text
      broken.insert("\n", at: text.index(text.startIndex, offsetBy: position))
      #expect(try reason(broken) == .malformed)
    }
  }

  @Test("a signature with another payload is a bad signature")
  func changed() throws {
    let parts = try authority.sign(payload: Own.payload).split(separator: ".")
    let other = try authority.sign(payload: Own.payload + " ").split(separator: ".")
    #expect(try reason("\(parts[0]).\(other[1]).\(parts[2])") == .badSignature)
    #expect(try reason("\(parts[0]).\(parts[1]).\(other[2])") == .badSignature)
    // The same must hold when the chain is known.
    #expect(try reason(other.joined(separator: ".")) == nil)
    #expect(try reason("\(parts[0]).\(other[1]).\(parts[2])") == .badSignature)
  }

  @Test("every algorithm except ES256 is refused")
  func algorithm() throws {
    for algorithm in ["none", "HS256", "RS256", "ES384", "es256", ""] {
      var form = TransactionForm()
      form.algorithm = algorithm
      let text = try authority.sign(payload: Own.payload, form: form)
      #expect(try reason(text) == .malformed, "\(algorithm)")
    }
  }

  @Test("a header with an unknown critical parameter is refused")
  func critical() throws {
    let signed = try authority.sign(
      header: #"{"alg":"ES256","crit":["b64"],"b64":false,"x5c":$x5c}"#, payload: Own.payload)
    #expect(try reason(signed) == .malformed)
    let plain = try authority.sign(
      header: #"{ "typ": "JWT", "x5c": $x5c, "alg": "ES256", "other": [1, {"a": null}] }"#,
      payload: Own.payload)
    #expect(try reason(plain) == nil)
    for header in ["", "{}", "[]", "null", #"{"alg":"ES256"}"#, #"{"alg":"ES256","x5c":"$x5c"}"#] {
      let text = try authority.sign(header: header, payload: Own.payload)
      #expect(try reason(text) == .malformed, "\(header)")
    }
  }

  @Test("certificates must be signer, authority and root, in this order")
  func certificates() throws {
    for (certificates, expected) in [
      (nil, VerificationProblem.Reason.malformed), ([], .untrustedChain), ([0], .untrustedChain),
      ([0, 1], .untrustedChain), ([0, 1, 2, 2], .untrustedChain), ([1, 0, 2], .untrustedChain),
      ([2, 1, 0], .untrustedChain), ([0, 2, 2], .untrustedChain), ([0, 1, 2], nil),
    ] {
      var form = TransactionForm()
      form.certificates = certificates
      let text = try authority.sign(payload: Own.payload, form: form)
      #expect(try reason(text) == expected, "\(certificates ?? [])")
    }
  }

  @Test("a foreign authority is not trusted, whichever certificates the header contains")
  func foreign() throws {
    let foreign = try Own.foreign.get()
    #expect(try reason(foreign.sign(payload: Own.payload)) == .untrustedChain)
    var form = TransactionForm()
    form.foreignCertificates = [2: authority.transactionRoot]
    #expect(try reason(foreign.sign(payload: Own.payload, form: form)) == .untrustedChain)
    // The trusted authority's certificate is in the header, but that authority did not issue the
    // signer's certificate.
    form.foreignCertificates[1] = authority.transactionCertificates[1]
    #expect(try reason(foreign.sign(payload: Own.payload, form: form)) == .untrustedChain)
    // The trusted signer's certificate is in the header, but that signer did not sign.
    form.foreignCertificates[0] = authority.transactionCertificates[0]
    #expect(try reason(foreign.sign(payload: Own.payload, form: form)) == .badSignature)
  }

  @Test("certificates without the properties of Apple's do not form a chain")
  func shapes() throws {
    for change in [
      { $0.hasSignerMarker = false }, { $0.hasIssuerMarker = false },
      { $0.isIssuerAuthority = false }, { $0.hasUnknownCriticalExtension = true },
    ] as [(inout TestAuthority.Shape) -> Void] {
      var shape = TestAuthority.Shape()
      change(&shape)
      let authority = try TestAuthority.make(shape)
      let verifier = try Own.verifier(trusting: authority)
      let jws = try CompactJWS(Array(try authority.sign(payload: Own.payload).utf8))
      let found = try SignatureVerificationTests.reason {
        try verifier.verify(jws, at: Own.signedDate)
      }
      #expect(found == .untrustedChain, "\(shape)")
    }
  }

  @Test("certificates must be valid at the date of each signature")
  func expired() throws {
    let text = try authority.sign(payload: Own.payload)
    // Valid from 2020-01-01T00:00:00Z to 2039-12-31T23:59:59.999Z. In the second round the chain is
    // known.
    for _ in 0..<2 {
      #expect(try reason(text, at: 1_577_836_799_999) == .expiredCertificate)
      #expect(try reason(text, at: 1_577_836_800_000) == nil)
      #expect(try reason(text, at: 2_208_988_799_999) == nil)
      #expect(try reason(text, at: 2_208_988_800_000) == .expiredCertificate)
      #expect(try reason(text, at: .min) == .expiredCertificate)
      #expect(try reason(text, at: .max) == .expiredCertificate)
    }
  }

  @Test("Xcode's single certificate is recognized")
  func xcode() throws {
    var form = TransactionForm()
    form.certificates = [0]
    form.otherMembers = ["kid": "Apple_Xcode_Key"]
    #expect(try reason(authority.sign(payload: Own.payload, form: form)) == .xcode)
    // A key's name alone does not make a complete chain one of Xcode's.
    form.certificates = [0, 1, 2]
    #expect(try reason(authority.sign(payload: Own.payload, form: form)) == nil)
  }

  @Test(
    "text that is not a compact JWS is malformed",
    arguments: ["", ".", "..", "...", "a.b", "e30.e30.", "e30.e30.AAAA", " ", "{}", "e30.e3.AAAA"])
  func malformed(text: String) throws {
    #expect(try reason(text) == .malformed)
  }

  @Test("roots may be PEM, and bytes that are not a certificate are refused")
  func roots() throws {
    #expect(throws: VerificationProblem.self) {
      try TrustedRoots(receipts: [[1, 2, 3]], transactions: [])
    }
    #expect(throws: VerificationProblem.self) {
      try TrustedRoots(
        receipts: [], transactions: [Array("-----BEGIN CERTIFICATE-----\nAAAA\n".utf8)])
    }
    let pem = try authority.transactionRootPEM + Own.foreign.get().transactionRootPEM
    let verifier = Verifier(
      roots: try TrustedRoots(receipts: [], transactions: [Array(pem.utf8)]), chains: ChainCache())
    for authority in [authority, try Own.foreign.get()] {
      let jws = try CompactJWS(Array(try authority.sign(payload: Own.payload).utf8))
      try verifier.verify(jws, at: Own.signedDate)
    }
  }
}
