import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import TestNeeds
import Testing

/// PgBouncer in front of the server for tests.
private final class Pooler {
  let folder: String

  init(poolSize: Int, mode: String = "transaction", queryTimeout: Int = 0) throws {
    folder = ShortPath.unused("pool")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    let server = try Connection(ScratchDatabase.server, applicationName: "tieout test")
    let places = try server.run("show unix_socket_directories", step: "look").first ?? ""
    let socket = places.split(separator: ",").first.map(String.init) ?? ""
    let port = try server.run("show port", step: "look").first ?? ""
    let user = try server.run("select current_user", step: "look").first ?? ""
    try """
    [databases]
    * = host=\(socket) port=\(port) user=\(user)
    [pgbouncer]
    listen_addr =
    listen_port = 6432
    unix_socket_dir = \(folder)
    auth_type = any
    pool_mode = \(mode)
    default_pool_size = \(poolSize)
    query_wait_timeout = 5
    query_timeout = \(queryTimeout)
    logfile = \(folder)/log
    pidfile = \(folder)/pid

    """.write(toFile: "\(folder)/ini", atomically: true, encoding: .utf8)
    // PgBouncer refuses to run as root.
    let change =
      geteuid() == 0
      ? "chown postgres '\(folder)' && setpriv --reuid=postgres --regid=postgres --init-groups "
      : ""
    let program = try #require(Tool.pgbouncer.path)
    let started = shell("\(change)\(program) -d '\(folder)/ini'")
    try #require(started.status == 0, "\(started.output)")
    try #require(
      eventually { FileManager.default.fileExists(atPath: "\(folder)/.s.PGSQL.6432") })
  }

  deinit {
    let text = (try? String(contentsOfFile: "\(folder)/pid", encoding: .utf8)) ?? ""
    if let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) {
      kill(process, SIGTERM)
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The connection string of a database through PgBouncer.
  func connectionString(to database: ScratchDatabase) throws -> String {
    let name = try database.connect().run("select current_database()", step: "look").first ?? ""
    return "host=\(folder) port=6432 user=somebody dbname=\(name)"
  }
}

@Suite("Runs through PgBouncer in transaction mode", .serialized, .needs(.pgbouncer))
struct PoolerTests {
  @Test("nights give the same reports and tables, and leave nothing behind in the sessions")
  func same() throws {
    let direct = try CommandNight()
    try direct.putGoodNight()
    try #require(try direct.run().status == 0)

    let command = try CommandNight()
    try command.putGoodNight()
    let pooler = try Pooler(poolSize: 4)
    let database = try pooler.connectionString(to: command.night.database)
    let first = try command.run("--database", database)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors.filter { $0 == "\n" }.count == 1)
    #expect(try command.files() == direct.files())
    #expect(try command.night.database.digests() == direct.night.database.digests())
    #expect(try command.run("--database", database).status == 0)
    // The later night is incremental. Then everything is computed from scratch.
    for night in [direct, command] {
      try night.night.transactions(
        "transaction_id | product_id | purchased_at\n102 | book.enma | 2026-11-20 10:00")
    }
    #expect(try direct.run(asOf: "2026-11-21T03:00:00Z").status == 0)
    #expect(
      try command.run("--database", database, asOf: "2026-11-21T03:00:00Z").status == 0)
    #expect(try command.files() == direct.files())
    let recomputed = try command.start([
      "recompute", "--database", database, "--reports", command.night.reports.path,
    ]).ended()
    #expect(recomputed.status == 0, "\(recomputed.errors)")
    #expect(
      recomputed.output.contains("The results that earlier nights carried forward were correct"))
    try expectClean(command, database)
    Torture.count("concurrent runs", 4)
  }

  @Test("a pooler in statement mode ends every command with 69, and the message says what to do")
  func statementMode() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let pooler = try Pooler(poolSize: 4, mode: "statement")
    let database = try pooler.connectionString(to: command.night.database)
    for words in [command.words([]), ["findings"], ["runs"]] {
      let ended = try command.start(words + ["--database", database]).ended()
      #expect(ended.status == 69, "\(ended.errors)")
      #expect(ended.errors.contains("works in statement mode"), "\(ended.errors)")
      #expect(ended.errors.contains("pool_mode = transaction"))
      #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    }
  }

  /// Expects that no settings, temporary tables or locks of one client remain for the next client.
  private func expectClean(_ command: CommandNight, _ database: String) throws {
    let left = """
      select count(*) from pg_class where relpersistence = 't'
          or relnamespace in (select oid from pg_namespace where nspname like 'pg_temp%')
      """
    #expect(try command.value(left) == "0")
    #expect(
      try command.value(
        """
        select count(*) from pg_locks
        where locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database())
        """) == "0")
    var sessions: [Connection] = []
    for _ in 0..<4 {
      let session = try Connection(database, applicationName: "tieout test")
      sessions.append(session)
      try session.run("begin", step: "look")
      for (setting, value) in [
        ("statement_timeout", "0"), ("lock_timeout", "0"), ("search_path", "\"$user\", public"),
        ("work_mem", "4MB"), ("tieout.run_id", ""),
      ] {
        let found = try session.run("select current_setting('\(setting)', true)", step: "look")
        #expect(found.first ?? "" == value, "\(setting)")
      }
    }
  }

  @Test("isDirect distinguishes a direct session from a pooled session")
  func isDirect() throws {
    let database = try ScratchDatabase()
    let pooler = try Pooler(poolSize: 2)
    let pooled = try Connection(
      try pooler.connectionString(to: database), applicationName: "tieout test")
    #expect(try !pooled.isDirect())
    #expect(try database.connect().isDirect())
  }

  @Test("the lock excludes a second run, a kill releases it, and SIGTERM ends a run")
  func lock() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let pooler = try Pooler(poolSize: 10)
    let database = try pooler.connectionString(to: command.night.database)
    let barrier = try Barrier(.loading, in: command)
    let first = try command.start(command.words(["--database", database]))
    #expect(try barrier.isReached())
    let second = try command.run("--database", database)
    #expect(second.status == 75)
    #expect(second.errors.contains("process \(first.process)"), "\(second.errors)")
    // A direct connection and a connection through the pooler use the same lock.
    #expect(try command.run().status == 75)
    first.send(SIGTERM)
    #expect(try first.ended().status == 75)

    let killed = try command.start(command.words(["--database", database]))
    #expect(try barrier.isReached())
    killed.send(SIGKILL)
    _ = try killed.ended()
    try barrier.remove()
    var next = try command.run("--database", database)
    for _ in 0..<50 where next.status == 75 {
      usleep(50_000)
      next = try command.run("--database", database)
    }
    #expect(next.status == 0, "\(next.errors)")
    try expectClean(command, database)
    Torture.count("concurrent runs", 5)
  }

  @Test("two sessions are enough for a run, and with one session it ends with 69")
  func tooFew() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let pooler = try Pooler(poolSize: 2)
    let database = try pooler.connectionString(to: command.night.database)
    // This connection takes one of the two server connections, and the run's lock takes the other.
    let holder = try Connection(database, applicationName: "tieout test")
    try holder.run("begin", step: "hold")
    let ended = try command.run("--database", database)
    #expect(ended.status == 69, "\(ended.errors)")
    #expect(ended.errors.contains("The pooler in front of the database had no free session"))
    #expect(ended.errors.contains("query_wait_timeout"), "\(ended.errors)")
    try holder.run("rollback", step: "hold")
    #expect(try command.run("--database", database).status == 0)
  }

  @Test("a pooler that limits the time of a query ends a run with 69, and the message says so")
  func queryTimeout() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let pooler = try Pooler(poolSize: 4, queryTimeout: 2)
    let barrier = try Barrier(.loading, in: command)
    let database = try pooler.connectionString(to: command.night.database)
    let ended = try command.run("--database", database)
    #expect(ended.status == 69, "\(ended.errors)")
    #expect(ended.errors.contains("Set its query_timeout, "), "\(ended.errors)")
    try barrier.remove()
  }
}
