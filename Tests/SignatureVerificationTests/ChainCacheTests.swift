import SignatureVerification
import SigningTestSupport
import Testing

@Suite("Cache of known chains")
struct ChainCacheTests {
  private let authority: TestAuthority

  init() throws {
    authority = try Own.authority.get()
  }

  private func transaction(
    _ payload: String = Own.payload, form: TransactionForm = TransactionForm()
  ) throws -> CompactJWS {
    try CompactJWS(Array(try authority.sign(payload: payload, form: form).utf8))
  }

  @Test("a chain is verified once, not once for each document")
  func once() throws {
    let chains = ChainCache()
    let first = try Own.verifier(trusting: authority, chains: chains)
    for number in 0..<10 {
      try first.verify(try transaction("{\"number\":\(number)}"), at: Own.signedDate)
    }
    #expect(chains.checked == 1)
    for _ in 0..<10 { _ = try first.appReceipt(try authority.appReceipt(Own.receipt)) }
    #expect(chains.checked == 2)
    for _ in 0..<10 {
      _ = try first.transactionReceipt(try authority.transactionReceipt(Own.purchaseFields))
    }
    #expect(chains.checked == 3)
  }

  @Test("threads share known chains")
  func shared() async throws {
    let chains = ChainCache()
    let roots = try Own.roots(authority)
    let jws = try transaction()
    let receipt = try authority.appReceipt(Own.receipt)
    try Verifier(roots: roots, chains: chains).verify(jws, at: Own.signedDate)
    _ = try Verifier(roots: roots, chains: chains).appReceipt(receipt)
    #expect(chains.checked == 2)
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          let verifier = Verifier(roots: roots, chains: chains)
          for _ in 0..<20 {
            try verifier.verify(jws, at: Own.signedDate)
            _ = try verifier.appReceipt(receipt)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(chains.checked == 2)
  }

  @Test("a chain that one set of roots trusts is not trusted by another set")
  func roots() throws {
    let chains = ChainCache()
    let trusting = try Own.verifier(trusting: authority, chains: chains)
    let other = try Own.verifier(trusting: try Own.foreign.get(), chains: chains)
    let receipt = try authority.appReceipt(Own.receipt)
    let jws = try transaction()
    for _ in 0..<2 {
      _ = try trusting.appReceipt(receipt)
      try trusting.verify(jws, at: Own.signedDate)
      #expect(try reason { _ = try other.appReceipt(receipt) } == .untrustedChain)
      #expect(try reason { try other.verify(jws, at: Own.signedDate) } == .untrustedChain)
    }
  }

  @Test("no verdict depends on earlier documents")
  func order() throws {
    var form = ReceiptForm()
    form.certificates = [0]
    form.otherCertificates = [try Own.foreign.get().receiptCertificates[1]]
    // Signer and signature are valid, but the receipt contains another certificate instead of their
    // authority's.
    let strange = try authority.appReceipt(Own.receipt, form: form)
    let good = try authority.appReceipt(Own.receipt)
    let verifier = try Own.verifier(trusting: authority)
    for _ in 0..<2 {
      #expect(try reason { _ = try verifier.appReceipt(strange) } == .untrustedChain)
      #expect(try reason { _ = try verifier.appReceipt(good) } == nil)
    }
  }

  @Test("a chain is not remembered if it is untrusted or if the signature is bad")
  func unsigned() throws {
    let chains = ChainCache()
    let verifier = try Own.verifier(trusting: authority, chains: chains)
    let parts = try authority.sign(payload: Own.payload).split(separator: ".")
    let other = try authority.sign(payload: "{}").split(separator: ".")
    let forged = try CompactJWS(Array("\(parts[0]).\(other[1]).\(parts[2])".utf8))
    let foreign = try CompactJWS(Array(try Own.foreign.get().sign(payload: Own.payload).utf8))
    for _ in 0..<3 {
      #expect(try reason { try verifier.verify(forged, at: Own.signedDate) } == .badSignature)
      #expect(try reason { try verifier.verify(foreign, at: Own.signedDate) } == .untrustedChain)
    }
    #expect(chains.checked == 6)
  }

  @Test("chains beyond the cache's limit are still verified; the oldest ones are removed")
  func bounded() throws {
    let chains = ChainCache()
    let roots = try Own.roots(authority)
    let verifier = Verifier(roots: roots, chains: chains)
    let documents = try (0..<100).map { number in
      var form = TransactionForm()
      form.otherMembers = ["number": "\(number)"]
      return try transaction(form: form)
    }
    for document in documents { try verifier.verify(document, at: Own.signedDate) }
    #expect(chains.checked == 100)
    for document in documents.suffix(30) { try verifier.verify(document, at: Own.signedDate) }
    #expect(chains.checked == 100)
    try Verifier(roots: roots, chains: chains).verify(documents[99], at: Own.signedDate)
    #expect(chains.checked == 100)
    try Verifier(roots: roots, chains: chains).verify(documents[0], at: Own.signedDate)
    #expect(chains.checked == 101)
  }
}
