import Synchronization

/// A request, from a signal, that work should stop.
package final class StopRequest: Sendable {
  private struct State {
    var madeAt: ContinuousClock.Instant?
    var isTooLate = false
  }

  private let state = Mutex(State())

  /// The request that signals to this process make.
  ///
  /// Every wait in the program obeys it.
  package static let ofProcess = StopRequest()

  /// Creates a request that has not been made yet.
  package init() {}

  /// Whether the request was made and the work can still be stopped.
  package var isMade: Bool { state.withLock { $0.madeAt != nil && !$0.isTooLate } }

  /// When the request was first made, even if that was too late.
  package var madeAt: ContinuousClock.Instant? { state.withLock { $0.madeAt } }

  /// Whether the work is done and only has to be published.
  var isTooLate: Bool { state.withLock { $0.isTooLate } }

  /// Makes the request.
  package func make() {
    state.withLock { state in
      if state.madeAt == nil { state.madeAt = .now }
    }
  }

  /// Records that the work is done and only has to be published: a request now comes too late.
  package func refuseFromNow() {
    state.withLock { $0.isTooLate = true }
  }

  /// Records that the work is published: requests count again, because the next run can do the
  /// rest.
  package func acceptAgain() {
    state.withLock { $0.isTooLate = false }
  }
}
