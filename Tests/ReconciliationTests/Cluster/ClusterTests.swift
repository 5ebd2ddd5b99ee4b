import Configuration
import DamageTestSupport
import Foundation
import NightRun
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing
import TestNeeds

/// These tests need a cluster and empty the database that `TIEOUT_TEST_CLUSTER` names.
@Suite("A ledger on a cluster", .serialized, .needsCluster)
struct ClusterTests {
  /// Where the ledger of a test is.
  enum Place: CaseIterable {
    case coordinator, workers
    /// On the workers of a cluster that is newer than the tables.
    case newerWorkers
  }

  /// Each place, and whether nights judge in bulk there.
  private static let ways = Place.allCases.flatMap { place in
    [false, true].map { (place: place, inBulk: $0) }
  }

  @Test(
    "random nights give the reports of a single server, byte for byte",
    arguments: ways, RandomCases.seeds(2))
  func nights(_ way: (place: Place, inBulk: Bool), seed: UInt64) throws {
    let single = try TestNight()
    let clustered = try Self.night(on: way.place)
    for night in [single, clustered] { night.judgesInBulk = way.inBulk }
    let input = RandomNight(seed: seed &+ 900, accounts: 25).input
    var asOf = input.asOf - 5 * 86_400
    for (number, part) in input.nights(5, seed: seed).enumerated() {
      var part = part
      asOf += 86_400
      part.asOf = asOf
      for night in [single, clustered] {
        try night.run(part, files: 2, seed: seed &* 31 &+ UInt64(number))
      }
      try expectSameReports(single, clustered, "seed \(seed), night \(number)")
    }
    #expect(try clustered.recompute().corrections == 0)
    try Self.recomputeInBulk(clustered)
  }

  @Test("the sample night gives the reports of a single server", arguments: [false, true])
  func sample(inBulk: Bool) throws {
    let single = try TestNight()
    let clustered = try Self.night(on: .workers)
    let sample = URL(filePath: #filePath).appending(path: "../../../../sample/inbox").standardized
    for night in [single, clustered] {
      night.judgesInBulk = inBulk
      night.settings.bundleIDs = ["com.example.reader"]
      night.settings.assumeStorefront = "USA"
      try FileManager.default.removeItem(at: night.inbox)
      try FileManager.default.copyItem(at: sample, to: night.inbox)
      try night.run(asOf: "2026-11-20 03:00")
    }
    try expectSameReports(single, clustered, "the sample")
    #expect(try clustered.recompute().corrections == 0)
    try Self.recomputeInBulk(clustered)
  }

  /// Judges everything in bulk, although it is little, and expects that chains match and nothing
  /// was wrong.
  static func recomputeInBulk(_ night: TestNight) throws {
    night.judgesInBulk = true
    #expect(try night.recompute(inBulk: true).corrections == 0)
    let matched = try night.database.connect().run(
      """
      select value > 0
      from tieout.run_count
      where section = 'judged' and measure = 'matched'
      order by run_id desc
      limit 1
      """, step: "test")
    #expect(matched.first == "t")
  }

  @Test("a ledger with nights is distributed, and goes on as before")
  func distributeLater() throws {
    let single = try TestNight()
    let clustered = try Self.night(on: .coordinator)
    let parts = RandomNight(seed: 941, accounts: 25).input.nights(3, seed: 5)
    for (number, part) in parts.enumerated() {
      if number == 1 { try Self.distribute(clustered) }
      for night in [single, clustered] { try night.run(part, files: 2, seed: UInt64(number)) }
      try expectSameReports(single, clustered, "night \(number)")
    }
  }

  @Test("a change of trust, a withdrawn file and a forgotten name change the same reports")
  func changes() throws {
    let single = try TestNight()
    let clustered = try Self.night(on: .workers)
    let input = RandomNight(seed: 977, accounts: 25).input
    for night in [single, clustered] { try night.run(input, files: 3, seed: 7) }
    for (number, trust) in [Trust.signed, .appleResponse].enumerated() {
      for night in [single, clustered] {
        night.settings.trust = trust
        try night.run(asOf: "2030-01-0\(number + 1) 03:00")
      }
      try expectSameReports(single, clustered, "\(trust)")
      #expect(try clustered.recompute().corrections == 0)
    }
    let database = try single.database.connect()
    let file = try #require(
      try database.run(
        "select min(path) from tieout.input_file where path like 'receipts/%'", step: "test"
      ).first)
    let account = try #require(
      try database.run("select min(account_id) from tieout.stored_delivery", step: "test").first)
    for night in [single, clustered] {
      _ = try night.withdraw(file)
      try night.rebuild()
    }
    try expectSameReports(single, clustered, "withdrawn \(file)")
    for night in [single, clustered] { try night.forget(account) }
    let statistics = try clustered.database.connect().run(
      """
      select result
      from run_command_on_workers(format(
          $$select count(*) from pg_stats
          where
              schemaname = 'tieout'
              and %L = any(most_common_vals::text::text[] || histogram_bounds::text::text[])$$,
          $1::text
      ))
      """, [account], step: "test")
    #expect(statistics.values.allSatisfy { $0 == ["0"] }, "\(statistics.values)")
    // The token that replaces a name is random.
    let query = "select token from tieout.forgotten_name"
    let token = try #require(try database.run(query, step: "test").first)
    let other = try #require(try clustered.database.connect().run(query, step: "test").first)
    try expectSameReports(
      single, clustered, "forgotten \(account)", replacing: other, with: token)
    #expect(try clustered.recompute().corrections == 0)
  }

  @Test("a ledger is distributed once, and its status says where it is")
  func distributeOnce() throws {
    let night = try Self.night(on: .coordinator)
    let cluster = LedgerCluster(database: night.database.connectionString)
    let status = try cluster.status()
    #expect(status.distribution == .coordinator)
    #expect(status.workers > 0)
    #expect(throws: ReconciliationError.self) { try cluster.distribute(shards: 0) }
    try Self.distribute(night)
    #expect(try cluster.status().distribution == .workers)
    #expect(try cluster.status().tables.map(\.rows.isEmpty) == [false, false, false])
    #expect(throws: ReconciliationError.self) { try cluster.distribute(shards: 8) }
  }

  @Test("a database without tables is not distributed, so that the superuser does not own them")
  func noTables() throws {
    let database = try ScratchDatabase.onCluster()
    #expect {
      try LedgerCluster(database: database.connectionString).distribute(shards: 8)
    } throws: { error in
      let error = error as? ReconciliationError
      return error?.code == .configuration && error?.message.contains("tieout runs") == true
    }
    let isMissing = "select to_regnamespace('tieout') is null as missing"
    #expect(try database.draw(isMissing) == "missing\nt")
  }

  @Test("a ledger is not distributed while a run is at work")
  func lock() throws {
    let night = try Self.night(on: .coordinator)
    let lock = try RunLock(night.database.connectionString)
    defer { withExtendedLifetime(lock) {} }
    #expect {
      try LedgerCluster(database: night.database.connectionString).distribute(shards: 8)
    } throws: { error in
      (error as? ReconciliationError)?.code == .locked
    }
  }

  static func night(on place: Place) throws -> TestNight {
    let night = try TestNight(on: ScratchDatabase.onCluster())
    let database = try night.database.connect()
    // As without the extension, the workers do not learn what is created.
    if place == .newerWorkers {
      try database.run("set citus.enable_ddl_propagation = off", step: "test")
    }
    try Schema.bringUpToDate(database)
    if place != .coordinator { try distribute(night) }
    return night
  }

  /// The lines of a report or page, which a failed test shows one by one.
  private static func lines(_ bytes: Data, of name: String) -> [String] {
    let end: Character = name.hasSuffix(".html") ? "\n" : "\r\n"
    return String(decoding: bytes, as: UTF8.self).split(separator: end).map { String($0) }
  }

  static func distribute(_ night: TestNight) throws {
    try LedgerCluster(database: night.database.connectionString).distribute(shards: 8)
  }

  func expectSameReports(
    _ one: TestNight, _ other: TestNight, _ words: String, replacing text: String = "",
    with replacement: String = ""
  ) throws {
    let reports = try [one, other].map { night in
      let folder = try night.folder()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        // The files of the two inboxes were compressed at different times.
        .filter { $0.hasSuffix(".csv") && $0 != "inputs.csv" || $0 == "index.html" }
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }
    #expect(reports[0].keys == reports[1].keys, "\(words)")
    for (name, bytes) in reports[0] {
      var others = reports[1][name]
      if !text.isEmpty {
        // The names of findings are hashes of their subjects, and so of the replaced text.
        if ["findings.csv", "changes.csv", "index.html"].contains(name) { continue }
        others = others.map {
          Data(String(decoding: $0, as: UTF8.self).replacing(text, with: replacement).utf8)
        }
      }
      #expect(
        others.map { Self.lines($0, of: name) } == Self.lines(bytes, of: name), "\(words): \(name)")
    }
  }
}

@Suite("A ledger on a single server")
struct SingleServerTests {
  @Test(
    "an error names the worker that its context names, and nothing else of the context",
    arguments: [
      ("while executing command on worker-1.example.com:5432", "worker-1.example.com:5432"),
      ("while executing command on ::1:5432", "::1:5432"),
      ("while executing command on worker-1:5432 anna", nil),
      ("anna while executing command on worker-1:5432", nil),
      ("COPY stored_delivery, line 1: anna", nil),
    ] as [(String, String?)])
  func worker(line: String, name: String?) throws {
    let scratch = try ScratchDatabase()
    let database = try scratch.connect()
    // The context has the text of the inner SQL statement.
    let sql = """
      do $do$ begin
          execute $sql$select 1 / 0 /*
      anna
      \(line)
      */$sql$;
      end $do$
      """
    let error = #expect(throws: PostgreSQLError.self) { try database.run(sql, step: "test") }
    #expect(error?.node == name)
    let place = name.map { " (on \($0))" } ?? ""
    #expect(error?.description == "test [22012]: division by zero\(place)")
  }

  @Test("its status says so, and it cannot be distributed")
  func plain() throws {
    let night = try TestNight()
    let cluster = LedgerCluster(database: night.database.connectionString)
    #expect(try cluster.status().distribution == .oneServer)
    #expect {
      try cluster.distribute(shards: 8)
    } throws: { error in
      (error as? ReconciliationError)?.message.contains("plain PostgreSQL") == true
    }
  }
}
