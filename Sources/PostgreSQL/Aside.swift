import Dispatch
import Synchronization
import Waiting

/// Makes calls that block inside libpq and cannot be interrupted, such as a host name lookup.
enum Aside {
  private enum State<Result> {
    case waitedFor
    case done(Result)
    case abandoned
  }

  /// The result of a thread, for the one that waits for it.
  private final class Outcome<Result: Sendable>: Sendable {
    let state = Mutex(State<Result>.waitedFor)
    let isDone = DispatchSemaphore(value: 0)
  }

  /// Makes the call on its own thread and waits for it; nil if the wait ends first.
  ///
  /// - Parameter late: Receives a result that arrives after the wait.
  /// - Throws: `ThreadError`; nothing was called then.
  static func call<Result: Sendable>(
    _ wait: Wait, _ call: @escaping @Sendable () -> Result,
    late: @escaping @Sendable (Result) -> Void
  ) throws(ThreadError) -> Result? {
    let outcome = Outcome<Result>()
    try startThread {
      let result = call()
      let isLate = outcome.state.withLock { state in
        if case .abandoned = state { return true }
        state = .done(result)
        return false
      }
      if isLate { late(result) }
      outcome.isDone.signal()
    }
    while outcome.isDone.wait(timeout: .now() + .milliseconds(100)) == .timedOut,
      wait.end == nil
    {}
    return outcome.state.withLock { state in
      guard case .done(let result) = state else {
        state = .abandoned
        return nil
      }
      return result
    }
  }
}
