import Foundation
import SignatureVerification
import SigningTestSupport
import Testing

@Suite("Receipts of iOS 6")
struct TransactionReceiptTests {
  private let authority: TestAuthority
  private let verifier: Verifier

  init() throws {
    authority = try Own.authority.get()
    verifier = try Own.verifier(trusting: authority)
  }

  private func reason(_ bytes: [UInt8]) throws -> VerificationProblem.Reason? {
    try SignatureVerificationTests.reason { _ = try verifier.transactionReceipt(bytes) }
  }

  @Test("the decoded fields are the signed fields")
  func fields() throws {
    let bytes = try authority.transactionReceipt(Own.purchaseFields, environment: "Sandbox")
    let receipt = try verifier.transactionReceipt(bytes)
    #expect(receipt.fields == Own.purchaseFields)
    #expect(receipt.environment == "Sandbox")
    let production = try authority.transactionReceipt(Own.purchaseFields)
    #expect(try verifier.transactionReceipt(production).environment == nil)
  }

  @Test("a changed purchase has a bad signature")
  func changed() throws {
    let bytes = try authority.transactionReceipt(Own.purchaseFields)
    var other = Own.purchaseFields
    other["product-id"] = "yearlY"
    let changed = try exchange(
      try encoded(Own.purchaseFields), for: try encoded(other), in: bytes)
    #expect(try reason(changed) == .badSignature)
  }

  @Test("a foreign authority is not trusted, nor one without Apple's markers")
  func untrusted() throws {
    #expect(
      try reason(Own.foreign.get().transactionReceipt(Own.purchaseFields)) == .untrustedChain)
    var shape = TestAuthority.Shape()
    shape.hasSignerMarker = false
    let unmarked = try TestAuthority.make(shape)
    let verifier = try Own.verifier(trusting: unmarked)
    let bytes = try unmarked.transactionReceipt(Own.purchaseFields)
    let found = try SignatureVerificationTests.reason { _ = try verifier.transactionReceipt(bytes) }
    #expect(found == .untrustedChain)
  }

  @Test("an authority that is not in the list is not trusted, even if its root is")
  func unknownIssuer() throws {
    let verifier = Verifier(
      roots: try TrustedRoots(receipts: [authority.receiptRoot], transactions: []),
      chains: ChainCache())
    let bytes = try authority.transactionReceipt(Own.purchaseFields)
    let found = try SignatureVerificationTests.reason { _ = try verifier.transactionReceipt(bytes) }
    #expect(found == .untrustedChain)
  }

  @Test("the certificates must have been valid at the purchase")
  func expired() throws {
    for (date, expected) in [
      ("1577836799999", VerificationProblem.Reason.expiredCertificate), ("1577836800000", nil),
      ("2208988799999", nil), ("2208988800000", .expiredCertificate), ("", .malformed),
      ("soon", .malformed),
    ] {
      var fields = Own.purchaseFields
      fields["purchase-date-ms"] = date
      #expect(try reason(authority.transactionReceipt(fields)) == expected, "\(date)")
    }
  }

  @Test(
    "text that is not such a list is malformed",
    arguments: [
      "", "{", "}", "{}", "{}}", #"{ "a" = "b" }"#, #"{ "a" = ; }"#, #"{ "a" "b"; }"#,
      #"{ "a" = "b"; "a" = "c"; }"#, #"{ "a" = { "b" = "c"; }; }"#, #"{ "a" = ("b"); }"#,
      #"{ "a" = "b"#, #"{ "a" = "\"#, #"{ "a" = "\q"; }"#,
      #"{ "purchase-info" = "e30="; "signature" = "AgME"; }"#,
      #"{ "purchase-info" = "e30="; "signature" = "!"; }"#,
      #"{ "purchase-info" = "!"; "signature" = "AgME"; }"#,
      #"{ "purchase-info" = "e30="; }"#,
    ])
  func malformed(text: String) throws {
    #expect(try reason(Array(text.utf8)) == .malformed)
  }

  @Test("texts need no quotes, and may contain escaped quotes")
  func texts() throws {
    let bytes = try authority.transactionReceipt(Own.purchaseFields)
    let text = try #require(String(validating: bytes, as: UTF8.self))
    let loose = text.replacing(#""pod" = "100";"#, with: #"pod=100; x = "a \"b\" \\ \n";"#)
    #expect(loose != text)
    #expect(try verifier.transactionReceipt(Array(loose.utf8)).fields == Own.purchaseFields)
  }

  private func encoded(_ fields: [String: String]) throws -> String {
    // The signed text is in the receipt in base64.
    let bytes = try authority.transactionReceipt(fields)
    let text = try #require(String(validating: bytes, as: UTF8.self))
    let start = try #require(text.range(of: #""purchase-info" = ""#)).upperBound
    let end = try #require(text[start...].range(of: "\"")).lowerBound
    return String(text[start..<end])
  }

  private func exchange(_ old: String, for new: String, in bytes: [UInt8]) throws -> [UInt8] {
    let text = try #require(String(validating: bytes, as: UTF8.self))
    #expect(text.contains(old) && old != new)
    return Array(text.replacing(old, with: new).utf8)
  }
}
