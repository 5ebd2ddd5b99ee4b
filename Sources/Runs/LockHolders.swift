package import PostgreSQL
import Waiting

/// The sessions that held a lock on the program's tables when an SQL statement timed out.
package enum LockHolders {
  /// The SQLSTATE of an SQL statement that did not get its lock in time (`lock_not_available`).
  package static let timedOut = "55P03"

  /// `set local lock_timeout`: limits the wait for a lock that another session holds.
  package static let limit = limit(of: Patience.tableLock)
  /// The same for a finding that a person acknowledges.
  package static let limitForFinding = limit(of: Patience.findingLock)
  /// The same for the staging tables.
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
      let rows = try? connection.run(holders, step: "lock holders"), !rows.values.isEmpty
    else { return error }
    let words = rows.values.map { row in
      let values = row.map { $0 ?? "unknown" }
      return "process \(values[0]) (\(values[1]) of \(values[2]), since \(values[3]))"
    }.joined(separator: ", ")
    return ReconciliationError(
      .locked,
      """
      \(error.step): another session holds a lock on the tables and did not release it in time. \(PostgreSQLError.unchanged) \
      Sessions with locks: \(words). Wait until they end, or end one with select \
      pg_terminate_backend(process), and try again.
      """)
  }

  private static let holders = """
    select
        pg_stat_activity.pid,
        coalesce(nullif(pg_stat_activity.application_name, ''), 'a program without a name'),
        pg_stat_activity.usename,
        to_char(
            pg_stat_activity.xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
        )
    from pg_stat_activity
    where
        pg_stat_activity.pid <> pg_backend_pid()
        and pg_stat_activity.pid in (
            select pg_locks.pid
            from pg_locks
            left join pg_class on pg_locks.relation = pg_class.oid
            where
                pg_locks.granted
                and pg_locks.database = (
                    select oid from pg_database where datname = current_database()
                )
                and (
                    pg_class.relnamespace = to_regnamespace('tieout')
                    or pg_locks.locktype = 'advisory'
                )
        )
    order by pg_stat_activity.xact_start
    limit 3
    """
}

extension PostgreSQLError {
  /// What an SQL statement that failed leaves, in words: some commands have several transactions.
  package static let unchanged =
    "Its transaction changed nothing; what the command had completed before stays."
}

extension Connection {
  /// Runs one SQL statement in its own transaction; its wait for a lock is limited.
  @discardableResult
  package func alone(_ sql: String, _ parameters: [String?] = [], step: String)
    throws(PostgreSQLError)
    -> Rows
  {
    try run("begin; \(Schema.transactionSettings)", step: step)
    do throws(PostgreSQLError) {
      let rows = try run(sql, parameters, step: step)
      // `end` commits too. Only the text `commit` counts as the effect `commit`.
      try run("end", step: step)
      return rows
    } catch {
      _ = try? run("rollback", step: step)
      throw error
    }
  }
}
