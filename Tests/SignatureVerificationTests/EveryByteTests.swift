import Foundation
import SignatureVerification
import SigningTestSupport
import Testing

/// Documents with one changed byte at any place, and documents cut at any place.
///
/// The program never reads content from them that was not signed.
@Suite("Every byte")
struct EveryByteTests {
  private let authority: TestAuthority
  private let verifier: Verifier

  init() throws {
    authority = try Own.authority.get()
    verifier = try Own.verifier(trusting: authority)
  }

  /// Small receipts that together use all supported parts of CMS.
  static let receiptForms: [ReceiptForm] = {
    var old = ReceiptForm()
    old.usesSHA1 = true
    var new = ReceiptForm()
    new.encoding = .indefinite
    new.hasSignedAttributes = true
    new.isDoubleWrapped = true
    return [old, new]
  }()

  @Test(
    "a receipt with one changed byte has the same content or is refused", arguments: receiptForms)
  func changedReceipt(form: ReceiptForm) throws {
    let bytes = try authority.appReceipt(Own.receipt, form: form)
    let expected = try verifier.appReceipt(bytes)
    var accepted = 0
    forEachChange(of: bytes) { changed in
      guard let found = try? verifier.appReceipt(changed) else { return }
      #expect(found == expected)
      accepted += 1
    }
    // Some parts of CMS are not signed: versions, and the root's certificate, which is known.
    #expect(accepted > 0)
  }

  @Test("a receipt that is cut at any place is malformed", arguments: receiptForms)
  func truncatedReceipt(form: ReceiptForm) throws {
    let bytes = try authority.appReceipt(Own.receipt, form: form)
    for count in 0..<bytes.count {
      let found = try reason { _ = try verifier.appReceipt(Array(bytes[..<count])) }
      #expect(found == .malformed, "\(count) bytes")
    }
  }

  @Test("a signed transaction with one changed byte is refused")
  func changedTransaction() throws {
    let bytes = Array(try authority.sign(payload: Own.payload).utf8)
    try verifier.verify(try CompactJWS(bytes), at: Own.signedDate)
    try forEachChange(of: bytes) { changed in
      let found = try reason { try verifier.verify(try CompactJWS(changed), at: Own.signedDate) }
      #expect(found != nil)
    }
  }

  @Test("a signed transaction that is cut at any place is malformed")
  func truncatedTransaction() throws {
    let bytes = Array(try authority.sign(payload: Own.payload).utf8)
    for count in 0..<bytes.count {
      let found = try reason { _ = try CompactJWS(Array(bytes[..<count])) }
      #expect(found == .malformed, "\(count) bytes")
    }
  }

  @Test("a receipt of iOS 6 with one changed byte has the same content or is refused")
  func changedTransactionReceipt() throws {
    let bytes = try authority.transactionReceipt(Own.purchaseFields, environment: "Sandbox")
    let expected = try verifier.transactionReceipt(bytes).fields
    forEachChange(of: bytes) { changed in
      guard let found = try? verifier.transactionReceipt(changed) else { return }
      #expect(found.fields == expected)
    }
  }

  @Test("a receipt of iOS 6 that is cut at any place is malformed")
  func truncatedTransactionReceipt() throws {
    let bytes = try authority.transactionReceipt(Own.purchaseFields, environment: "Sandbox")
    for count in 0..<bytes.count {
      let found = try reason { _ = try verifier.transactionReceipt(Array(bytes[..<count])) }
      #expect(found == .malformed, "\(count) bytes")
    }
  }

  /// Changes one bit of each byte, one byte at a time.
  ///
  /// The bit's place differs from byte to byte.
  private func forEachChange(of bytes: [UInt8], _ body: ([UInt8]) throws -> Void) rethrows {
    var changed = bytes
    for index in bytes.indices {
      changed[index] ^= 1 << UInt8(index % 8)
      try body(changed)
      changed[index] = bytes[index]
    }
  }
}
