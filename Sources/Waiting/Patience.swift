import Foundation

/// How long the program waits for others, at most.
public enum Patience {
  /// For another command that starts or stops the private server.
  public static let startLock = limit(600)
  /// For the same at the end of a command, where the other one knows what to do without it.
  public static let closing = limit(60)
  /// For the private server to recover.
  public static let recovery: Duration = .seconds(3600)
  /// For a sign of life of the private server.
  public static let answer = limit(60)
  /// For the private server to write what it has in memory, when it is told to stop.
  public static let shutdown = limit(300)
  /// For a private server that is to stop and does nothing any more.
  public static let idle = limit(20)
  /// For a private server that is to stop without writing, and for processes that were killed.
  public static let quit = limit(15)
  /// For a program that does something small.
  public static let program: Duration = .seconds(60)
  /// For a program that makes or removes a cluster.
  public static let longProgram: Duration = .seconds(600)
  /// For `pg_dump` and `pg_restore`.
  public static let dump: Duration = .seconds(24 * 3600)
  /// For a server to take a connection: `connect_timeout`, where nobody gives another one.
  public static let connection = limit(30)
  /// For a connection as a whole, whatever `connect_timeout` and the number of hosts say.
  public static let allConnections = limit(600, factor: 4)
  /// For the answer to one statement.
  public static let statement = limit(24 * 3600, factor: 4)
  /// For the server to take a piece of a `COPY`.
  public static let piece = limit(3600)
  /// For a lock on a table or a row that somebody else holds: `lock_timeout`.
  public static let tableLock = limit(600)

  /// After the process was told to stop: for all that is left to undo.
  public static let afterStop: Duration = .seconds(10)
  /// After the process was told to stop while the work was committed: for that to be shown.
  public static let afterCommit: Duration = .seconds(30)
  /// After the process was told to stop: until it ends, whatever it waits for.
  public static let last: Duration = .seconds(60)

  /// So many seconds.
  ///
  /// A debug build takes fewer if the environment variable `TIEOUT_PATIENCE` says so, for tests of waits that nobody
  /// ends; a release build refuses the variable. What a busy machine may take long for is not shortened: starts,
  /// recoveries and programs.
  ///
  /// - Parameter factor: For a limit that has to be longer than the others also in a test.
  private static func limit(_ seconds: Int, factor: Int = 1) -> Duration {
    #if DEBUG
      let most = ProcessInfo.processInfo.environment["TIEOUT_PATIENCE"].flatMap { Int($0) }
      return .seconds(min(seconds, most.map { $0 * factor } ?? seconds))
    #else
      return .seconds(seconds)
    #endif
  }
}
