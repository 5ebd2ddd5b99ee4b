import Configuration
import DamageTestSupport
import Foundation
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("Which report of Apple counts")
struct AppleReportOrderTests {
  private static func soldUnits(_ night: TestNight) throws -> [String] {
    try night.table("proceeds.csv").rows(where: "report", is: "sales_summary").columns(["units"])
      .rows.flatMap { $0.compactMap { $0 } }
  }

  /// Puts a copy of one of three contents into the inbox, and runs a night.
  ///
  /// Copies of one content differ in the white space at the end, so they are different files.
  private static func load(_ content: Int, run: Int, in night: TestNight) throws {
    try night.put(
      AppleReports.sales("11/10/2026", ["coin US \(content + 1) 0.70 USD 0.99 USD"])
        + String(repeating: "\n", count: run), at: "apple/\(run).txt")
    try night.run(asOf: "2026-11-20 0\(run):00")
  }

  /// A night after each content arrived once; no test connects to its database.
  nonisolated(unsafe) private static let threeContents: Result<TestNight, any Error> = Result {
    let night = try TestNight()
    for run in 0..<3 {
      try load(run, run: run, in: night)
      #expect(try soldUnits(night) == ["\(run + 1)"])
    }
    return night.removedAtExit()
  }

  @Test(
    "the newest content counts that one file brings, whichever copies are withdrawn",
    arguments: RandomCases.seeds(2))
  func copies(seed: UInt64) throws {
    var random = Dice(seed)
    let night = try TestNight(copyOf: Self.threeContents.get())
    var files = (0..<3).map { (path: "apple/\($0).txt", content: $0) }
    for run in 3..<5 {
      let content = Int.random(in: 0..<3, using: &random)
      try Self.load(content, run: run, in: night)
      files.append((path: "apple/\(run).txt", content: content))
      #expect(try Self.soldUnits(night) == ["3"], "seed \(seed)")
    }
    for file in files.shuffled(using: &random).dropLast() {
      try night.withdraw(file.path)
      files.removeAll { $0.path == file.path }
      // The third withdrawal is rebuilt together with the fourth.
      if files.count == 2 { continue }
      try night.rebuild()
      // The contents arrived in the order of their numbers.
      let newest = files.map(\.content).max()
      #expect(
        try Self.soldUnits(night) == ["\((newest ?? 0) + 1)"],
        "seed \(seed), without \(file.path), with \(files)")
    }
  }

  @Test("an earlier report that comes again in another form does not replace the newer one")
  func earlierAgain() throws {
    let night = try TestNight()
    let texts = [3, 5].map {
      AppleReports.sales("11/10/2026", ["coin US \($0) 0.70 USD 0.99 USD"])
    }
    let forms = [
      texts[0].replacing("\n", with: "\r\n"), texts[0].replacing("\t", with: ","),
      texts[0].replacing("coin\t", with: "coin \t"),
    ]
    for (run, text) in (texts + forms).enumerated() {
      try night.put(text, at: "apple/\(run).txt")
      try night.run(asOf: "2026-11-20 0\(run):00")
      #expect(try Self.soldUnits(night) == [run == 0 ? "3" : "5"], "run \(run)")
    }
  }

  @Test(
    "a report with several currencies replaces all, another one its own countries",
    arguments: RandomCases.seeds(2))
  func regions(seed: UInt64) throws {
    var random = Dice(seed)
    let night = try TestNight()
    let currencies = ["BR": "USD", "DE": "EUR", "FR": "EUR", "JP": "JPY", "US": "USD"]
    var counting: [String: Int] = [:]
    for run in 0..<6 {
      let isRegion = Bool.random(using: &random)
      let only = currencies.values.sorted().randomElement(using: &random)
      var cells: [(country: String, currency: String, units: Int)] = []
      for (country, currency) in currencies.sorted(by: { $0.key < $1.key })
      where (!isRegion || currency == only) && Bool.random(using: &random) {
        cells.append((country, currency, Int.random(in: 1...9, using: &random)))
      }
      guard !cells.isEmpty else { continue }
      if Set(cells.map(\.currency)).count > 1 { counting = [:] }
      for cell in cells { counting[cell.country] = cell.units }
      // A run counts the newest content, so each content must be new.
      try night.put(
        AppleReports.financial(cells + [("CA", "\(cells[0].currency)", 100 + run)]),
        at: "apple/\(run).txt")
      counting["CA \(cells[0].currency)"] = 100 + run
      try night.run(asOf: "2026-11-20 0\(run):00")
      let shown = try night.table("proceeds.csv").records.map { row in
        let country = row["country"] ?? ""
        let name = country == "CA" ? "CA \(row["currency"] ?? "")" : country
        return "\(name) \(row["units"] ?? "")"
      }
      let expected = counting.map { "\($0.key) \($0.value)" }
      #expect(shown.sorted() == expected.sorted(), "seed \(seed), run \(run), \(cells)")
    }
  }

  private static func notes(_ summary: Summary) -> [String] {
    summary.warnings.filter { $0.contains("counts instead of") }
  }

  @Test("a report that changes numbers of an earlier one is told once, with both files")
  func replaced() throws {
    let night = try TestNight()
    func put(_ units: Int, day: String, _ name: String) throws {
      try night.put(
        AppleReports.sales("11/\(day)/2026", ["coin US \(units) 0.70 USD 0.99 USD"]),
        at: "apple/\(name).txt")
    }
    try put(3, day: "10", "first")
    try put(3, day: "11", "other")
    try night.put(
      AppleReports.financial([("US", "USD", 5), ("DE", "EUR", 2), ("FR", "EUR", 1)]),
      at: "apple/all.txt")
    #expect(Self.notes(try night.run(asOf: "2026-11-20 01:00")) == [])
    // The same rows as before, and a corrected day.
    try night.put(AppleReports.financial([("DE", "EUR", 2), ("FR", "EUR", 1)]), at: "apple/eu.txt")
    try put(4, day: "10", "second")
    let told = Self.notes(try night.run(asOf: "2026-11-20 02:00"))
    #expect(told.count == 1)
    #expect(
      told.first?.hasPrefix(
        "The numbers of sales_summary of 2026-11-10 have changed: apple/second.txt counts instead "
          + "of apple/first.txt") == true, "\(told)")
    #expect(Self.notes(try night.run(asOf: "2026-11-20 03:00")) == [])
    // A consolidated report without a country that an earlier one names.
    try night.put(
      AppleReports.financial([("US", "USD", 5), ("DE", "EUR", 2)]), at: "apple/new.txt")
    let corrected = Self.notes(try night.run(asOf: "2026-11-20 04:00"))
    #expect(corrected.count == 1)
    #expect(
      corrected.first?.contains(
        "financial of 2026-09-27 to 2026-10-31 have changed: apple/new.txt counts instead of "
          + "apple/eu.txt") == true, "\(corrected)")
    // Many are counted.
    for day in 10..<28 { try put(9, day: "\(day)", "many-\(day)") }
    try night.run(asOf: "2026-11-30 01:00")
    for day in 10..<28 { try put(8, day: "\(day)", "more-\(day)") }
    let many = try night.run(asOf: "2026-11-30 02:00")
    #expect(Self.notes(many).count == 10)
    #expect(many.warnings.contains { $0.contains("8 more reports of Apple count instead") })
  }

  @Test("each report of a region counts instead of the earlier one of this region")
  func replacedRegions() throws {
    let night = try TestNight()
    for (name, units) in [("first", 1), ("second", 2)] {
      try night.put(
        AppleReports.financial([("DE", "EUR", units)]), at: "apple/\(name)-eu.txt")
      try night.put(
        AppleReports.financial([("US", "USD", units)]), at: "apple/\(name)-us.txt")
      let told = Self.notes(try night.run(asOf: "2026-11-20 0\(units):00"))
      let regions = name == "first" ? [] : ["eu", "us"]
      #expect(told.count == regions.count, "\(told)")
      for (note, region) in zip(told, regions) {
        let words = "apple/second-\(region).txt counts instead of apple/first-\(region).txt,"
        #expect(note.contains(words), "\(note)")
      }
    }
    // A report of several currencies counts instead of all of them.
    try night.put(
      AppleReports.financial([("DE", "EUR", 3), ("US", "USD", 3)]), at: "apple/all.txt")
    let told = Self.notes(try night.run(asOf: "2026-11-20 03:00"))
    #expect(told.count == 1)
    #expect(
      told.first?.contains(
        "apple/all.txt counts instead of apple/second-eu.txt, apple/second-us.txt,") == true,
      "\(told)")
  }

  @Test("consolidated reports of one run that name different countries are told")
  func ambiguousCountries() throws {
    let night = try TestNight()
    try night.put(AppleReports.financial([("US", "USD", 5), ("DE", "EUR", 2)]), at: "apple/a.txt")
    try night.put(
      AppleReports.financial([("US", "USD", 5), ("DE", "EUR", 2), ("FR", "EUR", 1)]),
      at: "apple/b.txt")
    let told = try night.run(asOf: "2026-11-20 01:00").warnings
      .filter { $0.contains("2 different reports financial") }
    #expect(told.count == 1)
    let isWithFrance = try night.table("proceeds.csv").records.contains { $0["country"] == "FR" }
    let counting = "The one in apple/\(isWithFrance ? "b" : "a").txt counts"
    #expect(told.first?.contains(counting) == true, "\(told)")
  }

  @Test("a Financial Report that is not about a month of Apple's fiscal calendar is told")
  func fiscalMonths() throws {
    let night = try TestNight()
    for (name, days) in [
      ("month", ("09/27/2026", "10/31/2026")), ("calendar", ("08/01/2026", "08/31/2026")),
      ("part", ("06/28/2026", "07/31/2026")),
    ] {
      try night.put(
        AppleReports.financial([("US", "USD", 5)], from: days.0, to: days.1),
        at: "apple/\(name).txt")
    }
    let told = try night.run(asOf: "2026-11-20 01:00").warnings
      .filter { $0.contains("no month of Apple's fiscal calendar") }
    #expect(told.count == 2)
    #expect(
      told.first?.contains(
        "apple/calendar.txt names the days 2026-08-01 to 2026-08-31") == true, "\(told)")
    #expect(
      told.last?.contains("It counts for 2026-06-28 to 2026-08-01.") == true, "\(told)")
  }

  @Test("an empty report is rejected in each run, whatever its name, until it is replaced")
  func empty() throws {
    let night = try TestNight()
    func rejected() throws -> [String?] {
      try night.table("rejected_records.csv").rows(where: "reason", is: "unreadable")
        .columns(["file"]).rows.map { $0[0] }
    }
    try night.put("", at: "apple/a.txt")
    try night.put("", at: "receipts/a.json")
    try night.run(asOf: "2026-11-20 01:00")
    #expect(try rejected() == ["apple/a.txt"])
    try night.put(" \n\n", at: "apple/b.txt")
    try night.put("", at: "apple/c.txt")
    let summary = try night.run(asOf: "2026-11-21 01:00")
    #expect(try rejected() == ["apple/a.txt", "apple/b.txt", "apple/c.txt"])
    #expect(summary.rejected == 3)
    for (name, day) in [("a", "10"), ("b", "11"), ("c", "12")] {
      try night.put(
        AppleReports.sales("11/\(day)/2026", ["coin US 1 0.70 USD 0.99 USD"]),
        at: "apple/\(name).txt")
    }
    #expect(try night.run(asOf: "2026-11-22 01:00").rejected == 0)
    #expect(try Self.soldUnits(night) == ["1", "1", "1"])
  }
}
