import Glibc

/// A wait that always ends: at its limit, or at the request ``StopRequest/ofProcess``.
package struct Wait: Sendable {
  /// The reason why a wait is over.
  package enum End: Sendable {
    /// It has reached its limit.
    case limit
    /// The process was told to stop.
    case stop
  }

  private let start: ContinuousClock.Instant
  private let limit: Duration
  private let afterStop: Duration
  private var naps = 0

  /// Begins a wait.
  ///
  /// - Parameters:
  ///   - limit: The maximum duration.
  ///   - afterStop: How long it may continue after the process was told to stop. A wait that begins
  ///     after that moment belongs to the cleanup, and may take at least ``Patience/afterStop``
  ///     from its own beginning.
  package init(atMost limit: Duration, afterStop: Duration = .zero) {
    let now = ContinuousClock.now
    let isCleaningUp = StopRequest.ofProcess.madeAt.map { $0 <= now } ?? false
    start = now
    self.limit = limit
    self.afterStop = isCleaningUp ? max(afterStop, Patience.afterStop) : afterStop
  }

  /// The time since the wait began.
  package var elapsed: Duration { ContinuousClock.now - start }

  /// Whether the process was told to stop after the wait began.
  package var wasTold: Bool {
    guard let madeAt = StopRequest.ofProcess.madeAt else { return false }
    return madeAt > start && !StopRequest.ofProcess.isTooLate
  }

  /// The reason why the wait is over; nil if it is not over.
  package var end: End? {
    let now = ContinuousClock.now
    if let madeAt = StopRequest.ofProcess.madeAt {
      // Committed work has to be published, which may take a little longer.
      let grace =
        StopRequest.ofProcess.isTooLate ? max(afterStop, Patience.afterCommit) : afterStop
      // Earlier waits must not use up the time of the cleanup.
      if now - max(madeAt, start) >= grace { return .stop }
    }
    return now - start >= limit ? .limit : nil
  }

  /// The time to sleep before the next check, in milliseconds.
  ///
  /// It is short at first, and a quarter of a second when the wait has taken some seconds.
  package mutating func nap() -> Int32 {
    naps += 1
    return Int32(naps < 150 ? min(50, naps) : 250)
  }

  /// Sleeps for a moment; returns false without sleeping if the wait is over.
  package mutating func pause() -> Bool {
    guard end == nil else { return false }
    usleep(UInt32(nap()) * 1000)
    return true
  }

  /// Sleeps for some time; returns early when the request to stop is made.
  package static func sleep(_ duration: Duration, unless stop: StopRequest) {
    let end = ContinuousClock.now + duration
    while !stop.isMade {
      let left = end - ContinuousClock.now
      guard left > .zero else { return }
      // The attoseconds are those beyond the whole seconds, and there is no whole second.
      let part = min(left, .milliseconds(50)).components.attoseconds
      usleep(UInt32(part / 1_000_000_000_000))
    }
  }
}

extension Duration {
  /// A number of seconds for people, such as `600 s`.
  package var inSeconds: String { "\(components.seconds) s" }
}
