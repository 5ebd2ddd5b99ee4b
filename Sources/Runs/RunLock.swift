package import PostgreSQL
import ReconciliationSQL

/// The lock that allows only one run, or only one refresh, on a database at a time.
///
/// It is a transaction-level advisory lock, in a transaction that stays open on its own connection.
/// A pooler could leave a session-level lock behind when it gives the session to another client.
/// The lock is released when the program is killed.
package final class RunLock {
  /// A command that runs at most once at a time.
  package enum Work: String {
    case run
    case refresh

    /// The lock's number: the bytes of "tieout" in ASCII as one number for a run, and this number
    /// plus 2 for a refresh.
    fileprivate var key: String { self == .run ? "127996022191476" : "127996022191478" }
  }

  private let connection: Connection
  private let work: Work

  /// The number of the lock that a command holds for a moment while it updates the schema.
  static let schemaKey = "127996022191477"

  /// Takes the lock.
  ///
  /// - Throws: ``ReconciliationError`` with `locked`, naming the holder.
  package init(_ database: String, of work: Work = .run) throws {
    self.work = work
    // The number is first, because the server cuts the name after 63 bytes.
    connection = try Connection(database, applicationName: "tieout \(Host.processID) \(Host.name)")
    try connection.run(Schema.begin, step: "lock")
    try connection.run(
      """
      set local idle_in_transaction_session_timeout = 0;
      select set_config('transaction_timeout', '0', true)
      where current_setting('transaction_timeout', true) is not null
      """, step: "lock")
    // This query has no parameter. The portal of a query with a parameter stays open in the
    // transaction. Its snapshot would keep each vacuum of this run from marking pages as
    // all-visible.
    let taken = try connection.run(
      "select pg_try_advisory_xact_lock(\(work.key))", step: "lock")
    guard try taken.isTrue else {
      throw ReconciliationError(.locked, try holder())
    }
  }

  /// Runs `body` in the transaction of the lock and commits it, which releases the lock.
  ///
  /// If the connection of the lock is lost, another run can have begun, and nothing is done.
  ///
  /// - Throws: what `body` throws, and `PostgreSQLError`; then nothing that `body` did is kept.
  package func release(after body: (Connection) throws -> Void) throws {
    try body(connection)
    try connection.run(TransactionEnd.end.rawValue, step: "lock")
  }

  /// Checks that the connection of the lock is not lost, so that no night has begun meanwhile.
  ///
  /// Call it before a commit.
  ///
  /// - Throws: `PostgreSQLError`.
  package func requireHeld() throws {
    try connection.run("select 1", step: "lock")
  }

  /// Releases the lock at once; closing the connection would release it a moment later.
  deinit {
    _ = try? connection.run("rollback", step: "lock")
  }

  private func holder() throws -> String {
    let row = try connection.run(SQLFile.runLockHolder, [work.key]).records.first
    let words = row?["application_name"]?.split(separator: " ") ?? []
    let since = row?["since"] ?? "an unknown time"
    guard words.count == 3, words[0] == "tieout" else {
      return "Another \(work) holds the lock since \(since). Try again when it has finished."
    }
    return """
      Another \(work) holds the lock: host \(words[2]), process \(words[1]), since \(since). \
      Try again when it has finished.
      """
  }
}
