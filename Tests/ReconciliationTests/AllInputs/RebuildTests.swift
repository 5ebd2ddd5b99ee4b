import Configuration
import DamageTestSupport
import Findings
import Foundation
import LibCrypto
import NightRun
import Oracle
import ReconciliationTestSupport
import Testing

@Suite("A rebuild from the files that count")
struct RebuildTests {
  /// The tables that a night leaves behind, apart from those with carried rows.
  ///
  /// The file and line of a row are not compared: the first of equal records gives them, and a
  /// rebuild reads the lines of a grown log from another file.
  private static let tables = [
    "document", "evidence", "store_transaction", "delivery_record", "catalogue_fact",
    "client_transaction", "client_invalid_product", "apple_report", "apple_report_row",
    "acknowledgement",
    // Every run writes its own counts of the state at its end. They are left out.
    "rejection",
    "run_count where value <> 0 and section !~ '^(standing|obligation|units|unread|judged|open_.*|acknowledged_.*)$'",
  ]

  @Test("a rebuild without a withdrawal changes nothing", arguments: RandomCases.seeds(1))
  func changesNothing(seed: UInt64) throws {
    let (night, archives) = try nights(3, seed: seed, acknowledging: true)
    let before = try Statements(night, blanking: [])
    // All papers but the rows that say how a run judged.
    func papers() throws -> [String] {
      try ["control_totals.csv", "rejected_records.csv"].flatMap { name in
        try night.report(name).split(separator: "\r\n").filter { !$0.hasPrefix("judged,") }.map(
          String.init)
      }
    }
    let papersBefore = try papers()
    let tables = try Self.contents(of: night)
    let filled = Set(tables.filter { $0.value.contains("\n") }.keys)
    try night.expectFilled(filled, "seed \(seed)")
    #expect(filled.contains("acknowledgement"), "seed \(seed)")
    let lives = try night.database.draw("select * from finding order by finding_id")
    let summary = try night.rebuild(archives: archives)
    #expect(summary.rejectedForTheFirstTime == 0)
    try Statements(night, blanking: []).expectSame(as: before, "seed \(seed), rebuilt")
    #expect(try papers() == papersBefore)
    for (table, text) in try Self.contents(of: night) {
      #expect(text == tables[table], "seed \(seed): \(table)")
    }
    #expect(try night.database.draw("select * from finding order by finding_id") == lives)
  }

  @Test(
    "a rebuild after withdrawals gives a database without those files; undoing restores the state",
    arguments: RandomCases.seeds(1))
  func neverSaw(seed: UInt64) throws {
    var random = Dice(seed &* 131)
    let (night, archives) = try nights(3, seed: seed &+ 50)
    let before = try Statements(night, blanking: ["first_flagged_on", "status"])
    let known = try DrawnTableRows(
      night, "select distinct encode(sha256, 'hex') as sha256 from input_file order by 1")
    let drawn = known.rows.map { $0[0] }.filter { _ in random.chance(30) }
    let withdrawn = Set(drawn.isEmpty ? [known.rows[0][0]] : drawn)
    for sha256 in withdrawn { try night.withdraw(String(sha256.prefix(20))) }
    try night.rebuild(archives: archives)

    let fresh = try TestNight()
    fresh.settings = night.settings
    fresh.settings.inbox = fresh.inbox.path
    fresh.settings.reports = fresh.reports.path
    try fill(fresh.inbox, from: archives, without: withdrawn)
    try fresh.run(asOf: night.newestAsOf())
    let blanked: Set = ["first_flagged_on", "status"]
    try Statements(night, blanking: blanked).expectSame(
      as: Statements(fresh, blanking: blanked),
      "seed \(seed), rebuilt, compared with a new database")
    let (rebuilt, new) = (try Self.contents(of: night), try Self.contents(of: fresh))
    for table in try night.carriedTables() + ["store_transaction"] {
      #expect(rebuilt[table] == new[table], "seed \(seed): \(table)")
    }

    // Withdrawn files that are still in the inbox stay out of the next night too.
    try night.run(asOf: night.newestAsOf())
    try Statements(night, blanking: blanked).expectSame(
      as: Statements(fresh, blanking: blanked), "seed \(seed), the night after")
    for sha256 in withdrawn { try night.undoWithdrawal(sha256) }
    try night.rebuild(archives: archives)
    try Statements(night, blanking: blanked).expectSame(as: before, "seed \(seed), undone")
  }

  @Test("a rebuild reads a grown log as each night saw it, wherever that night cut it")
  func grown() throws {
    let night = try TestNight()
    // The cuts are eleven characters apart, but each log has only every fourth of them, so that a
    // few nights are enough for all cuts.
    let logs = (0..<4).flatMap { place -> [(path: String, text: String, shift: Int)] in
      ["\r\n", "\n"].map { end in
        let name = "\(end == "\n" ? "b" : "a")\(place)"
        let header = "delivery_id,transaction_id,product_id,occurred_at,status,error\(end)"
        let lines = (1...3).map {
          "\(name)\($0),\($0),book,2026-11-18T10:00:0\($0)Z,failed,out of room\(end)"
        }
        return (path: "deliveries/\(name).csv", text: header + lines.joined(), shift: 11 * place)
      }
    }
    let longest = logs.map(\.text.utf8.count).max() ?? 0
    for length in stride(from: 9, through: longest + 43, by: 44) {
      for log in logs { try night.put(String(log.text.prefix(length + log.shift)), at: log.path) }
      try night.run(asOf: "2026-11-20 03:00")
    }
    let before = try Self.contents(of: night)
    // The record with the cut last column was removed.
    #expect(
      try night.database.draw("select distinct error from delivery_record")
        == "error\nout of room")
    #expect(
      try night.database.draw("select count(*) > 1 as is_cut from input_file where has_grown")
        == "is_cut\nt")
    try night.rebuild()
    for (table, text) in try Self.contents(of: night) { #expect(text == before[table], "\(table)") }
  }

  /// - Parameter acknowledging: Whether a person acknowledges a finding before the last night.
  private func nights(
    _ count: Int, seed: UInt64, acknowledging: Bool = false
  ) throws -> (TestNight, archives: [URL]) {
    let input = RandomNight(seed: seed &+ 900, accounts: 25).input
    let night = try TestNight()
    var archives: [URL] = []
    for (number, part) in input.nights(count, seed: seed).enumerated() {
      var part = part
      part.asOf = input.asOf - (count - 1 - number) * 86_400
      // Each night has Apple's report of another day, so the order of the reports does not matter.
      let day = Instant(seconds: part.asOf - 3 * 86_400).rfc3339.prefix(10)
      if acknowledging, number == count - 1 {
        let open = try DrawnTableRows(
          night, "select name from finding where status = 'open' order by name limit 1")
        _ = try night.acts().acknowledge([open.rows[0][0]], because: "known", until: nil)
      }
      try night.put(
        AppleReports.sales(String(day), ["\(input.plainProduct) US 1 0.70 USD 0.99 USD"]),
        at: "apple/1.txt")
      try night.run(part, files: 2, seed: seed &* 31 &+ UInt64(number))
      // The next night writes other files under the same names.
      let archive = night.folder.appending(path: "archive-\(number)")
      try FileManager.default.copyItem(at: night.inbox, to: archive)
      archives.append(archive)
    }
    return (night, archives)
  }

  private func fill(_ inbox: URL, from archives: [URL], without withdrawn: Set<String>) throws {
    for (number, archive) in archives.enumerated() {
      for name in try FileManager.default.subpathsOfDirectory(atPath: archive.path) {
        let file = archive.appending(path: name)
        let parts = name.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, !file.hasDirectoryPath, let bytes = try? Data(contentsOf: file)
        else { continue }
        let sha256 = HashFunction.sha256.digest(of: bytes).hexadecimal
        guard !withdrawn.contains(sha256) else { continue }
        let place = inbox.appending(path: "\(parts[0])/\(number)/\(parts[1])")
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: place)
      }
    }
  }

  private static func contents(of night: TestNight) throws -> [String: String] {
    let tables = try Self.tables + night.carriedTables()
    let texts = try night.database.draw(
      each: tables.map { table in
        """
        select (to_jsonb(one) - \(numbersOfLoading))::text collate "C" as row
        from (select * from \(table)) as one
        order by 1
        """
      })
    var contents: [String: String] = [:]
    for (place, table) in tables.enumerated() { contents[table] = texts[place] }
    return contents
  }
}

/// The rows of a query.
struct DrawnTableRows {
  let rows: [[String]]

  init(_ night: TestNight, _ query: String) throws {
    rows = DrawnTable(try night.database.draw(query)).rows
  }
}

extension TestNight {
  /// The as-of of the newest night.
  func newestAsOf() throws -> String {
    try DrawnTableRows(
      self, "select csv_instant(max(as_of)) as as_of from run where outcome = 'done'"
    ).rows[0][0]
  }
}
