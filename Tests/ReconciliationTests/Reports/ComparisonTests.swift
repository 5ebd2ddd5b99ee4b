import Configuration
import DamageTestSupport
import Foundation
import NightRun
import Oracle
import Page
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Testing

@Suite("How much of a night was compared")
struct ComparisonTests {
  @Test(
    "summary, page, control totals and metrics have the same numbers for the same words",
    arguments: RandomCases.seeds(1))
  func sameNumbers(seed: UInt64) throws {
    let input = RandomNight(seed: seed &+ 900, accounts: 60).input
    let night = try TestNight()
    try night.put("no gzip", at: "receipts/broken.json.gz")
    try night.put("{\"status\": 21003}\n", at: "receipts/refused.ndjson")
    try night.run(input, files: 2, seed: seed)
    let summary = try night.run(asOf: Instant(seconds: input.asOf).rfc3339)
    let comparison = summary.comparison

    let totals = try night.table("control_totals.csv")
    func total(_ section: String, _ measure: String) -> Int? {
      totals.rows.first { $0[0] == section && $0[1] == measure }.flatMap { Int($0[2]) }
    }
    for row in totals.rows(where: "section", is: "obligation").rows {
      #expect(comparison.count(row[1]) == Int(row[2]), "seed \(seed): \(row[1])")
    }
    #expect(comparison.unitsWithoutAmount == total("units", "without_amount"))
    #expect(comparison.unreadFileCount == total("unread", "files"))
    #expect(comparison.unreadRecords == total("unread", "records"))
    #expect(comparison.otherEnvironments == total("disposition", "other_environment"))

    let reasons = try night.table("missing_deliveries.csv").columns(["reason"]).rows.map { $0[0] }
    #expect(total("obligation", "uncertain") == reasons.count { $0 == "no_records" })
    #expect(total("obligation", "missing") == reasons.count { $0 != "no_records" })
    let sources = try night.table("revenue.csv").rows(where: "price_source", is: "none")
    let units = sources.columns(["units_sold"]).rows.compactMap { Int($0[0]) }.reduce(0, +)
    #expect(total("units", "without_amount") == units)

    // The headline has no line break between a number and its noun.
    let page = try night.report("index.html").replacing("\u{A0}", with: " ")
    for sentence in [comparison.headline, comparison.notCompared, comparison.withoutAmount] {
      #expect(page.contains(">\(sentence ?? "")<"), "seed \(seed): \(sentence ?? "")")
    }
    #expect(page.contains(comparison.notUsed ?? "?"))

    let file = night.folder.appending(path: "tieout.prom").path
    try MetricsFile(path: file, reports: night.reports.path).write(
      outcome: "done", exitStatus: 0, from: night.database.connectionString)
    let metrics = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    for (name, section) in [
      ("tieout_obligations", "obligation"), ("tieout_units", "units"), ("tieout_unread", "unread"),
    ] {
      for row in totals.rows(where: "section", is: section).rows {
        let line = "\(name){measure=\"\(row[1])\"} \(row[2])"
        #expect(metrics.contains { $0 == line }, "seed \(seed): \(line)")
      }
    }
  }

  @Test("the metrics are those of the run with this number, for any clocks")
  func metricsOfRun() throws {
    let night = try Self.night()
    let run = try #require(try night.run(asOf: "2026-11-20 03:00").runID)
    try night.database.connect().run(
      "update tieout.run set started_at = started_at - interval '1 hour'", step: "test")
    let file = night.folder.appending(path: "tieout.prom").path
    func hasSteps(_ runID: String?) throws -> Bool {
      try MetricsFile(path: file, reports: night.reports.path).write(
        outcome: "done", exitStatus: 0, from: night.database.connectionString, runID: runID)
      return try String(contentsOfFile: file, encoding: .utf8)
        .contains("tieout_run_step_duration_seconds{")
    }
    #expect(try hasSteps(run))
    #expect(try !hasSteps(nil))
  }

  @Test("numbers that a query does not give are missing in the metrics, and a warning says so")
  func metricsWithoutQuery() throws {
    let night = try Self.night()
    try night.run(asOf: "2026-11-20 03:00")
    let file = night.folder.appending(path: "tieout.prom").path
    func write() throws -> [String] {
      try MetricsFile(path: file, reports: night.reports.path).write(
        outcome: "done", exitStatus: 0, from: night.database.connectionString)
    }
    #expect(try write().isEmpty)
    try night.database.connect().run(
      "alter table tieout.finding rename to elsewhere", step: "test")
    #expect(try write().map { $0.contains("lacks numbers") } == [true])
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("tieout_run_exit_status 0"))
  }

  private static func night() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    return night
  }

  private static func deliver(_ night: TestNight, at instant: String) throws {
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n1 | book | \(instant)")
  }

  @Test("a purchase before the books begin, and a night without a log, compare nothing")
  func nothingCompared() throws {
    let night = try Self.night()
    let silent = try night.run(asOf: "2026-11-20 03:00")
    #expect(silent.comparison.headline == "Nothing was compared: no delivery was due.")
    #expect(silent.comparison.count("before_books") == 1)
    try Self.deliver(night, at: "2026-11-10 10:01")
    let early = try night.run(asOf: "2026-11-20 04:00")
    #expect(!early.comparison.isEverythingDelivered)
    #expect(
      early.comparison.notCompared == "Purchases not compared: 1 bought before the books begin.")
  }

  @Test("a delivery that was made early counts from its due date, also in a night without files")
  func fallsDue() throws {
    let night = try Self.night()
    night.settings.booksBegin = "2026-11-01T00:00:00Z"
    try Self.deliver(night, at: "2026-11-10 10:01")
    let early = try night.run(asOf: "2026-11-11 09:59:59")
    #expect(early.comparison.count("not_due") == 1)
    #expect(early.comparison.headline == "Nothing was compared: no delivery was due.")
    let due = try night.run(asOf: "2026-11-11 10:00")
    #expect(due.comparison.count("not_due") == 0)
    #expect(
      due.comparison.headline
        == "Everything was delivered: 1 delivery was due, and it was made.")
    #expect(try night.recompute().corrections == 0)
  }

  @Test("delivery records of unknown environments, and those after as-of, are counted in notes")
  func uncounted() throws {
    let night = try Self.night()
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | environment
      1              | book       | 2026-11-10 10:01 | live
      2              | book       | 2026-11-10 10:01 |
      3              | book       | 2026-11-10 10:01 | Sandbox
      4              | book       | 2027-11-10 10:01 | Production
      """)
    func notes(on day: Int) throws -> [String] {
      try night.run(asOf: "2026-11-\(day) 03:00").warnings.filter { $0.hasPrefix("Not counted") }
    }
    #expect(
      try notes(on: 18) == [
        "Not counted: 1 delivery record of environments that the App Store does not have, such as live.",
        "Not counted: 1 delivery record after as-of.",
      ])
    #expect(try notes(on: 19).isEmpty)
  }

  @Test("a file that could not be read stands out until it is read or withdrawn")
  func unreadFile() throws {
    let night = try Self.night()
    night.settings.booksBegin = "2026-11-01T00:00:00Z"
    try Self.deliver(night, at: "2026-11-10 10:01")
    try night.run(asOf: "2026-11-18 03:00")
    try night.put("no gzip", at: "deliveries/more.csv.gz")
    for day in [19, 20] {
      let broken = try night.run(asOf: "2026-11-\(day) 03:00")
      #expect(
        broken.comparison.headline == "1 delivery was due: 1 delivered, 0 missing, 0 uncertain.")
      #expect(broken.comparison.notUsed == "1 file could not be used.")
      #expect(
        broken.comparison.fileSentences { $0 }.first == """
          Unreadable file deliveries/more.csv.gz (since 2026-11-19, not_gzip); files of \
          deliveries/ usually hold about 1 record.
          """)
    }
    // Nobody can open a link to nothing.
    try FileManager.default.createSymbolicLink(
      atPath: night.inbox.appending(path: "deliveries/gone.csv").path,
      withDestinationPath: "nowhere.csv")
    for day in [20, 21] {
      let broken = try night.run(asOf: "2026-11-\(day) 04:00")
      #expect(
        broken.comparison.unreadFiles.map { "\($0.path) \($0.since)" }
          == ["deliveries/gone.csv 2026-11-20", "deliveries/more.csv.gz 2026-11-19"])
    }
    try FileManager.default.removeItem(at: night.inbox.appending(path: "deliveries/gone.csv"))
    let log = "delivery_id,transaction_id,product_id,status,occurred_at\n"
    let record = log + "D9,1,book,delivered,2026-11-10T11:00:00Z\n"
    try night.put(Data(gzipMember([UInt8](record.utf8))), at: "deliveries/more.csv.gz")
    let mended = try night.run(asOf: "2026-11-22 03:00")
    #expect(mended.comparison.notUsed == nil)
    #expect(mended.comparison.isEverythingDelivered)
  }

  @Test(
    "bytes that were used in their folder are not unreadable in another one, in any order",
    arguments: [["deliveries", "receipts"], ["receipts", "deliveries"]])
  func wrongFolder(folders: [String]) throws {
    let night = try Self.night()
    let log = "delivery_id,transaction_id,product_id,status,occurred_at\n"
    var unread: [[String]] = []
    for (index, folder) in folders.enumerated() {
      try night.put(log + "D9,1,book,delivered,2026-11-10T11:00:00Z\n", at: "\(folder)/a.csv")
      let summary = try night.run(asOf: "2026-11-\(18 + index) 03:00")
      #expect((summary.rejected > 0) == (folder == "receipts"))
      unread.append(summary.comparison.unreadFiles.map(\.path))
    }
    #expect(unread == [folders[0] == "receipts" ? ["receipts/a.csv"] : [], []])
    try FileManager.default.removeItem(at: night.inbox.appending(path: "receipts/a.csv"))
    #expect(try night.run(asOf: "2026-11-20 03:00").comparison.unreadFiles.isEmpty)
  }

  @Test("a file is unreadable until its path is read with other bytes, also known ones")
  func knownBytes() throws {
    let night = try Self.night()
    let log = "delivery_id,transaction_id,product_id,status,occurred_at\n"
    let record = log + "D9,1,book,delivered,2026-11-10T11:00:00Z\n"
    let names = ["gone", "good", "x"].map { night.inbox.appending(path: "deliveries/\($0).csv.gz") }
    func unread(on day: Int) throws -> [String] {
      try night.run(asOf: "2026-11-\(day) 03:00").comparison.unreadFiles.map(\.path)
    }
    try night.put("no gzip", at: "deliveries/x.csv.gz")
    try night.put("no gzip either", at: "deliveries/gone.csv.gz")
    let both = ["deliveries/gone.csv.gz", "deliveries/x.csv.gz"]
    #expect(try unread(on: 18) == both)
    try night.put(Data(gzipMember([UInt8](record.utf8))), at: "deliveries/good.csv.gz")
    #expect(try unread(on: 19) == both)
    // A file that is deleted is not corrected.
    try FileManager.default.removeItem(at: names[0])
    try FileManager.default.removeItem(at: names[2])
    try FileManager.default.moveItem(at: names[1], to: names[2])
    for day in [20, 21] { #expect(try unread(on: day) == ["deliveries/gone.csv.gz"]) }
  }
}
