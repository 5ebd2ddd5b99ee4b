import Foundation

/// The limits of the waits of the program.
package enum Patience {
  /// The wait for another command that starts or stops the private server.
  package static let startLock = limit(600)
  /// The same wait at the end of a command; the other command can continue without this one.
  package static let closing = limit(60)
  /// The wait for the recovery of the private server.
  package static let recovery: Duration = .seconds(3600)
  /// The wait for an answer that shows that the private server works.
  package static let answer = limit(60)
  /// The wait for the private server to write its memory to disk when it is told to stop.
  package static let shutdown = limit(300)
  /// The wait for a stopping private server that no longer does anything.
  package static let idle = limit(20)
  /// The wait for a private server that stops without writing, and for killed processes.
  package static let quit = limit(15)
  /// The wait for a program with a small task.
  package static let program: Duration = .seconds(60)
  /// The wait for a program that makes or removes a cluster.
  package static let longProgram: Duration = .seconds(600)
  /// The wait for `pg_dump` and `pg_restore`, and for the statistics of all tables.
  package static let dump: Duration = .seconds(24 * 3600)
  /// The wait for a server to accept a connection: `connect_timeout`, unless another one is given.
  package static let connection = limit(30)
  /// The wait for a connection as a whole, for any `connect_timeout` and any number of hosts.
  package static let allConnections = limit(600, factor: 4)
  /// The wait for the answer to one SQL statement.
  package static let sqlStatement = limit(24 * 3600, factor: 4)
  /// The wait for the server to accept a piece of a `COPY`.
  package static let piece = limit(3600)
  /// The wait for a lock on a table or a row that another session holds: `lock_timeout`.
  package static let tableLock = limit(600)
  /// The same wait of a person who acknowledges a finding.
  package static let findingLock = limit(60)
  /// The same wait for the staging tables, which another session only reads.
  package static let stagingLock: Duration = .seconds(2)
  /// The wait for the start of a `COPY`; the server ends a wait for a lock before that.
  package static let copyStart: Duration = tableLock + .seconds(10)
  /// The wait for other sessions to complete their commits on the nodes of a cluster.
  package static let settling = limit(5)

  /// The wait for the answer of the monitor that `ping_url` names.
  package static let monitor = limit(10)

  /// The time to undo the remaining work after the process was told to stop.
  package static let afterStop: Duration = .seconds(10)
  /// The time to publish committed work after the process was told to stop during the commit.
  static let afterCommit = limit(30)
  /// The time from the stop request until the process ends, whatever it waits for.
  package static let last: Duration = .seconds(60)

  /// A limit of this number of seconds.
  ///
  /// In a debug build, the environment variable `TIEOUT_PATIENCE` can shorten the limit, for tests
  /// of waits that nothing else ends. A release build refuses the variable. The limits of starts,
  /// recoveries and programs are not shortened, because they can take long on a busy machine.
  ///
  /// - Parameter factor: The factor for a limit that must be longer than the others even in a test.
  private static func limit(_ seconds: Int, factor: Int = 1) -> Duration {
    #if DEBUG
      let most = ProcessInfo.processInfo.environment["TIEOUT_PATIENCE"].flatMap { Int($0) }
      return .seconds(min(seconds, most.map { $0 * factor } ?? seconds))
    #else
      return .seconds(seconds)
    #endif
  }
}
