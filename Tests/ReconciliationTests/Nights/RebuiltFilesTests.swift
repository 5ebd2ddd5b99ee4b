import Configuration
import Foundation
import Ledger
import NightRun
import Page
import ReconciliationTestSupport
import Testing

@Suite("What a rebuild notes about files")
struct RebuiltFilesTests {
  private let log = """
    attempt,transaction_id,product_id,status,occurred_at
    d1,1,book,delivered,2026-11-18T10:00:00Z

    """

  private func receipt(bundle: String) -> String {
    """
    {"status":0,"receipt":{"bundle_id":"\(bundle)","in_app":[{"transaction_id":"1",\
    "product_id":"book","purchase_date":"2026-11-18 10:00:00 Etc/GMT"}]}}

    """
  }

  private func unread(_ night: TestNight) throws -> [String] {
    try night.run(asOf: "2026-11-21 03:00").comparison.unreadFiles.map { "\($0.path) \($0.since)" }
  }

  @Test("a file that a rebuild was the first to use must be there in the next rebuild")
  func usedFirst() throws {
    let night = try TestNight()
    try night.put(log, at: "deliveries/a.csv")
    #expect(try night.run(asOf: "2026-11-20 03:00").rejected == 1)
    let archive = night.folder.appending(path: "archive")
    try FileManager.default.createDirectory(at: archive, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: night.inbox.appending(path: "deliveries/a.csv"), to: archive.appending(path: "a.csv"))
    // Nothing is lost without a file that was never used.
    try night.rebuild()
    night.settings.deliveryColumns = ["delivery_id": "attempt"]
    try night.rebuild(archives: [archive])
    let records = "select delivery_id from delivery_record"
    #expect(try night.database.draw(records) == "delivery_id\nd1")
    #expect(throws: MissingFiles.self) { try night.rebuild() }
    #expect(try night.database.draw(records) == "delivery_id\nd1")
    // Retention drops the rejection.
    night.settings.keepClosedDays = 1
    try night.run(asOf: "2026-11-28 03:00")
    #expect(throws: MissingFiles.self) { try night.rebuild() }
  }

  @Test("a file that a rebuild could use is not unreadable, and one that it rejected is")
  func readable() throws {
    let night = try TestNight()
    try night.put(log, at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try unread(night) == ["deliveries/a.csv 2026-11-20"])
    night.settings.deliveryColumns = ["delivery_id": "attempt"]
    try night.rebuild()
    #expect(try unread(night) == [])
    night.settings.deliveryColumns = [:]
    #expect(try night.rebuild().rejectedForTheFirstTime == 1)
    #expect(try unread(night) == ["deliveries/a.csv 2026-11-21"])
    night.settings.deliveryColumns = ["delivery_id": "attempt"]
    #expect(try unread(night) == [])
    #expect(
      try night.database.draw("select delivery_id from delivery_record") == "delivery_id\nd1")
  }

  @Test("a rebuild with a wrong setting lists what it rejects, also of files that retention knows")
  func clearedRejections() throws {
    let night = try TestNight()
    night.settings.keepClosedDays = 1
    night.settings.bundleIDs = ["com.one"]
    try night.put(receipt(bundle: "com.one"), at: "receipts/a.ndjson")
    try night.put(receipt(bundle: "com.three"), at: "receipts/b.ndjson")
    for day in ["20", "23", "26"] { try night.run(asOf: "2026-11-\(day) 03:00") }
    #expect(try night.database.draw("select count(*) as n from rejection") == "n\n0")
    // Retention has dropped the rejection of b.ndjson, which is not new.
    #expect(try night.rebuild().rejectedForTheFirstTime == 0)
    night.settings.bundleIDs = ["com.two"]
    let wrong = try night.rebuild()
    #expect(wrong.transactions == 0 && wrong.rejectedForTheFirstTime > 0)
    #expect(
      try night.table("rejected_records.csv").columns(["file", "reason"]).rows
        .contains(["receipts/a.ndjson", "foreign_bundle"]))
    #expect(try night.rebuild().rejectedForTheFirstTime == 0)
    night.settings.bundleIDs = ["com.one"]
    #expect(try night.run(asOf: "2026-11-27 03:00").transactions == 1)
  }

  @Test("a file whose withdrawal was undone is no cause of what a later rebuild changes")
  func undoneLongAgo() throws {
    let night = try TestNight()
    night.settings.booksBegin = "2026-01-01"
    night.settings.revenueSince = "2026-01-01"
    try night.put(receipt(bundle: "com.one").replacing("11-18", with: "10-18"), at: "receipts/a")
    try night.run(asOf: "2026-11-20 03:00")
    try night.withdraw("receipts/a")
    try night.rebuild()
    try night.undoWithdrawal("receipts/a")
    try night.run(asOf: "2026-11-21 03:00")
    func causes() throws -> String {
      try night.database.draw(
        """
        select cause, is_added, count(*) as n from restated_entry where kind = 'sold'
        group by run_id, cause, is_added order by run_id
        """)
    }
    let undone = "cause | is_added | n\nfile_withdrawn | f | 1\nfile_withdrawn | t | 1"
    #expect(try causes() == DrawnTable(undone).text)
    night.settings.bundleIDs = ["com.two"]
    try night.rebuild()
    #expect(try causes() == DrawnTable(undone + "\nsettings_changed | f | 1").text)
  }
}
