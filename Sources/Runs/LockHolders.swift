package import PostgreSQL
import ReconciliationSQL
import Waiting

/// The sessions that held a lock on the program's tables when an SQL statement timed out.
package enum LockHolders {
  /// The SQLSTATE of an SQL statement that did not get its lock in time (`lock_not_available`).
  package static let timedOut = "55P03"

  /// `set local lock_timeout`: limits the wait for a lock that another session holds.
  package static let limit = limit(of: Patience.tableLock)
  /// The same for the lock on a finding that a person acknowledges or reopens.
  package static let limitForFinding = limit(of: Patience.findingLock)
  /// The same for the locks on the staging tables.
  package static let limitForStaging = limit(of: Patience.stagingLock)

  private static func limit(of wait: Duration) -> String {
    "set local lock_timeout = '\(wait.components.seconds)s'"
  }

  /// The error that replaces an error with ``timedOut``: it names the sessions with locks.
  ///
  /// The sessions are looked up after the error, so they can have ended meanwhile. Then the
  /// original error is returned.
  package static func error(after error: PostgreSQLError, in database: String) -> any Error {
    guard
      let connection = try? Connection(database, applicationName: "tieout locks"),
      let rows = try? connection.alone(SQLFile.runSessionWithLock), !rows.values.isEmpty
    else { return error }
    let words = rows.records.map { row in
      func word(_ column: String) -> String { row[column] ?? "unknown" }
      // Only a member of pg_monitor sees the times of other roles.
      let since = row["since"].map { ", since \($0)" } ?? ""
      return "process \(word("process")) (\(word("program")) of \(word("role"))\(since))"
    }.joined(separator: ", ")
    return ReconciliationError(
      .locked,
      """
      \(error.step): another session holds a lock on the tables and did not release it in time. \(PostgreSQLError.unchanged) \
      Sessions with locks: \(words). Wait until they end, or end one with select \
      pg_terminate_backend(process), and try again.
      """)
  }
}

extension PostgreSQLError {
  /// The sentence about what an SQL statement that failed has changed.
  ///
  /// Some commands have several transactions, so earlier ones can be committed.
  package static let unchanged =
    "Its transaction changed nothing; what the command had completed before stays."
}
