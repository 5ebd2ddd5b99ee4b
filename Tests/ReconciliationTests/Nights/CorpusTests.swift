import Foundation
import Reconciliation
import ReconciliationTestSupport
import Testing

/// Genuine files, where they are at hand: `../shared/corpus`, or below `TIEOUT_SHARED`.
enum Corpus {
  static let folder: URL? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let shared =
      ProcessInfo.processInfo.environment["TIEOUT_SHARED"].map { URL(filePath: $0) }
      ?? package.deletingLastPathComponent().appending(path: "shared")
    let corpus = shared.appending(path: "corpus")
    return FileManager.default.fileExists(atPath: corpus.path) ? corpus : nil
  }()

  /// One genuine file and what it tells, read from it by hand.
  struct Expectation: Sendable, CustomTestStringConvertible {
    let file: String
    /// Entries read, and entries that only repeat others.
    var read: Int64 = 0
    var known: Int64 = 0
    /// transaction, original transaction, product, purchase, expiry, web order line item, trial.
    var transactions = ""
    var rejection: String?
    var testDescription: String { file }
  }
}

@Suite("Genuine files", .enabled(if: Corpus.folder != nil)) struct CorpusTests {
  @Test("every receipt gives the transactions that it holds", arguments: Corpus.receipts)
  func receipt(expected: Corpus.Expectation) throws {
    let night = try TestNight()
    let folder = try #require(Corpus.folder).appending(path: "verify_receipt")
    try night.put(
      try Data(contentsOf: folder.appending(path: expected.file)), at: "receipts/a.json")
    let summary = try night.run(asOf: "2026-11-20 03:00")
    #expect(
      counts("documents", summary) == (expected.rejection == nil ? [1, 1, 0, 0] : [1, 0, 0, 1]))
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
    let folder = try #require(Corpus.folder).appending(path: "verify_receipt").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.sorted() == Corpus.receipts.map(\.file).sorted())
  }

  @Test("the property list of dictionaries gives its product identifiers")
  func propertyList() throws {
    let night = try TestNight()
    let folder = try #require(Corpus.folder).appending(path: "catalogue_plist")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["SimonFairbairn_VTAInAppPurchases__productListExample.plist"])
    for name in names {
      try night.put(try Data(contentsOf: folder.appending(path: name)), at: "catalog/\(name)")
    }
    let summary = try night.run(asOf: "2026-11-20 03:00")
    #expect(counts("catalogue_entries", summary) == [2, 2, 0, 0])
    #expect(
      try night.database.draw(
        "select product_id from catalogue_statement where member = 'listed' order by 1")
          == """
          product_id
          com.YourCompany.ConsumableProductLike50Coins
          com.YourCompany.ProductIdentifierAsAppearsIniTunesConnect
          """)
  }
}
