import SignatureVerification
import SigningTestSupport
import Testing

@Suite("Files with trusted roots")
struct TrustedRootsTests {
  @Test("a PEM text may be indented, as in YAML", arguments: ["", "  ", "\t", "    \t "])
  func indented(indent: String) throws {
    let authority = try Own.authority.get()
    let lines = authority.transactionRootPEM.split(whereSeparator: \.isNewline)
    let text = "root: |\n" + lines.map { "\(indent)\($0)\n" }.joined()
    let roots = try TrustedRoots(receipts: [], transactions: [Array(text.utf8)])
    let jws = try CompactJWS(Array(try authority.sign(payload: Own.payload).utf8))
    try Verifier(roots: roots, chains: ChainCache()).verify(jws, at: Own.signedDate)
  }

  @Test(
    "a file without a certificate is refused",
    arguments: [
      "", "no certificate", "hello -----BEGIN nothing", "x -----BEGIN CERTIFICATE-----\nAAAA\n",
      "  -----BEGIN CERTIFICATE-----\n  -----END CERTIFICATE-----\n",
    ])
  func noCertificate(text: String) {
    #expect(throws: VerificationProblem.self) {
      try TrustedRoots(receipts: [], transactions: [Array(text.utf8)])
    }
  }
}
