import Configuration
import Foundation
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("A day's folder") struct DayFolderTests {
  /// A catalogue, one undelivered purchase, and one delivery at which the books begin.
  private func night() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue("product_id | prices\nbook.emma | USD 1.99\nbook.iliad | USD 2.99")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      101            | book.emma  | 2026-11-17 10:00
      102            | book.iliad | 2026-11-17 11:00
      """)
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n102 | book.iliad | 2026-11-17 09:00")
    return night
  }

  private func bytes(_ night: TestNight, _ day: String) throws -> [String: Data] {
    let folder = try night.folder(of: day)
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = try Data(contentsOf: folder.appending(path: name))
    }
    return files
  }

  @Test(
    "a second run with the same as-of has the same statements, so it publishes nothing",
    arguments: [false, true])
  func again(hasUnreadableFile: Bool) throws {
    let night = try night()
    if hasUnreadableFile {
      try FileManager.default.createSymbolicLink(
        atPath: night.inbox.appending(path: "deliveries/gone.csv").path,
        withDestinationPath: "nowhere")
    }
    try night.run(asOf: "2026-11-20 03:00")
    let first = try bytes(night, "2026-11-20")
    #expect(first.count == Report.all.count + 4)
    let again = try night.run(asOf: "2026-11-20 03:00")
    #expect(!again.isNewEdition)
    #expect(try again.folder == night.folder(of: "2026-11-20").path)
    #expect(try night.shownNames() == ["2026-11-20", "editions.txt", "index.html", "latest"])
    #expect(try bytes(night, "2026-11-20") == first)
    let rejected = try night.table("rejected_records.csv").rows
    #expect(rejected.count == (hasUnreadableFile ? 1 : 0))
  }

  @Test("an as-of before the newest rebuilds only the statements of its day and changes no finding")
  func rebuild() throws {
    let night = try night()
    try night.run(asOf: "2026-11-19 03:00")
    try night.run(asOf: "2026-11-21 03:00")
    let newest = try bytes(night, "2026-11-21")
    let findings = "select *, xmin from finding order by finding_id"
    let before = try night.database.draw(findings)

    // As of the 20th, the late delivery is known now.
    try night.put(
      """
      {"delivery_id":"L","transaction_id":"101","product_id":"book.emma","status":"delivered",\
      "occurred_at":"2026-11-19T12:00:00Z"}\n
      """, at: "deliveries/late.ndjson")
    let rebuilt = try night.run(asOf: "2026-11-20 03:00")
    #expect(rebuilt.isOfPastDay)
    #expect(try night.table("missing_deliveries.csv", day: "2026-11-20").rows.isEmpty)
    #expect(try night.database.draw(findings) == before)
    #expect(try bytes(night, "2026-11-21") == newest)
    let link = try FileManager.default.destinationOfSymbolicLink(
      atPath: night.reports.appending(path: "latest").path)
    #expect(link == "2026-11-21")

    // As of the 19th, the delivery had not happened yet.
    try night.run(asOf: "2026-11-19 03:00")
    let missing = try night.table("missing_deliveries.csv", day: "2026-11-19")
    #expect(
      missing.columns(["transaction_id", "first_flagged_on"]).rows == [["101", "2026-11-19"]])
    #expect(try night.database.draw(findings) == before)
  }

  @Test("the night papers of a day cover all runs of that day and no other run")
  func nightPapers() throws {
    let night = try night()
    func value(_ section: String, _ measure: String, _ day: String) throws -> String? {
      try night.table("control_totals.csv", day: day).rows
        .first { $0[0] == section && $0[1] == measure }?[2]
    }
    try night.run(asOf: "2026-11-20 03:00")
    try night.put("{}\n" + deliveryLines(1...2), at: "deliveries/second.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    try night.put("{}\n" + deliveryLines(1...3), at: "deliveries/third.ndjson")
    try night.run(asOf: "2026-11-20 23:59")
    let measures = ["read", "new", "already_known", "rejected"]
    #expect(try measures.map { try value("deliveries", $0, "2026-11-20") } == ["8", "3", "3", "2"])
    #expect(try measures.map { try value("files", $0, "2026-11-20") } == ["5", "5", "0", "0"])
    #expect(
      try night.table("rejected_records.csv").columns(["file"]).rows
        == [["deliveries/second.ndjson"], ["deliveries/third.ndjson"]])

    // Each edition reports the runs up to its own.
    let first = try DrawnTable(
      csv: String(
        contentsOf: night.reports.appending(path: "2026-11-20.2/control_totals.csv"),
        encoding: .utf8))
    #expect(
      try #require(first.rows.first { $0[0] == "deliveries" && $0[1] == "read" })[2] == "4")
    #expect(
      try night.shownNames()
        == ["2026-11-20", "2026-11-20.2", "2026-11-20.3", "editions.txt", "index.html", "latest"])

    try night.run(asOf: "2026-11-21 00:00")
    #expect(try measures.map { try value("deliveries", $0, "2026-11-21") } == ["0", "0", "0", "0"])
    #expect(try night.table("rejected_records.csv").rows.isEmpty)
  }

  @Test("a dry run neither makes nor changes a folder, and keeps nothing")
  func dryRun() throws {
    let night = try night()
    night.settings.dryRun = true
    let trial = try night.run(asOf: "2026-11-20 03:00")
    #expect(counts("transactions", trial) == [2, 2, 0, 0])
    #expect(trial.findings.map(\.rule) == ["missing_delivery"])
    #expect(trial.folder == nil)
    #expect(!FileManager.default.fileExists(atPath: night.reports.path))
    let kept = """
      select (select count(*) from run) + (select count(*) from input_file)
      + (select count(*) from inbox_path) + (select count(*) from evidence)
      + (select count(*) from delivery_record) + (select count(*) from finding) as n
      """
    #expect(try night.database.draw(kept) == "n\n0")
    night.settings.reports = night.folder.appending(path: "new/inner/reports").path
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      !FileManager.default.fileExists(atPath: night.folder.appending(path: "new").path))

    night.settings.reports = night.reports.path
    night.settings.dryRun = false
    try night.run(asOf: "2026-11-20 03:00")
    let before = try (bytes(night, "2026-11-20"), night.database.draw(kept))
    night.settings.dryRun = true
    try night.put(deliveryLines(1...2), at: "deliveries/more.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try bytes(night, "2026-11-20") == before.0)
    #expect(try night.database.draw(kept) == before.1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: night.reports.path).count == 4)
  }

  @Test("a folder that was lost before it was published is published by the next run")
  func unpublished() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    let lost = try bytes(night, "2026-11-20")
    for name in ["2026-11-20", "editions.txt"] {
      try FileManager.default.removeItem(at: night.reports.appending(path: name))
    }
    try night.database.connect().run(
      "update tieout.run set is_published = false, edition = null", step: "test")
    try night.put(deliveryLines(101...101), at: "deliveries/more.ndjson")
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try bytes(night, "2026-11-20") == lost)
    #expect(try night.table("missing_deliveries.csv").rows.isEmpty)
    #expect(try night.database.draw("select bool_and(is_published) as all from run") == "all\nt")
  }

  @Test("a run that cannot write the calendar says that its reports are published")
  func withoutCalendar() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    // A folder with this name keeps the calendar from being written.
    let (files, calendar) = (FileManager.default, night.reports.appending(path: "index.html"))
    try files.removeItem(at: calendar)
    try files.createDirectory(
      at: calendar.appending(path: "obstacle"), withIntermediateDirectories: true)
    let error = #expect(throws: ReconciliationError.self) {
      try night.run(asOf: "2026-11-21 03:00")
    }
    let message = error?.message ?? ""
    #expect(error?.code == .reports, "\(message)")
    #expect(message.contains("its reports are in the folder 2026-11-21."), "\(message)")
    #expect(try night.folder().lastPathComponent == "2026-11-21")
    try files.removeItem(at: calendar)
    try night.run(asOf: "2026-11-22 03:00")
    let page = try String(contentsOf: calendar, encoding: .utf8)
    #expect(page.contains("2026-11-21/index.html"), "\(page)")
  }

  @Test("only the runs of a day that had not published their reports are called published now")
  func unreportedBesideUnpublished() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2026-11-20 12:00")
    // The first run could not print its summary, and the second one could not publish its reports.
    try night.database.connect().run(
      """
      update tieout.run
      set
          is_reported = false,
          is_published = (run_id = 1),
          edition = case when run_id = 1 then edition end
      """, step: "test")
    let sentences = try night.run(asOf: "2026-11-21 03:00").recoveredSentences
    #expect(sentences.count == 2)
    #expect(sentences.first?.contains("2026-11-20 published its reports but did not") == true)
    #expect(sentences.last?.contains("this run has published them") == true)
  }

  @Test("a folder lost long ago replaces neither the last run of its day nor the latest folder")
  func unpublishedLongAgo() throws {
    let night = try night()
    try night.run(asOf: "2026-11-19 03:00")
    try night.run(asOf: "2026-11-20 03:00")
    try night.put(deliveryLines(101...101), at: "deliveries/more.ndjson")
    try night.run(asOf: "2026-11-20 12:00")
    try night.run(asOf: "2026-11-21 03:00")
    let last = try bytes(night, "2026-11-20")
    try night.database.connect().run(
      "update tieout.run set is_published = false, edition = null where run_id in (1, 2)",
      step: "test")
    try FileManager.default.removeItem(at: night.reports.appending(path: "2026-11-19"))
    try night.run(asOf: "2026-11-18 03:00")
    let names = try FileManager.default.contentsOfDirectory(atPath: night.reports.path)
    #expect(
      names.filter { !$0.hasPrefix(".") }.sorted()
        == [
          "2026-11-18", "2026-11-19.2", "2026-11-20", "2026-11-20.2", "2026-11-21",
          "editions.txt", "index.html", "latest",
        ])
    #expect(try bytes(night, "2026-11-20") == last)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(
        atPath: night.reports.appending(path: "latest").path) == "2026-11-21")
  }

  @Test("after a run with a future as-of, the next nights are rebuilds and say how to undo it")
  func yetToCome() throws {
    let night = try night()
    try night.run(asOf: "2999-11-20 03:00")
    let mistaken = try night.runNow()
    #expect(mistaken.isOfPastDay)
    let ending = "If that was a mistake: tieout run --ignore-future-nights."
    #expect(
      mistaken.warnings.contains { $0.contains("2999-11-20T03:00:00Z") && $0.hasSuffix(ending) })
    night.ignoresFutureNights = true
    night.settings.dryRun = true
    #expect(try !night.runNow().isOfPastDay)
    night.settings.dryRun = false
    night.ignoresFutureNights = false
    #expect(try night.runNow().isOfPastDay, "a dry run changes no night")
    night.ignoresFutureNights = true
    let undone = try night.runNow()
    #expect(!undone.isOfPastDay)
    #expect(
      undone.warnings.contains {
        $0.hasPrefix("Run 1 as of 2999-11-20T03:00:00Z") && $0.contains("counts as a run of a past")
      })
    #expect(try !night.runNow().warnings.contains { $0.contains("2999") })
    #expect(
      try FileManager.default.destinationOfSymbolicLink(
        atPath: night.reports.appending(path: "latest").path) == String(undone.asOf.prefix(10)))
  }

  @Test("the unfinished folder of a killed run of another day is removed")
  func swept() throws {
    let night = try night()
    try FileManager.default.createDirectory(
      at: night.reports.appending(path: ".2026-11-18.being-written"),
      withIntermediateDirectories: true)
    try night.run(asOf: "2026-11-20 03:00")
    let names = try FileManager.default.contentsOfDirectory(atPath: night.reports.path)
    #expect(names.sorted() == ["2026-11-20", "editions.txt", "index.html", "latest"])
  }
}
