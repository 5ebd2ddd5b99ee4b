import Configuration
import DamageTestSupport
import Explain
import Foundation
import ReconciliationTestSupport
import SigningTestSupport
import Testing

@Suite("Explaining names that only rejected signed texts contain")
struct EncodedNameTests {
  private static func explain(_ name: String, in night: TestNight) throws -> Explanation {
    try Inquiry(about: name, database: night.database.connectionString).explanation
  }

  private static func night(_ files: (TestNight) throws -> Void) throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try files(night)
    // The tests' authority is no root any more, so nothing that it signed is accepted.
    night.settings.trustedRoots = []
    try night.run(asOf: "2026-11-20 03:00")
    return night
  }

  @Test(
    "each id in a signed text and in a notification is found, and no part of it",
    arguments: RandomCases.seeds(1))
  func signed(seed: UInt64) throws {
    var dice = Dice(seed)
    func digits(_ count: Int) -> String {
      String((0..<count).map { _ in "123456789".randomElement(using: &dice) ?? "1" })
    }
    let rows = (0..<12).map { number in
      [
        digits(12 + number % 5), digits(12 + number % 3), "book", "2026-11-10 10:00",
        "2026-11-10 10:01", "\(UUID(seed: dice.next()))", number % 2 == 0 ? "" : "REFUND",
      ]
    }
    let header =
      "transaction_id | original_transaction_id | product_id | purchased_at | signed_at | token | "
      + "notification\n"
    let night = try Self.night {
      try $0.signed(header + rows.map { $0.joined(separator: " | ") }.joined(separator: "\n"))
    }
    for (place, row) in rows.enumerated() {
      for name in [row[0], row[1], row[5]] {
        let explanation = try Self.explain(name, in: night)
        #expect(explanation.rejections.map(\.line) == [place + 1], "seed \(seed): \(name)")
        #expect(explanation.rejections.map(\.reason) == ["untrusted_chain"])
        #expect(explanation.rejections.map(\.isEncoded) == [true])
        #expect(explanation.rejectionCount == 1)
      }
      for part in ["\(row[0])1", "1\(row[0])", String(row[0].dropLast())] {
        #expect(try Self.explain(part, in: night).rejections.isEmpty, "seed \(seed): \(part)")
      }
    }
  }

  @Test("the ids in app receipts and in receipts of iOS 6 are found")
  func receipts() throws {
    let ids = (0..<8).map { "35000117838\(1000 + $0 * 7)" }
    let night = try Self.night { night in
      let authority = try night.trustTestAuthority()
      var receipt = TestReceipt()
      receipt.purchases = ids.dropLast().map {
        TestPurchase(transactionID: $0, productID: "book", purchaseDate: "2026-11-10T10:00:00Z")
      }
      let old = try authority.transactionReceipt([
        "transaction-id": ids[7], "original-transaction-id": ids[7], "product-id": "book",
        "bid": "com.example.reader", "quantity": "1",
        "purchase-date": "2026-11-10 10:00:00 Etc/GMT",
        "original-purchase-date": "2026-11-10 10:00:00 Etc/GMT",
      ])
      let texts = [try authority.appReceipt(receipt), old].map { bytes in
        let text = Data(bytes).base64EncodedString().replacing("/", with: "\\/")
        return #"{"account_id":"anna-17","receipt-data":"\#(text)"}"#
      }
      try night.put(texts.joined(separator: "\n") + "\n", at: "receipts/a.ndjson")
    }
    for id in ids {
      let explanation = try Self.explain(id, in: night)
      #expect(explanation.rejections.map(\.line) == [id == ids[7] ? 2 : 1], "\(id)")
      #expect(explanation.rejections.map(\.isEncoded) == [true])
      #expect(try Self.explain("\(id)000", in: night).isEmpty)
    }
    // Outside of the signed text.
    #expect(try Self.explain("anna-17", in: night).rejections.map(\.isEncoded) == [false, false])
  }
}

extension UUID {
  fileprivate init(seed: UInt64) {
    let bytes = withUnsafeBytes(of: seed) { Array($0) }
    self.init(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[7],
        bytes[6], bytes[5], bytes[4], bytes[3], bytes[2], bytes[1], bytes[0]
      ))
  }
}
