import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import Testing

/// A night that is run again and again from the same start: what stood before it, and what it leads to.
final class CrashScene {
  /// Which night.
  enum Kind: String, CaseIterable, Sendable {
    /// On an empty database, with nothing published.
    case first
    /// One that builds on an earlier one, in the usual way.
    case later
  }

  /// Everything that a night leaves for people: the published files, and what the tables say.
  struct Outcome: Equatable {
    var files: [String: String] = [:]
    var tables: [String: String] = [:]

    /// The names of what is not the same.
    func differences(from other: Outcome) -> [String] {
      let names = Set(files.keys).union(other.files.keys).filter { files[$0] != other.files[$0] }
      let tables = Set(tables.keys).union(other.tables.keys).filter {
        self.tables[$0] != other.tables[$0]
      }
      return names.union(tables).sorted()
    }
  }

  let kind: Kind
  /// The points of a run that nothing disturbs, by the names of their effects.
  private(set) var points: [String] = []
  /// What such a run leads to.
  private(set) var undisturbed = Outcome()
  private(set) var status: Int32 = 0

  private let command: CommandNight
  private var database: ScratchDatabase
  private var before: URL { command.night.folder.appending(path: "before") }
  private var list: String { command.night.folder.appending(path: "points").path }

  init(_ kind: Kind) throws {
    self.kind = kind
    command = try CommandNight()
    database = command.night.database
    try putEarlier()
    if kind == .later {
      let earlier = try command.run(asOf: "2026-11-19T03:00:00Z")
      try #require(earlier.status == 0, "\(earlier.errors)")
      try FileManager.default.copyItem(at: command.night.reports, to: before)
    }
    try putLater()
    try reset()
    let ended = try run("")
    status = ended.status
    try #require(status == 2, "\(ended.errors)")
    points = try pointsOfLastRun()
    undisturbed = try outcome()
    // What follows is worth something only if a second run changes nothing.
    try #require(try run("").status == 0)
    try #require(try outcome() == undisturbed)
  }

  private func putEarlier() throws {
    try command.night.catalogue(
      """
      product_id      | type       | prices
      book.emma       |            | USD 0.99
      book.persuasion |            | USD 1.99
      coins.100       | consumable |
      """)
    try command.night.transactions(
      """
      transaction_id | product_id      | purchased_at     | account_id | device_id
      101            | book.emma       | 2026-11-17 10:00 | anna       | a1
      102            | book.persuasion | 2026-11-17 11:00 | berta      | b1
      """)
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      D1          | 101            | book.emma  | 2026-11-17 09:00
      D2          | 101            | book.emma  | 2026-11-17 10:05
      """)
    try command.night.clientLog(
      """
      product_id | state    | transaction_id | original_transaction_id | transaction_date
      book.emma  | restored | 901            | 101                     | 2026-11-18 10:00
      """)
  }

  private func putLater() throws {
    try command.night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id | cancelled_at
      101            | 101                     | book.emma  | 2026-11-17 10:00 | anna       | 2026-11-19 09:00
      103            | 103                     | book.enma  | 2026-11-19 10:00 | clara      |
      104            | 103                     | coins.100  | 2026-11-19 11:00 | clara      |
      """)
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id      | occurred_at
      D3          | 102            | book.persuasion | 2026-11-19 12:00
      """)
    try command.night.catalogue(
      """
      product_id | prices
      book.emma  | USD 1.09
      """)
    try command.putBadRecord()
  }

  /// Puts everything back as it was before the night.
  func reset() throws {
    try? FileManager.default.removeItem(at: command.night.reports)
    if kind == .later { try FileManager.default.copyItem(at: before, to: command.night.reports) }
    database = try ScratchDatabase(copyOf: command.night.database)
  }

  /// Runs the night, with a plan for its points.
  func run(_ plan: String) throws -> Program.Ended {
    try command.run(
      "--database", database.connectionString,
      environment: ["TIEOUT_EFFECTS": "\(list) \(plan)", "TIEOUT_LOAD_CONNECTIONS": "1"])
  }

  /// Runs the night to its end.
  ///
  /// What is left of a process that was killed a moment ago can hold the lock
  /// for a moment yet.
  func runToTheEnd() throws -> Program.Ended {
    var ended = try run("")
    for _ in 0..<100 where ended.status == 75 {
      usleep(50_000)
      ended = try run("")
    }
    return ended
  }

  private func pointsOfLastRun() throws -> [String] {
    try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map { line in
      line.split(separator: "\t").first.map(String.init) ?? ""
    }
  }

  /// What the last run did last.
  func lastPoint() -> String {
    let text = (try? String(contentsOfFile: list, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").last.map { String($0).replacing("\t", with: " ") }
      ?? "nothing"
  }

  /// How many runs the database calls done.
  func done() throws -> String {
    let connection = try database.connect()
    let isThere = try connection.run("select to_regclass('tieout.run')", step: "look").first
    guard isThere != nil else { return "0" }
    return try connection.run(
      "select count(*) from tieout.run where outcome = 'done'", step: "look"
    ).first ?? ""
  }

  /// What stands where people look for it.
  func published() throws -> [String: String] {
    var files: [String: String] = [:]
    let reports = command.night.reports.path
    for path in (try? FileManager.default.subpathsOfDirectory(atPath: reports)) ?? []
    where !path.hasPrefix(".") {
      let whole = "\(reports)/\(path)"
      if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: whole) {
        files[path] = "link to \(target)"
      } else if let data = try? Data(contentsOf: URL(filePath: whole)) {
        files[path] = String(decoding: data, as: UTF8.self)
      }
    }
    return files
  }

  /// Published files and tables.
  func outcome() throws -> Outcome {
    Outcome(files: try published(), tables: try database.digests(withPlaces: true))
  }

  /// What no run may leave behind, but for the folder that it replaced.
  func remains() throws -> [String] {
    let reports = command.night.reports.path
    let hidden = try FileManager.default.contentsOfDirectory(atPath: reports).filter {
      $0.hasPrefix(".") && !$0.hasSuffix(".replaced")
    }
    let connection = try database.connect()
    let isFree = try eventually {
      try connection.run(
        """
        select count(*) from pg_locks
        where locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database())
        """, step: "look"
      ).first == "0"
    }
    let running = try connection.run(
      "select count(*) from tieout.run where outcome = 'running' or not is_published and outcome = 'done'",
      step: "look"
    ).first
    return hidden + (isFree ? [] : ["a lock"]) + (running == "0" ? [] : ["a run without an end"])
  }
}
