/// An action of the program outside its process, which the code names right before the action.
///
/// Each effect is a point at which a run can be killed, or at which the action can fail. In a
/// release build, naming an effect costs nothing and does nothing. In a debug build, a test can
/// record the points, kill or stop the process at one of them, or make one of them fail: see
/// ``EffectPlan``.
@usableFromInline
package enum Effect: String, Sendable {
  /// A connection to the server is opened.
  case connect
  /// One or several SQL statements go to the server.
  case sqlStatement
  /// The commit of a transaction goes to the server.
  case commit
  /// A `COPY` begins, into or out of the server.
  case copy
  /// A piece of a `COPY`, or its end, goes to the server.
  case chunk
  /// A file or a folder is made.
  case create
  /// Bytes go into a file.
  case write
  /// A file, or the names in a folder, are made durable.
  case synchronize
  /// A file or a folder gets another name, or two exchange their names.
  case rename
  /// A symbolic link is made.
  case link
  /// A file or a folder is removed.
  case remove
  /// A lock on a file is taken.
  case lock
  /// A request goes to a web server.
  case question
  /// A signal is sent to the private server's process.
  case signal
  /// Another program is run, such as those that start and stop the private server.
  case program
}

/// A failure in place of an effect.
@usableFromInline
package enum Fault: Sendable, Equatable {
  /// The system call fails with this number of `errno`.
  case systemError(Int32)
  /// The connection breaks before the server receives the data.
  case connectionLost
  /// The server receives the data and acts, and the connection breaks before its answer arrives.
  case answerLost
  /// The process is killed while the server acts.
  case killedUnanswered
  /// The server refuses with this SQLSTATE.
  case refused(sqlState: String)
}

extension Effect {
  #if DEBUG
    /// Must be called right before the effect; if it returns a fault, the effect must not be done.
    ///
    /// - Parameter what: The target or the purpose of the effect, for people who read the list of
    ///   points.
    @usableFromInline
    package func fault(_ what: @autoclosure () -> String) -> Fault? {
      EffectPlan.shared?.arrive(at: self, what())
    }
  #else
    /// Must be called right before the effect.
    ///
    /// In a release build nothing ever fails here.
    @inlinable
    package func fault(_ what: @autoclosure () -> String) -> Fault? { nil }
  #endif

  /// The `errno` with which a system call must fail; nil: the call must be made.
  @inlinable
  package func systemError(_ what: @autoclosure () -> String) -> Int32? {
    guard case .systemError(let number) = fault(what()) else { return nil }
    return number
  }
}
