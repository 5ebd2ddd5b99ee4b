import Configuration
import Foundation
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing

@Suite("The calendar of nights") struct CalendarTests {
  private func night() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue("product_id\nbook.emma")
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n100 | book.emma | 2026-11-10 09:00")
    return night
  }

  private func calendar(_ night: TestNight) throws -> String {
    try String(contentsOf: night.reports.appending(path: "index.html"), encoding: .utf8)
  }

  /// The targets of all links, which must be there.
  private func links(_ night: TestNight) throws -> [String] {
    let links = try calendar(night).matches(of: /href="([^"]*)"/).map { String($0.output.1) }
    for link in links {
      #expect(
        FileManager.default.fileExists(atPath: night.reports.appending(path: link).path), "\(link)")
    }
    return links
  }

  /// The text of each row, the newest night first.
  private func rows(_ night: TestNight) throws -> [String] {
    try calendar(night).matches(of: /<tr (?:id|class)=.*/).map { row in
      row.output.replacing(/<[^>]*>/, with: " ").split(separator: " ").joined(separator: " ")
    }
  }

  @Test("each night has its state, its editions and its neighbours, the newest first")
  func states() throws {
    let night = try night()
    try night.run(asOf: "2026-11-15 03:00")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n101 | book.emma | 2026-11-15 10:00")
    try night.put("{}\n", at: "receipts/bad.ndjson")
    night.settings.maxRejected = .count(0)
    #expect(throws: (any Error).self) { try night.run(asOf: "2026-11-17 03:00") }
    night.settings.maxRejected = nil
    try night.run(asOf: "2026-11-20 03:00")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n102 | book.emma | 2026-11-15 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    let rows = try rows(night)
    // The log has no record after the purchases, so their deliveries are uncertain.
    #expect(
      rows.dropLast() == [
        "Fri 20 Nov ▲ 2 uncertain 1 error, 3 warnings 1 2 ← Previous night, Sun 15 Nov",
        "× Wed 18 Nov to Thu 19 Nov: 2 nights not done",
        "Tue 17 Nov ▯ failed: too many rejections – – ← Previous night, Sun 15 Nov "
          + "→ Next night, Fri 20 Nov",
        "× Mon 16 Nov: not done",
      ])
    // Nothing was bought, so the night does not say that all was delivered.
    let first = try #require(rows.last)
    #expect(first.hasPrefix("Sun 15 Nov – no"))
    #expect(first.hasSuffix(" 1 error 1 → Next night, Fri 20 Nov"))
  }

  @Test("open findings of the level info are counted, too")
  func infos() throws {
    let night = try night()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      101            | 90                      | book.emma  | 2026-11-09 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try rows(night) == ["Fri 20 Nov – nothing was due 1 error, 1 info 1"])
  }

  @Test("after a run of a past day the counts are those of the night's edition")
  func countedEdition() throws {
    let night = try night()
    try night.run(asOf: "2026-11-15 03:00")
    try night.run(asOf: "2026-11-16 03:00")
    #expect(try !calendar(night).contains(" in edition "))
    try night.transactions(
      "transaction_id | product_id | purchased_at\n101 | book.emma | 2026-11-09 10:00")
    try night.run(asOf: "2026-11-15 03:00")
    try night.run(asOf: "2026-11-17 03:00")
    let row = try #require(try rows(night).first { $0.hasPrefix("Sun 15 Nov") })
    #expect(row.contains(" in edition 1 "))
    #expect(try calendar(night).components(separatedBy: " in edition ").count == 2)
  }

  @Test("all links of the calendar and of the pages can be opened")
  func links() throws {
    let night = try night()
    for day in 28...30 { try night.run(asOf: "2026-11-\(day) 03:00") }
    try night.run(asOf: "2026-12-01 03:00")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n101 | book.emma | 2026-11-15 10:00")
    try night.run(asOf: "2026-11-29 03:00")
    let shown = try links(night)
    #expect(shown.contains("2026-11-29/index.html"))
    #expect(shown.filter { $0 == "2026-11-29.2/index.html" }.count == 4)
    let page = try calendar(night)
    #expect(page.contains("<h2 id=\"month-2026-12\">December 2026</h2>"))
    let ids = page.matches(of: /\sid="([^"]*)"/).map { String($0.output.1) }
    #expect(Set(ids).count == ids.count)
    for folder in try night.shownNames() where Edition(folder: folder) != nil {
      let page = try String(
        contentsOf: night.reports.appending(path: "\(folder)/index.html"), encoding: .utf8)
      for link in page.matches(of: /href="([^"#]*)(?:#([^"]*))?"/) {
        let path = night.reports.appending(path: "\(folder)/\(link.output.1)").path
        #expect(FileManager.default.fileExists(atPath: path), "\(folder): \(link.output.1)")
        // The newest night has a link to the place of the next one, which is yet to come.
        guard let place = link.output.2, place != "after-2026-12-01" else { continue }
        #expect(ids.contains(String(place)), "\(folder): \(place)")
      }
    }
  }

  @Test("folders without a night are listed as folders, and closed ones and others are not")
  func folders() throws {
    let night = try night()
    for name in ["2020-01-01", "2020-01-02.3", "2020-01-03", "notes", ".2020-01-04"] {
      try FileManager.default.createDirectory(
        at: night.reports.appending(path: name), withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: night.reports.appending(path: "2020-01-05").path, withDestinationPath: "/tmp")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: night.reports.appending(path: "2020-01-03").path)
    try night.run(asOf: "2026-11-20 03:00")
    let old = try links(night).filter { $0.hasPrefix("20") && !$0.hasPrefix("2026") }
    #expect(old == ["2020-01-02.3/", "2020-01-01/"])
    // The group may open what it can list, and the calendar too.
    let mode =
      try FileManager.default.attributesOfItem(
        atPath: night.reports.appending(path: "index.html").path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o640 } == 0o640)
  }

  @Test("a failed run is in the calendar when it ends, in a folder with reports of the database")
  func failed() throws {
    let night = try night()
    night.settings.maxRejected = .count(0)
    try night.run(asOf: "2026-11-15 03:00")
    try night.put("{}\n", at: "receipts/bad.ndjson")
    #expect(throws: ReconciliationError.self) { try night.run(asOf: "2026-11-17 03:00") }
    let failed = "Tue 17 Nov ▯ failed: too many rejections – – ← Previous night, Sun 15 Nov"
    #expect(try rows(night).prefix(2) == [failed, "× Mon 16 Nov: not done"])
    #expect(try links(night).contains("2026-11-15/index.html"))
    #expect(try night.shownNames() == ["2026-11-15", "editions.txt", "index.html", "latest"])

    // The same again without a calendar: the edition says whose folder it is.
    try FileManager.default.removeItem(at: night.reports.appending(path: "index.html"))
    #expect(throws: ReconciliationError.self) { try night.run(asOf: "2026-11-17 03:00") }
    #expect(try rows(night).first == failed)

    // Nothing is written where this database never published.
    let own = night.settings.reports
    let other = night.folder.appending(path: "other")
    try FileManager.default.createDirectory(
      at: other.appending(path: "2026-11-01"), withIntermediateDirectories: true)
    night.settings.reports = other.path
    #expect(throws: ReconciliationError.self) { try night.run(asOf: "2026-11-18 03:00") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["2026-11-01"])

    // What goes wrong there does not replace the error of the run.
    night.settings.reports = own
    let page = night.reports.appending(path: "index.html")
    try FileManager.default.removeItem(at: page)
    try FileManager.default.createDirectory(at: page, withIntermediateDirectories: false)
    let error = #expect(throws: ReconciliationError.self) {
      try night.run(asOf: "2026-11-18 03:00")
    }
    #expect(error?.code == .tooMuchRejected)
    #expect(try night.shownNames() == ["2026-11-15", "editions.txt", "index.html", "latest"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: night.reports.path)
        .allSatisfy { !$0.hasPrefix(".") })
  }

  @Test("a failed run in the future is no night any more after the next run ignores it")
  func failedInTheFuture() throws {
    let night = try night()
    night.settings.maxRejected = .count(0)
    try night.put("{}\n", at: "receipts/bad.ndjson")
    #expect(throws: ReconciliationError.self) { try night.run(asOf: "2999-11-17 03:00") }
    night.settings.maxRejected = nil
    try night.run(asOf: "2999-11-20 03:00")
    #expect(try rows(night).count == 3)
    night.ignoresFutureNights = true
    let undone = try night.runNow()
    #expect(undone.warnings.contains { $0.hasPrefix("Run 2 as of 2999-11-20T03:00:00Z") })
    #expect(!undone.warnings.contains { $0.hasPrefix("Run 1 ") })
    let shown = try rows(night)
    #expect(shown.count == 1, "\(shown)")
    #expect(try calendar(night).contains("they were in the future by mistake"))
  }

  @Test("a night that is only a rebuild is not counted, and the future is not shown as past")
  func uncounted() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2026-11-18 03:00")
    #expect(try rows(night).last == "Wed 18 Nov – not counted – 1 → Next night, Fri 20 Nov")
    let before = try calendar(night)
    // Nothing changes, so the calendar is not written again.
    let file = night.reports.appending(path: "index.html").path
    let inode = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try calendar(night) == before)
    #expect(
      try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == inode)
  }

  @Test("a night in the future that was marked as a run of a past day is only a folder")
  func corrected() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2126-11-20 03:00")
    #expect(try calendar(night).contains("Newest night, Wed 20 Nov:"))
    try night.database.connect().run(
      "update tieout.run set is_of_past_day = true where as_of_on = '2126-11-20'", step: "correct")
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try calendar(night).contains("Newest night, Sat 21 Nov:"))
    #expect(try links(night).contains("2126-11-20/index.html"))
    let latest = try FileManager.default.destinationOfSymbolicLink(
      atPath: night.reports.appending(path: "latest").path)
    #expect(latest == "2026-11-21")
  }
}
