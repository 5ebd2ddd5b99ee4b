/// One thing that the program does to the world outside its process, named right before it is done.
///
/// Each is a point at which a run can be killed, and at which the world can refuse. In a release build
/// naming one costs nothing and does nothing. In a debug build a test can have the points written down,
/// have the process killed or told to stop at one of them, or have one of them fail: see ``EffectPlan``.
public enum Effect: String, Sendable {
  /// A connection to the server is opened.
  case connect
  /// One or several statements go to the server.
  case statement
  /// The transaction with all of a night's work goes to be committed.
  case commit
  /// A `COPY` begins, into or out of the server.
  case copy
  /// A piece of a `COPY` goes to the server, or its end.
  case chunk
  /// A file or a folder is made.
  case create
  /// Bytes go into a file.
  case write
  /// A file, or the names in a folder, are made durable.
  case synchronize
  /// A file or a folder gets another name, or two exchange theirs.
  case rename
  /// A symbolic link is made.
  case link
  /// A file or a folder is removed.
  case remove
  /// The lock of a file is taken.
  case lock
  /// A web server is asked.
  case question
  /// A signal is sent to the private server's process.
  case signal
  /// Another program is run, such as those that start and stop the private server.
  case program
}

/// What happens in place of an effect.
public enum Fault: Sendable, Equatable {
  /// The system call fails with this number of `errno`.
  case systemError(Int32)
  /// The connection breaks before the server gets what was to be sent.
  case connectionLost
  /// The server gets it and does it, and the connection breaks before the program hears of it.
  case answerLost
  /// The process is killed while the server does it.
  case killedUnanswered
  /// The server refuses, with this SQLSTATE.
  case refused(sqlState: String)
}

extension Effect {
  #if DEBUG
    /// To be called right before the effect, which is not to be done if a fault comes back.
    ///
    /// - Parameter what: what it is done to or for; for people who read the list of points.
    public func fault(_ what: @autoclosure () -> String) -> Fault? {
      EffectPlan.shared?.arrive(at: self, what())
    }
  #else
    /// To be called right before the effect.
    ///
    /// Nothing ever fails here in a release build.
    @inlinable
    public func fault(_ what: @autoclosure () -> String) -> Fault? { nil }
  #endif

  /// The number of `errno` with which a system call is to fail; nil: it is to be made.
  @inlinable
  public func systemError(_ what: @autoclosure () -> String) -> Int32? {
    guard case .systemError(let number) = fault(what()) else { return nil }
    return number
  }
}
