import Foundation
import ReconciliationTestSupport
import TestNeeds
import Testing

extension Corpus {
  /// One genuine file and its contents, read by hand.
  struct Expectation: Sendable, CustomTestStringConvertible {
    let file: String
    /// Entries read, and entries that only repeat others.
    var read: Int64 = 0
    var known: Int64 = 0
    /// transaction, original transaction, product, purchase, expiry, web order line item, trial,
    /// environment.
    var transactions = ""
    /// Why the answer is rejected, or the receipt that a used answer encloses.
    var rejection: String?
    /// Whether the answer itself is used, or counted.
    var isUsed: Bool { rejection == nil || read > 0 }
    var testDescription: String { file }
  }
}

@Suite("Genuine files in a night", .needsCorpus) struct CorpusTests {
  @Test("every receipt gives the transactions that it holds", arguments: Corpus.receipts)
  func receipt(expected: Corpus.Expectation) throws {
    let night = try TestNight()
    try night.put(
      Data(try Corpus.bytes("verify_receipt/\(expected.file)")), at: "receipts/a.json")
    let summary = try night.run(asOf: "2026-11-20 03:00")
    let used: Int64 = expected.isUsed ? 1 : 0
    let rejections: Int64 = expected.rejection == nil ? 0 : 1
    #expect(counts("documents", summary) == [used + rejections, used, 0, rejections])
    #expect(
      counts("transactions", summary)
        == [expected.read, expected.read - expected.known, expected.known, 0])
    let rejected = try night.table("rejected_records.csv").columns(["kind", "reason"]).rows
    #expect(rejected == (expected.rejection.map { [["receipt", $0]] } ?? []))
    let told = try night.database.draw(
      """
      select transaction_id, original_transaction_id, product_id,
          csv_instant(first_purchased_at) as purchased_at, csv_instant(expires_at) as expires_at,
          web_order_line_item_id, is_trial, environment
      from store_transaction order by length(transaction_id), transaction_id
      """)
    #expect(DrawnTable(told).rows == DrawnTable(expected.transactions).rows)
  }

  @Test("there is an expectation for every receipt")
  func all() throws {
    #expect(try Corpus.names("verify_receipt") == Corpus.receipts.map(\.file).sorted())
  }

  @Test("the property list of dictionaries gives its product identifiers")
  func propertyList() throws {
    let night = try TestNight()
    let names = try Corpus.names("catalogue_plist")
    #expect(names == ["SimonFairbairn_VTAInAppPurchases__productListExample.plist"])
    for name in names {
      try night.put(Data(try Corpus.bytes("catalogue_plist/\(name)")), at: "catalog/\(name)")
    }
    let summary = try night.run(asOf: "2026-11-20 03:00")
    #expect(counts("catalogue_entries", summary) == [2, 2, 0, 0])
    #expect(
      try night.database.draw(
        "select product_id from catalogue_fact where member = 'listed' order by 1")
          == """
          product_id
          com.YourCompany.ConsumableProductLike50Coins
          com.YourCompany.ProductIdentifierAsAppearsIniTunesConnect
          """)
  }
}
