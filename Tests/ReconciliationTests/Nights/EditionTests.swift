import Configuration
import Foundation
import NightRun
import ReconciliationTestSupport
import Runs
import Testing

@Suite("Editions of a day") struct EditionTests {
  private func night() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue("product_id\nbook.emma")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n101 | book.emma | 2026-11-17 10:00")
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n100 | book.emma | 2026-11-17 09:00")
    return night
  }

  /// One more purchase that nobody delivers.
  private func buy(_ id: Int, in night: TestNight) throws {
    try night.transactions(
      "transaction_id | product_id | purchased_at\n\(id) | book.emma | 2026-11-17 10:00")
  }

  private func bytes(_ night: TestNight, _ folder: String) throws -> [String: Data] {
    let folder = night.reports.appending(path: folder)
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = try Data(contentsOf: folder.appending(path: name))
    }
    return files
  }

  private func latest(_ night: TestNight) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(
      atPath: night.reports.appending(path: "latest").path)
  }

  @Test("a run with other statements publishes the next edition, and leaves the others alone")
  func next() throws {
    let night = try night()
    let first = try night.run(asOf: "2026-11-20 03:00")
    #expect(first.isNewEdition)
    #expect(first.edition == Edition(day: "2026-11-20", number: 1))
    let shown = try bytes(night, "2026-11-20")
    try buy(102, in: night)
    let second = try night.run(asOf: "2026-11-20 03:00")
    #expect(second.isNewEdition)
    #expect(second.folder == night.reports.appending(path: "2026-11-20.2").path)
    #expect(try latest(night) == "2026-11-20.2")
    #expect(try bytes(night, "2026-11-20") == shown)
    let two = try bytes(night, "2026-11-20.2")
    #expect(two.count == shown.count)
    try buy(103, in: night)
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try latest(night) == "2026-11-20.3")
    #expect(try bytes(night, "2026-11-20.2") == two)
    #expect(try night.table("missing_deliveries.csv").rows.count == 3)
    try night.expect(
      query: "select run_id, edition, is_published from run order by run_id",
      gives: """
        run_id | edition | is_published
        1      | 1       | t
        2      | 2       | t
        3      | 3       | t
        """)
  }

  @Test("a new rejection makes an edition; counts of records and the workbook alone make none")
  func deciding() throws {
    let night = try night()
    night.settings.workbook = false
    try night.run(asOf: "2026-11-20 03:00")
    night.settings.workbook = true
    // A copy of a file that is known has other control totals, and nothing else.
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n100 | book.emma | 2026-11-17 09:00")
    let same = try night.run(asOf: "2026-11-20 03:00")
    #expect(!same.isNewEdition)
    #expect(same.edition?.number == 1)
    try night.put("{}\n", at: "receipts/bad.ndjson")
    #expect(try night.run(asOf: "2026-11-20 03:00").edition?.number == 2)
    // The second edition reports all three runs.
    let read = try night.table("control_totals.csv").rows.first {
      $0[0] == "files" && $0[1] == "read"
    }
    #expect(read?[2] == "5")
  }

  @Test(
    "a past day that is judged again publishes nothing from the same data, an edition from others")
  func pastDay() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try !night.run(asOf: "2026-11-20 03:00").isNewEdition)
    try buy(102, in: night)
    let rebuilt = try night.run(asOf: "2026-11-20 03:00")
    #expect(rebuilt.isOfPastDay)
    #expect(rebuilt.edition?.folder == "2026-11-20.2")
    #expect(try latest(night) == "2026-11-21")
    let shown = try night.shownNames()
    #expect(
      shown == ["2026-11-20", "2026-11-20.2", "2026-11-21", "editions.txt", "index.html", "latest"])
  }

  @Test("an earlier as-of on the newest day publishes an edition, and latest names it")
  func earlierOnNewestDay() throws {
    let night = try night()
    try night.run(asOf: "2026-11-19 03:00")
    try night.run(asOf: "2026-11-20 12:00")
    let earlier = try night.run(asOf: "2026-11-20 03:00")
    #expect(earlier.isOfPastDay)
    #expect(earlier.edition?.number == 2)
    #expect(try latest(night) == "2026-11-20.2")
    try night.run(asOf: "2026-11-20 12:00")
    #expect(try latest(night) == "2026-11-20.3")
    #expect(
      try bytes(night, "2026-11-20.3")["findings.csv"]
        == bytes(night, "2026-11-20")["findings.csv"])
  }

  @Test("the number of an edition that is gone is not used again")
  func gone() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try FileManager.default.removeItem(at: night.reports.appending(path: "2026-11-20"))
    #expect(try night.run(asOf: "2026-11-20 03:00").edition?.number == 2)
    #expect(try latest(night) == "2026-11-20.2")
    // Without its checksums nobody knows what an edition says.
    try FileManager.default.removeItem(
      at: night.reports.appending(path: "2026-11-20.2/SHA256SUMS"))
    #expect(try night.run(asOf: "2026-11-20 03:00").edition?.number == 3)
    // Only the list of editions knows them after the folder was renamed.
    let moved = night.folder.appending(path: "moved")
    try FileManager.default.moveItem(at: night.reports, to: moved)
    for name in ["2026-11-20.2", "2026-11-20.3"] {
      try FileManager.default.removeItem(at: moved.appending(path: name))
    }
    night.settings.reports = moved.path
    #expect(try night.run(asOf: "2026-11-20 03:00").edition?.number == 4)
  }

  @Test("a run of a day whose reports were removed or changed publishes them again")
  func damaged() throws {
    let night = try night()
    let whole = try night.run(asOf: "2026-11-20 03:00").edition?.number
    #expect(whole == 1)
    try FileManager.default.removeItem(
      at: night.reports.appending(path: "2026-11-20/revenue.csv"))
    #expect(try night.run(asOf: "2026-11-20 03:00").edition?.number == 2)
    try Data("changed".utf8).write(
      to: night.reports.appending(path: "2026-11-20.2/changes.csv"))
    #expect(try night.run(asOf: "2026-11-20 03:00").edition?.number == 3)
    #expect(try night.run(asOf: "2026-11-20 03:00").edition?.number == 3)
  }

  @Test("a night in another folder of reports begins there with the first edition")
  func elsewhere() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    night.settings.reports = night.folder.appending(path: "other").path
    let other = try night.run(asOf: "2026-11-20 03:00")
    #expect(other.isNewEdition)
    #expect(other.edition?.number == 1)
  }

  @Test("in a moved folder latest keeps a later day, also if the days begin later now")
  func movedFolder() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    let moved = night.folder.appending(path: "moved")
    try FileManager.default.copyItem(at: night.reports, to: moved)
    night.settings.reports = moved.path
    night.settings.timeZone = "America/Los_Angeles"
    for (id, asOf, edition, newest) in [
      (102, "2026-11-20 03:00", "2026-11-19", "2026-11-20"),
      (103, "2026-11-20 04:00", "2026-11-19.2", "2026-11-20"),
      (104, "2026-11-21 03:00", "2026-11-20.2", "2026-11-20.2"),
    ] {
      try buy(id, in: night)
      let summary = try night.run(asOf: asOf)
      #expect(summary.edition?.folder == edition)
      let words = "The link latest still leads to 2026-11-20, because the day of this night is "
      #expect(summary.warnings.contains { $0.hasPrefix(words) } == (edition != newest))
      let latest = try FileManager.default.destinationOfSymbolicLink(
        atPath: moved.appending(path: "latest").path)
      #expect(latest == newest)
      #expect(try PublishedReports(moved).fault() == nil)
    }
  }

  @Test("a dry run says which edition a run would publish")
  func dryRun() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    night.settings.dryRun = true
    #expect(try !night.run(asOf: "2026-11-20 03:00").isNewEdition)
    try buy(102, in: night)
    let trial = try night.run(asOf: "2026-11-20 03:00")
    #expect(trial.isNewEdition)
    #expect(trial.edition?.number == 2)
    #expect(try night.shownNames() == ["2026-11-20", "editions.txt", "index.html", "latest"])
  }

  @Test(
    "a folder's name stands for an edition only in the form that the program gives",
    arguments: [
      ("2026-11-20", 1), ("2026-11-20.2", 2), ("2026-11-20.10", 10), ("2026-11-20.1", nil),
      ("2026-11-20.02", nil), ("2026-11-20.", nil), ("2026-11-20.2.3", nil), ("2026-1-20", nil),
      ("latest", nil), ("", nil), (".2026-11-20", nil), ("2026-11-20.99999999999999999999", nil),
      ("２０２６-11-20", nil),
    ] as [(String, Int?)])
  func names(name: String, number: Int?) {
    let edition = Edition(folder: name)
    #expect(edition?.number == number)
    #expect(edition == nil || edition?.folder == name)
  }
}
