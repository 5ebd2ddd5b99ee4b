import Foundation
import NightRun
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Synchronization
import Testing
import Waiting

/// Parts of commits that a server's death leaves on a node; the tests prepare them by hand.
extension ClusterTests {
  /// The name of a part that no coordinator completes or takes back.
  private static let foreign = "citus_99_1_1_0"
  /// The name of a part that this coordinator completes or takes back.
  private static let own = "citus_0_1_1_0"

  @Test(
    "a run does not start while a node holds a commit back, and names the node",
    arguments: Node.Kind.allCases)
  func heldBack(on kind: Node.Kind) throws {
    let night = try Self.night(on: .workers)
    try night.run(RandomNight(seed: 911, accounts: 5).input, files: 1, seed: 1)
    let node = try Node(kind, of: night)
    try node.prepare(Self.foreign)
    let runs = "select count(*) from tieout.run"
    let database = try night.database.connect()
    let before = try database.run(runs, step: "test").first
    for attempt in [{ _ = try night.runNow() }, { _ = try night.recompute() }] {
      #expect { try attempt() } throws: { Self.isOf(node, $0) }
    }
    #expect(try database.run(runs, step: "test").first == before)
    try node.end(Self.foreign)
    #expect(try night.recompute().corrections == 0)
  }

  @Test(
    "a night is not published before every node has completed its commit",
    arguments: Node.Kind.allCases)
  func publication(on kind: Node.Kind) throws {
    let single = try TestNight()
    let clustered = try Self.night(on: .workers)
    let parts = RandomNight(seed: 917, accounts: 25).input.nights(3, seed: 5)
    try single.run(parts[0], files: 2, seed: 1)
    try clustered.run(parts[0], files: 2, seed: 1)
    try single.run(parts[1], files: 2, seed: 2)
    let shown = try Self.visibleNames(clustered)
    let node = try Node(kind, of: clustered)
    clustered.whileRunning = { progress in
      if progress.step == "commit" { try? node.prepare(Self.foreign) }
    }
    #expect { try clustered.run(parts[1], files: 2, seed: 2) } throws: { Self.isOf(node, $0) }
    #expect(try Self.visibleNames(clustered) == shown)
    clustered.whileRunning = { _ in }
    try node.end(Self.foreign)
    for night in [single, clustered] { try night.run(parts[2], files: 2, seed: 3) }
    #expect(try Self.visibleNames(clustered) == Self.visibleNames(single))
    try expectSameReports(single, clustered, "the night after")
    #expect(try clustered.recompute().corrections == 0)
  }

  @Test(
    "a run waits for the commits of other sessions before it starts, and before it publishes",
    arguments: Node.Kind.allCases)
  func commitOfAnother(on kind: Node.Kind) throws {
    let night = try Self.night(on: .workers)
    let node = try Node(kind, of: night)
    let database = night.database.connectionString
    let waits = WaitCount()
    @Sendable func commitUntilWaitedFor() throws {
      try node.prepare(Self.foreign)
      Thread.detachNewThread {
        if (try? Self.isWaitedFor(in: database)) == true { waits.number.withLock { $0 += 1 } }
        try? node.end(Self.foreign)
      }
    }
    try commitUntilWaitedFor()
    night.whileRunning = { progress in
      if progress.step == "commit" { try? commitUntilWaitedFor() }
    }
    try night.run(RandomNight(seed: 907, accounts: 5).input, files: 1, seed: 1)
    #expect(try night.shownNames().contains("latest"))
    let number = waits.number.withLock { $0 }
    #expect(number == 2)
  }

  @Test("a run that is stopped while it waits for the commit of another session says so")
  func stopped() async throws {
    let night = try Self.night(on: .workers)
    let node = try Node(.worker, of: night)
    try node.prepare(Self.foreign)
    await #expect(processExitsWith: .success) {
      [database = night.database.connectionString as String] in
      let connection = try Connection(database, applicationName: "tieout test")
      Thread.detachNewThread {
        _ = try? ClusterTests.isWaitedFor(in: database)
        StopRequest.ofProcess.make()
      }
      #expect { try LedgerCluster.settle(connection) } throws: { error in
        // On a slow machine the stop cancels the question to the nodes.
        (error as? ReconciliationError)?.code == .stopped
          || (error as? PostgreSQLError)?.code == .cancelled
      }
    }
    try node.end(Self.foreign)
  }

  /// Waits until a session asks the nodes for the second time whether they hold a commit back.
  ///
  /// Then it has found one the first time.
  ///
  /// - Returns: false if no session does so for a minute.
  static func isWaitedFor(in database: String) throws -> Bool {
    let connection = try Connection(database, applicationName: "tieout test")
    var wait = Wait(atMost: .seconds(60))
    var seen: Set<String> = []
    repeat {
      let begun = try connection.run(
        """
        select query_start
        from pg_stat_activity
        where
            datname = current_database()
            and query like '%run_command_on_workers%pg_prepared_xacts%'
            and query not like '%pg_stat_activity%'
        """, step: "test"
      ).first
      if let begun { seen.insert(begun) }
      if seen.count > 1 { return true }
    } while wait.pause()
    return false
  }

  @Test(
    "a night whose commit fails names the node that holds a part back",
    arguments: Node.Kind.allCases)
  func failedCommit(on kind: Node.Kind) throws {
    let night = try Self.night(on: .workers)
    let parts = RandomNight(seed: 923, accounts: 15).input.nights(2, seed: 5)
    try night.run(parts[0], files: 1, seed: 1)
    let shown = try Self.visibleNames(night)
    let node = try Node(kind, of: night)
    let database = try night.database.connect()
    // The commit is the first statement that checks it.
    try database.run(
      """
      create function tieout.refuse() returns trigger language plpgsql as
      $$begin raise exception 'refused by a test'; end$$;
      create constraint trigger refused after update of outcome on tieout.run
      deferrable initially deferred for each row when (new.outcome = 'done') execute function tieout.refuse()
      """, step: "test")
    night.whileRunning = { progress in
      if progress.step == "commit" { try? node.prepare(Self.foreign) }
    }
    #expect { try night.run(parts[1], files: 1, seed: 2) } throws: {
      Self.isOf(node, $0) && "\($0)".contains("nothing changed")
    }
    #expect(try Self.visibleNames(night) == shown)
    night.whileRunning = { _ in }
    try node.end(Self.foreign)
    try database.run(
      "drop trigger refused on tieout.run; drop function tieout.refuse()", step: "test")
    try night.runNow()
    #expect(try night.recompute().corrections == 0)
  }

  @Test(
    "a run takes back what was prepared, or completes it if the coordinator has committed",
    arguments: Node.Kind.allCases, [false, true])
  func recovery(on kind: Node.Kind, isCommitted: Bool) throws {
    let night = try Self.night(on: .workers)
    let node = try Node(kind, of: night)
    try node.prepare(Self.own)
    if isCommitted {
      // The coordinator notes each part when it commits.
      try night.database.connect().run(
        """
        insert into pg_dist_transaction (groupid, gid)
        select groupid, '\(Self.own)'
        from pg_dist_node
        where nodename || ':' || nodeport = $1
        """, [node.name], step: "test")
    }
    try night.run(RandomNight(seed: 919, accounts: 5).input, files: 1, seed: 1)
    #expect(try node.countOfPrepared() == (isCommitted ? "1" : "0"))
  }

  /// How often a run was seen waiting.
  private final class WaitCount: Sendable {
    let number = Mutex(0)
  }

  /// The names in the reports folder, without folders that are written and not published.
  private static func visibleNames(_ night: TestNight) throws -> [String] {
    try night.shownNames().filter { !$0.hasPrefix(".") }
  }

  /// Whether an error says that the node holds a commit back.
  private static func isOf(_ node: Node, _ error: any Error) -> Bool {
    let error = error as? ReconciliationError
    return error?.code == .schema
      && error?.message.contains("\(node.name) holds a commit back") == true
  }

  /// A server of the cluster.
  struct Node: Sendable {
    enum Kind: String, CaseIterable {
      case coordinator = "groupid = 0"
      case worker = "groupid <> 0"
    }

    /// Host and port, as the coordinator knows them.
    var name: String { "\(host):\(port)" }
    let host: String
    private let port: String
    private let connectionString: String

    init(_ kind: Kind, of night: TestNight) throws {
      let row = try #require(
        try night.database.connect().run(
          """
          select nodename, nodeport, current_database() as database, current_user as role
          from pg_dist_node
          where \(kind.rawValue)
          order by nodeport
          limit 1
          """, step: "test"
        ).records.first)
      host = row.text("nodename")
      port = row.text("nodeport")
      connectionString = """
        host=\(host) port=\(port) dbname=\(row.text("database")) user=\(row.text("role"))
        """
    }

    /// Prepares a transaction that writes one row.
    func prepare(_ name: String, as role: String? = nil) throws {
      let connection = try connect()
      try connection.run("drop table if exists tieout_prepared", step: "test")
      try connection.run("create table tieout_prepared (made integer)", step: "test")
      if let role {
        try connection.run(
          "grant insert on tieout_prepared to \(role); set session authorization \(role)",
          step: "test")
      }
      try connection.run("begin", step: "test")
      try connection.run("insert into tieout_prepared values (1)", step: "test")
      try connection.run("prepare transaction '\(name)'", step: "test")
    }

    /// Takes a prepared transaction back.
    func end(_ name: String) throws {
      let connection = try connect()
      try connection.run("rollback prepared '\(name)'", step: "test")
      try connection.run("drop table tieout_prepared", step: "test")
    }

    /// The rows that prepared transactions have written; the table is dropped.
    func countOfPrepared() throws -> String? {
      let connection = try connect()
      let count = try connection.run("select count(*) from tieout_prepared", step: "test").first
      try connection.run("drop table tieout_prepared", step: "test")
      return count
    }

    /// Ends the sessions in which the coordinator has begun a transaction.
    func endSessions() throws {
      try connect().run(
        """
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()
        """, step: "test")
    }

    /// Lets the coordinator look for the worker at another port while `body` runs.
    func whileAtPort(_ other: String, _ coordinator: Connection, _ body: () throws -> Void) throws {
      func move(from old: String, to new: String) throws {
        try coordinator.run(
          """
          select citus_update_node(nodeid, nodename, $1::integer)
          from pg_dist_node
          where nodename = $2 and nodeport = $3::integer
          """, [new, host, old], step: "test")
      }
      try move(from: port, to: other)
      let result = Result { try body() }
      try move(from: other, to: port)
      // Until the workers know the place again, nothing can be distributed.
      var wait = Wait(atMost: .seconds(120))
      let isKnown = "select bool_and(metadatasynced) from pg_dist_node where hasmetadata"
      while try coordinator.run(isKnown, step: "test").first != "t" {
        let isInTime = wait.pause()
        try #require(isInTime, "the workers do not know the place of a worker")
      }
      try result.get()
    }

    private func connect() throws -> Connection {
      let connection = try Connection(connectionString, applicationName: "tieout test")
      try connection.run(
        "set citus.enable_ddl_propagation = off; set search_path = public", step: "test")
      return connection
    }
  }
}
