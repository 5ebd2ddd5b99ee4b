import Foundation
import SignatureVerification
import SigningTestSupport
import Testing

/// OpenSSL reads its configuration once per process, so each test runs in a separate process.
@Suite("The machine's OpenSSL configuration changes no verdict")
struct MachineConfigurationTests {
  @Test("verdicts are the same with the legacy provider alone")
  func legacy() async {
    await #expect(processExitsWith: .success) {
      try Self.verify(
        configuration: """
          openssl_conf = all
          [all]
          providers = providers
          [providers]
          legacy = legacy
          [legacy]
          activate = 1
          """)
    }
  }

  @Test("verdicts are the same with FIPS algorithms alone")
  func fips() async {
    await #expect(processExitsWith: .success) {
      try Self.verify(
        configuration: """
          openssl_conf = all
          [all]
          alg_section = algorithms
          [algorithms]
          default_properties = fips=yes
          """)
    }
  }

  @Test("verdicts are the same with an invalid configuration file")
  func damaged() async {
    await #expect(processExitsWith: .success) {
      try Self.verify(configuration: "[[ = \u{0}")
    }
  }

  @Test("verdicts are the same without a configuration file")
  func missing() async {
    await #expect(processExitsWith: .success) { try Self.verify(configuration: nil) }
  }

  /// Verifies documents of each form with a configuration.
  private static func verify(configuration: String?) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).cnf")
    defer { try? FileManager.default.removeItem(at: file) }
    try configuration.map { try Data($0.utf8).write(to: file) }
    setenv("OPENSSL_CONF", file.path, 1)
    let authority = try TestAuthority.make()
    let verifier = try Own.verifier(trusting: authority)
    for usesSHA1 in [false, true] {
      var form = ReceiptForm()
      form.usesSHA1 = usesSHA1
      _ = try verifier.appReceipt(try authority.appReceipt(Own.receipt, form: form))
    }
    let jws = try CompactJWS(Array(try authority.sign(payload: Own.payload).utf8))
    try verifier.verify(jws, at: Own.signedDate)
    _ = try verifier.transactionReceipt(try authority.transactionReceipt(Own.purchaseFields))
  }
}
