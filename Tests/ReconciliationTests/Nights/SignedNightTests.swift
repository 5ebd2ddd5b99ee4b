import Configuration
import Foundation
import NightRun
import ReconciliationTestSupport
import Runs
import SigningTestSupport
import Testing

@Suite("A night with signed evidence")
struct SignedNightTests {
  private func night() throws -> TestNight {
    let night = try TestNight()
    try night.trustTestAuthority()
    return night
  }

  private func transaction(_ id: String, signedDate: Int = 1_795_000_000_000) -> String {
    #"{"transactionId":"\#(id)","productId":"book","purchaseDate":1794900000000,"#
      + #""bundleId":"com.one","signedDate":\#(signedDate),"environment":"Production"}"#
  }

  private func receipt(of authority: TestAuthority) throws -> [UInt8] {
    var receipt = TestReceipt()
    receipt.purchases = [
      TestPurchase(transactionID: "7", productID: "book", purchaseDate: "2026-11-17T00:00:00Z")
    ]
    return try authority.appReceipt(receipt)
  }

  private func counts(_ kind: String, _ summary: Summary) -> [Int64] {
    summary.lines.first { $0.kind == kind }
      .map { [$0.read, $0.new, $0.alreadyKnown, $0.rejected] } ?? []
  }

  @Test("signed data counts once, even if it arrives again in another form")
  func once() throws {
    let night = try night()
    let authority = try night.trustTestAuthority()
    let signed = try authority.sign(payload: transaction("1"))
    let receipt = try receipt(of: authority)
    func notification(_ at: Int) throws -> String {
      try authority.sign(
        payload: #"{"notificationType":"DID_RENEW","notificationUUID":"u","signedDate":\#(at),"#
          + #""data":{"bundleId":"com.one","signedTransactionInfo":"\#(signed)"}}"#)
    }
    try night.put(signed + "\n", at: "receipts/a.jws")
    try night.put(
      #"{"signedTransactions":["\#(signed)","\#(try authority.sign(payload: transaction("2")))"]}"#,
      at: "receipts/history.json")
    try night.put(
      [try notification(1_795_000_000_000), try notification(1_795_000_009_000)]
        .map { #"{"signedPayload":"\#($0)"}"# }.joined(separator: "\n"), at: "receipts/n.ndjson")
    try night.put(Data(receipt), at: "receipts/r.der")
    let first = try night.run(asOf: "2026-11-20 03:00")
    #expect(counts("documents", first) == [6, 4, 2, 0])
    #expect(counts("transactions", first) == [6, 3, 3, 0])
    try night.put(
      #"{"receipt-data":"\#(Data(receipt).base64EncodedString())"}"#, at: "receipts/r.json")
    let second = try night.run(asOf: "2026-11-21 03:00")
    #expect(counts("documents", second) == [1, 0, 1, 0])
    #expect(counts("transactions", second) == [1, 0, 1, 0])
    let known = try night.database.draw(
      "select transaction_id from store_transaction order by transaction_id")
    #expect(known == "transaction_id\n1\n2\n7")
  }

  @Test("a file that no root trusted is read again with other roots")
  func otherRoots() throws {
    let night = try night()
    let authority = try night.trustTestAuthority()
    night.settings.trustedRoots = []
    try night.put(try authority.sign(payload: transaction("1")), at: "receipts/a.jws")
    try night.put(Data(try receipt(of: authority)), at: "receipts/r.der")
    #expect(counts("documents", try night.run(asOf: "2026-11-20 03:00")) == [2, 0, 0, 2])
    #expect(try night.run(asOf: "2026-11-20 03:00").unchangedFiles == 2)
    try night.trustTestAuthority()
    #expect(counts("documents", try night.run(asOf: "2026-11-20 03:00")) == [2, 2, 0, 0])
    #expect(try night.run(asOf: "2026-11-20 03:00").unchangedFiles == 2)
  }

  @Test("an unsigned answer counts after trust is set to apple_response")
  func trust() throws {
    let night = try night()
    night.settings.trust = .signed
    try night.put(
      #"{"status":0,"receipt":{"in_app":[{"transaction_id":"1","product_id":"book","#
        + #""purchase_date":"2026-11-18 10:00:00 Etc/GMT"}]}}"#, at: "receipts/a.json")
    #expect(counts("documents", try night.run(asOf: "2026-11-20 03:00")) == [1, 0, 0, 1])
    #expect(try night.run(asOf: "2026-11-20 03:00").unchangedFiles == 1)
    night.settings.trust = .appleResponse
    #expect(counts("documents", try night.run(asOf: "2026-11-20 03:00")) == [1, 1, 0, 0])
  }

  /// An answer that encloses the receipt of transaction 7 and has its own entries for 7 and 8.
  private func answer(enclosing receipt: [UInt8], product: String = "book") -> String {
    func entry(_ id: Int, _ product: String) -> String {
      #"{"transaction_id":"\#(id)","product_id":"\#(product)","#
        + #""purchase_date":"2026-11-17 00:00:00 Etc/GMT"}"#
    }
    return #"{"status":0,"environment":"Production","receipt":{"in_app":["#
      + "\(entry(7, product)),\(entry(8, "book"))],"
      + #""receipt_type":"Production"},"latest_receipt":"\#(Data(receipt).base64EncodedString())"}"#
  }

  @Test("a forged entry beside a genuine receipt is a conflict, and the receipt counts")
  func forgedAnswer() throws {
    for isTogether in [true, false] {
      let night = try night()
      let receipt = try receipt(of: night.trustTestAuthority())
      if !isTogether {
        try night.put(Data(receipt), at: "receipts/r.der")
        try night.run(asOf: "2026-11-19 03:00")
      }
      try night.put(answer(enclosing: receipt, product: "gold"), at: "receipts/a.json")
      let summary = try night.run(asOf: "2026-11-20 03:00")
      #expect(counts("documents", summary) == [2, isTogether ? 2 : 1, isTogether ? 0 : 1, 0])
      try night.expect(
        "conflicting_transaction",
        finds: "level | subject | detail\nerror | 7 | product_id: book or gold")
      try night.expect(
        query: "select transaction_id, product_id, trust from store_transaction order by 1",
        gives: """
          transaction_id | product_id | trust
          7              | book       | signed
          8              | book       | apple_response
          """)
    }
  }

  @Test(
    "with trust: signed an answer counts only through its enclosed receipt, otherwise completely")
  func enclosedReceipt() throws {
    let night = try night()
    night.settings.trust = .signed
    try night.put(
      answer(enclosing: try receipt(of: night.trustTestAuthority())), at: "receipts/a.json")
    let transactions = "select transaction_id, trust from store_transaction order by 1"
    let signed = "transaction_id | trust\n7 | signed"
    let all = signed + "\n8 | apple_response"
    #expect(counts("documents", try night.run(asOf: "2026-11-20 03:00")) == [1, 1, 0, 0])
    try night.expect(query: transactions, gives: signed)
    #expect(try night.run(asOf: "2026-11-20 03:00").unchangedFiles == 1)
    night.settings.trust = .appleResponse
    #expect(counts("documents", try night.run(asOf: "2026-11-20 03:00")) == [2, 1, 1, 0])
    try night.expect(query: transactions, gives: all)
    #expect(try night.run(asOf: "2026-11-20 03:00").unchangedFiles == 1)
    night.settings.trust = .signed
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(query: transactions, gives: signed)
    try night.rebuild()
    try night.expect(query: transactions, gives: signed)
    night.settings.trust = .appleResponse
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(query: transactions, gives: all)
  }

  @Test("a trusted root that cannot be used stops the run, and the message names it")
  func badRoots() throws {
    let night = try night()
    let bad = night.folder.appending(path: "bad.pem")
    try "no certificate".write(to: bad, atomically: true, encoding: .utf8)
    let empty = night.folder.appending(path: "empty.pem")
    try "hello -----BEGIN nothing".write(to: empty, atomically: true, encoding: .utf8)
    for path in [bad.path, empty.path, night.folder.appending(path: "gone.pem").path] {
      night.settings.trustedRoots = [path]
      do {
        _ = try night.run(asOf: "2026-11-20 03:00")
        Issue.record("the night was run")
      } catch {
        let error = try #require(error as? ReconciliationError)
        #expect(error.code == .configuration)
        #expect(error.message.contains(path))
      }
    }
  }
}
