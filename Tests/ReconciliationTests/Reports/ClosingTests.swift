import Configuration
import DamageTestSupport
import Foundation
import NightRun
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("Closing periods")
struct ClosingTests {
  @discardableResult
  private static func close(_ name: String, _ night: TestNight) throws -> ClosingActs.Closed {
    try ClosingActs.of(night).close(Period(name))
  }

  private static func message(_ body: () throws -> Void) -> String {
    do { try body() } catch let error as ReconciliationError { return error.message } catch {
      return "another error: \(error)"
    }
    return "none"
  }

  private static func pack(_ name: String, _ night: TestNight) throws -> DrawnTable {
    let file = night.reports.appending(path: "closed/\(name)/period.csv")
    return DrawnTable(csv: try String(contentsOf: file, encoding: .utf8))
  }

  @Test("what arrives late for a closed period is in the next one, with its cause")
  func priorPeriod() throws {
    let night = try TestNight.october()
    let closed = try Self.close("2026-10", night)
    #expect(closed.days == ("2026-10-01", "2026-10-31"))
    #expect(closed.folder == "\(night.reports.path)/closed/2026-10")
    let own = try Self.pack("2026-10", night)
    try night.transactions(
      TestNight.sales + """
        3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |
        1 | book | 2026-10-10 10:00 | 1.00 | USD | 2026-11-02 10:00 | 2026-10-30 10:00
        5 | map  | 2026-11-12 10:00 | 8.00 | USD | 2026-11-12 10:00 |
        """)
    try night.run(asOf: "2026-12-02 03:00")
    try Self.close("2026-11", night)
    #expect(
      try Self.pack("2026-11", night).columns([
        "entry", "period", "cause", "product_id", "units_sold", "gross", "units_refunded", "net",
      ]).text
        == DrawnTable(
          """
          entry        | period  | cause            | product_id | units_sold | gross | units_refunded | net
          own          | 2026-11 |                  | map        | 1          | 8.00  | 0              | 8.00
          prior_period | 2026-10 | evidence_arrived | map        | 1          | 4.00  | 0              | 4.00
          prior_period | 2026-10 | refunded         | book       | 0          | 0.00  | 1              | -1.00
          """
        ).text)
    #expect(try Self.pack("2026-10", night) == own)
    // revenue.csv does not depend on closings; the restatement compares with what was closed.
    let restated = try night.table("restatement.csv").rows(where: "measure", is: "gross")
    #expect(restated.columns(["edition", "restated"]).rows == [["2026-11-02", "4.00"]])
  }

  @Test("only days that have ended and are not closed can be closed")
  func refused() throws {
    let night = try TestNight.october()
    let before = Self.message { try Self.close("2026-11", night) }
    #expect(
      before == """
        2026-11 ends on 2026-11-30, and the newest night is as of 2026-11-02T03:00:00Z, whose day \
        is 2026-11-02 in UTC. Close it after a night of a later day.
        """)
    try Self.close("2026-10", night)
    for (name, words) in [
      ("2026-10", "2026-10 is closed already."),
      (
        "2026-10-31..2026-11-01",
        "1 of the 2 days of 2026-10-31..2026-11-01 is closed already, in 2026-10, and"
      ), ("2026-10-01..2026-10-15", "All days of 2026-10-01..2026-10-15 are closed already"),
      ("FY2027-P01", "each day is in one closed period"), ("2026-13", "is not a period"),
      ("2026-10-02..2026-10-01", "is not a period"), ("2026-02-30..2026-03-01", "is not a period"),
      ("October", "is not a period"), ("FY2027-P13", "is not a period"),
    ] {
      let message = Self.message { try Self.close(name, night) }
      #expect(message.contains(words), "\(name): \(message)")
    }
    let open = Self.message { _ = try ClosingActs.of(night).approve(Period("2026-09")) }
    #expect(open.contains("2026-09 is not closed"), "\(open)")
    let empty = try TestNight()
    let first = #expect(throws: ReconciliationError.self) { try Self.close("2026-10", empty) }
    #expect(first?.code == .configuration && first?.message.hasPrefix("No night was") == true)
    #expect(!FileManager.default.fileExists(atPath: empty.reports.path))
  }

  @Test("periods are reopened in the opposite order, and closed again with another pack")
  func reopened() throws {
    let night = try TestNight.october()
    try Self.close("2026-09", night)
    try Self.close("2026-10", night)
    let later = Self.message {
      try ClosingActs.of(night).reopen(Period("2026-09"), because: "a refund was missing")
    }
    #expect(later.contains("2026-10"), "\(later)")
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a refund was missing")
    let blank = Self.message { try ClosingActs.of(night).reopen(Period("2026-09"), because: " ") }
    #expect(blank.contains("--because"))
    try night.transactions(
      TestNight.sales + "3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    let again = try Self.close("2026-10", night)
    #expect(again.folder.hasSuffix("/closed/2026-10.2"))
    #expect(
      try Self.pack("2026-10.2", night).columns(["entry", "product_id"]).rows
        == [["own", "book"], ["own", "book"], ["own", "map"]])
    #expect(try Self.pack("2026-10", night).rows.count == 2)
  }

  @Test("a pack that was changed cannot be approved")
  func changedPack() throws {
    let night = try TestNight.october()
    let folder = try URL(filePath: Self.close("2026-10", night).folder)
    for name in ["period.csv", "open.csv", "liabilities.csv", "manifest.json"] {
      let file = folder.appending(path: name)
      let bytes = try Data(contentsOf: file)
      var changed = bytes
      changed[bytes.count / 2] ^= 1
      try changed.write(to: file)
      let message = Self.message { _ = try ClosingActs.of(night).approve(Period("2026-10")) }
      #expect(message.contains("\(name) is not what was written"), "\(message)")
      try bytes.write(to: file)
    }
    let approved = try ClosingActs.of(night).approve(Period("2026-10"))
    let certificate = try String(contentsOfFile: approved.certificate, encoding: .utf8)
    #expect(certificate.contains("\"single_signer\":true"))
  }

  @Test("a pack that cannot be shown after the closing is shown by the approval")
  func hiddenPack() throws {
    let night = try TestNight.october()
    let obstacle = night.reports.appending(path: "closed/2026-10/obstacle")
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
    let message = Self.message { try Self.close("2026-10", night) }
    #expect(message.contains("2026-10 is closed, but its pack "), "\(message)")
    #expect(message.contains("tieout approve 2026-10"), "\(message)")
    #expect(!message.contains("Nothing was closed"), "\(message)")
    let again = Self.message { try Self.close("2026-10", night) }
    #expect(again.contains("is closed already"), "\(again)")
    try FileManager.default.removeItem(at: obstacle.deletingLastPathComponent())
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    #expect(try Self.pack("2026-10", night).rows.count == 2)
  }

  @Test("an approval without a certificate says so, and approving again writes one")
  func missingCertificate() throws {
    let night = try TestNight.october()
    try Self.close("2026-10", night)
    let obstacle = night.reports.appending(path: "closed/2026-10.certificate-1.json/obstacle")
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
    let message = Self.message { _ = try ClosingActs.of(night).approve(Period("2026-10")) }
    #expect(message.contains("2026-10 is approved, but its certificate "), "\(message)")
    #expect(message.contains("tieout approve 2026-10"), "\(message)")
    #expect(!message.contains("Nothing was"), "\(message)")
    try FileManager.default.removeItem(at: obstacle.deletingLastPathComponent())
    let approved = try ClosingActs.of(night).approve(Period("2026-10"))
    #expect(approved.certificate.hasSuffix("/2026-10.certificate-1.json"))
    try night.run(asOf: "2026-11-03 03:00")
    #expect(try FolderProof(night.reports.path).check().packs == 1)
  }

  /// What the calendar says about the books of October.
  static func octoberInCalendar(_ night: TestNight) throws -> String? {
    try ClosingActs.of(night).showState()
    let page = try String(
      contentsOf: night.reports.appending(path: "index.html"), encoding: .utf8)
    // Nights of November have November's books.
    let months = page.split(separator: "<h2 ").dropFirst()
    let october = months.first { $0.contains("October 2026</h2>") }
    return october?.firstMatch(of: /<p class="books"><span[^>]*>.<\/span> (.*)<\/p>/).map {
      String($0.1)
    }
  }

  @Test("the calendar shows who closed each month, what has changed and what Apple reported")
  func calendar() throws {
    let night = try TestNight.october()
    func line() throws -> String? { try Self.octoberInCalendar(night) }
    try night.run(asOf: "2026-10-31 03:00")
    try night.run(asOf: "2026-11-02 03:00")
    #expect(try line() == "Not closed.")
    let person = try Self.close("2026-10", night).person
    #expect(try line() == "Closed, not approved: closed by \(person).")
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    #expect(try line() == "Approved: closed by \(person), approved by \(person) (one person).")
    try night.put(
      AppleReports.sales("10/30/2026", ["book US 2 1.40 USD 1.99 USD"]), at: "apple/30.txt")
    try night.transactions(
      TestNight.sales + "3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    #expect(
      try line() == "Certificate withdrawn: closed by \(person), "
        + "approved by \(person) (one person), changed since then: 1 unit, USD 4.00, "
        + "pending: 1 day without a report of Sales and Trends.")
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a test")
    let changed = "Not closed: changed since it was published: 1 unit, USD 4.00, pending: "
    #expect(try line()?.hasPrefix(changed) == true)
  }

  @Test("a month that is closed in parts is closed when each of its days is")
  func closedInParts() throws {
    let night = try TestNight.october()
    func line() throws -> String? { try Self.octoberInCalendar(night) }
    try night.run(asOf: "2026-10-31 03:00")
    try night.run(asOf: "2026-11-02 03:00")
    let person = try Self.close("2026-10-01..2026-10-15", night).person
    #expect(try line() == "Not closed.")
    try Self.close("2026-10-16..2026-10-31", night)
    #expect(try line() == "Closed, not approved: closed by \(person).")
    for part in ["2026-10-01..2026-10-15", "2026-10-16..2026-10-31"] {
      _ = try ClosingActs.of(night).approve(Period(part))
    }
    #expect(try line() == "Approved: closed by \(person), approved by \(person) (one person).")
    try night.transactions(
      TestNight.sales + "3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    #expect(
      try line() == "Certificate withdrawn: closed by \(person), "
        + "approved by \(person) (one person), changed since then: 1 unit, USD 4.00.")
  }

  @Test("verify finds changed bytes of a pack, and a pack that is not the certified one")
  func verified() throws {
    let night = try TestNight.october()
    try Self.close("2026-10", night)
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    func check() throws -> Int {
      try FolderProof(night.reports.path).check().packs
    }
    #expect(try check() == 1)
    let closed = night.reports.appending(path: "closed")
    for name in [
      "2026-10/period.csv", "2026-10/open.csv", "2026-10/manifest.json", "2026-10/SHA256SUMS",
    ] {
      let file = closed.appending(path: name)
      let bytes = try Data(contentsOf: file)
      for place in RandomCases.places(in: bytes.indices, few: 20) {
        var changed = bytes
        changed[place] ^= 1
        try changed.write(to: file)
        #expect {
          try check()
        } throws: { error in
          // A changed manifest and changed checksums contradict each other.
          (error as? ProofFault)?.description.contains("closed/2026-10") == true
        }
      }
      try FileManager.default.removeItem(at: file)
      #expect(throws: ProofFault.self) { try check() }
      try bytes.write(to: file)
    }
    try Data("x".utf8).write(to: closed.appending(path: "2026-10/other.csv"))
    #expect(throws: ProofFault.self) { try check() }
    try FileManager.default.removeItem(at: closed.appending(path: "2026-10/other.csv"))
    // Another pack under the name of the certified one.
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a test")
    try Self.close("2026-10", night)
    #expect(try check() == 2)
    try FileManager.default.removeItem(at: closed.appending(path: "2026-10"))
    try FileManager.default.moveItem(
      at: closed.appending(path: "2026-10.2"), to: closed.appending(path: "2026-10"))
    #expect {
      try check()
    } throws: { error in
      (error as? ProofFault)?.description.contains("its certificate") == true
    }
  }

  @Test(
    "over random nights and closings each amount is in exactly one period",
    arguments: RandomCases.seeds(1))
  func once(seed: UInt64) throws {
    var random = Dice(seed &* 4657)
    let input = RandomNight(seed: seed &+ 1300, accounts: 25).input
    let night = try TestNight()
    let parts = input.nights(7, seed: seed)
    var asOf = input.asOf - 60 * 86_400
    var closed: [(name: String, folder: String, first: String, last: String)] = []
    for (number, part) in parts.enumerated() {
      var part = part
      asOf += random.pick(5, 9, 14, 30) * 86_400
      part.asOf = asOf
      part.settings.revenueSince = "2000-01-01"
      try night.run(part, files: 2, seed: seed &* 31 &+ UInt64(number))
      if random.chance(25), let last = closed.popLast() {
        try ClosingActs.of(night).reopen(Period(last.name), because: "a test")
      }
      let day = Instant(seconds: asOf).rfc3339.prefix(10)
      let since = closed.last.map { "(date '\($0.last)' + 1)" } ?? "date '2026-01-01'"
      let days = try night.database.draw(
        "select \(since) as first, date '\(day)' - \(random.number(2...9)) as last")
      let range = DrawnTable(days).rows[0]
      guard range[0] <= range[1] else { continue }
      let name = "\(range[0])..\(range[1])"
      let folder = try Self.close(name, night).folder
      closed.append((name, folder, range[0], range[1]))
    }
    try #require(!closed.isEmpty)
    // Everything since the last closing is in the period that is closed next.
    try night.run(asOf: Instant(seconds: asOf + 86_400).rfc3339)
    let next = try night.database.draw("select date '\(closed.last?.last ?? "")' + 1 as first")
    let first = DrawnTable(next).rows[0][0]
    let last = String(Instant(seconds: asOf).rfc3339.prefix(10))
    if first < last {
      let folder = try Self.close("\(first)..\(first)", night).folder
      closed.append(("\(first)..\(first)", folder, first, first))
    }
    var packs: [[String]: Decimal] = [:]
    for period in closed {
      let text = try String(contentsOfFile: "\(period.folder)/period.csv", encoding: .utf8)
      for row in DrawnTable(csv: text).records { Self.add(row, of: row["period"], to: &packs) }
    }
    var revenue: [[String]: Decimal] = [:]
    for row in try night.table("revenue.csv").records {
      let day = row["day"] ?? ""
      let period = closed.first { $0.first <= day && day <= $0.last }
      if let period { Self.add(row, of: period.name, to: &revenue) }
    }
    try #require(revenue.contains { $0.value != 0 })
    #expect(
      packs.filter { $0.value != 0 } == revenue.filter { $0.value != 0 }, "seed \(seed)")
    #expect(try night.recompute().correctedSums == 0, "seed \(seed)")
  }

  private static func add(
    _ row: [String: String], of period: String?, to sums: inout [[String]: Decimal]
  ) {
    for measure in ["units_sold", "gross", "units_refunded", "refunds", "net", "units_upgraded"] {
      let key =
        [period ?? "", measure]
        + ["product_id", "currency", "price_source"].map { row[$0] ?? "" }
      sums[key, default: 0] += row[measure].flatMap { Decimal(string: $0) } ?? 0
    }
  }

  @Test("the journal has every act, and is never changed")
  func journal() throws {
    let night = try TestNight.october()
    try Self.close("2026-10", night)
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a refund was missing")
    night.settings.graceHours = 48
    try night.run(asOf: "2026-11-03 03:00")
    let acts = try night.database.draw(
      "select act, subject from journal where act <> 'run' order by entry_id")
    #expect(
      acts
        == DrawnTable(
          """
          act           | subject
          close         | 2026-10
          approve       | 2026-10
          reopen-period | 2026-10
          settings      | grace_hours
          """
        ).text, "\(acts)")
    for statement in [
      "update journal set person = 'nobody'", "delete from journal", "truncate journal",
      "delete from period_closing", "delete from period_approval", "delete from period_amount",
      "update period_approval set approved_by = 'nobody'",
      "update period_closing set prepared_by = 'nobody'",
      #"insert into period_amount select (jsonb_populate_record(p, '{"product_id":"x"}')).* from period_amount p"#,
    ] {
      #expect(throws: PostgreSQLError.self, "\(statement)") {
        try night.database.draw("\(statement)")
      }
    }
  }
}

extension ClosingActs {
  /// The actions on the periods of a test.
  static func of(_ night: TestNight, as role: String? = nil) throws -> ClosingActs {
    try ClosingActs(
      settings: night.settings,
      database: night.database.connectionString + (role.map { " user=\($0)" } ?? ""),
      version: "test")
  }
}
