import PostgreSQL
import Synchronization

/// The wish, from a signal, that a run should stop; it also cancels the statements under way.
public final class StopRequest: Sendable {
  private struct State {
    var isMade = false
    var isTooLate = false
    var cancellations: [Cancellation] = []
  }

  private let state = Mutex(State())

  /// Makes a request that nobody has made yet.
  public init() {}

  /// Whether somebody wishes the run to stop.
  public var isMade: Bool { state.withLock { $0.isMade && !$0.isTooLate } }

  /// Wishes the run to stop, and cancels the statements of all connections it was told of.
  public func make() {
    let cancellations = state.withLock { state in
      state.isMade = true
      return state.isTooLate ? [] : state.cancellations
    }
    for cancellation in cancellations { cancellation.cancel() }
  }

  /// Lets the request cancel this connection's statements.
  func covers(_ connection: Connection) {
    let cancellation = connection.cancellation()
    state.withLock { $0.cancellations.append(cancellation) }
  }

  /// From here on the work is done and only has to be shown: a request comes too late.
  func isTooLateFromHere() {
    state.withLock { $0.isTooLate = true }
  }

  /// Throws if somebody wishes the run to stop.
  func check() throws(ReconciliationError) {
    guard !isMade else {
      throw ReconciliationError(
        .stopped, "Told to stop: everything is as it was before this run. Start it again.")
    }
  }
}
