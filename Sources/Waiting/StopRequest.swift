import Synchronization

/// The wish, from a signal, that work should stop.
public final class StopRequest: Sendable {
  private struct State {
    var madeAt: ContinuousClock.Instant?
    var isTooLate = false
    var acts: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// The wish that signals to this process express.
  ///
  /// Every wait in the program heeds it.
  public static let ofProcess = StopRequest()

  /// Makes a request that nobody has made yet.
  public init() {}

  /// Whether somebody wishes the work to stop, and it can still be stopped.
  public var isMade: Bool { state.withLock { $0.madeAt != nil && !$0.isTooLate } }

  /// When somebody first wished the work to stop, also if that was too late.
  public var madeAt: ContinuousClock.Instant? { state.withLock { $0.madeAt } }

  /// Whether the work is done and only has to be shown.
  public var isTooLate: Bool { state.withLock { $0.isTooLate } }

  /// Wishes the work to stop, and does what was asked for with ``onMake(_:)``.
  public func make() {
    let acts = state.withLock { state in
      if state.madeAt == nil { state.madeAt = .now }
      return state.isTooLate ? [] : state.acts
    }
    for act in acts { act() }
  }

  /// Adds something to do when the request is made.
  public func onMake(_ act: @escaping @Sendable () -> Void) {
    state.withLock { $0.acts.append(act) }
  }

  /// From here on the work is done and only has to be shown: a request comes too late.
  public func isTooLateFromHere() {
    state.withLock { $0.isTooLate = true }
  }

  /// From here on the work is shown, and the rest can be left to the next run: requests count again.
  public func countsFromHere() {
    state.withLock { $0.isTooLate = false }
  }
}
