import Waiting

/// The clock, the waits and the random numbers for questions to servers; tests replace them.
struct Pace: Sendable {
  /// The current instant.
  var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  /// Waits; can return early when the program is told to stop.
  var wait: @Sendable (Duration) -> Void
  /// A random number from 0 to 1.
  var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

  /// How long to wait before the second, third, … attempt: twice as long each time, up to a minute.
  ///
  /// The wait is a random part of this time, at least half of it. So clients that failed together
  /// do not try again together.
  func pause(beforeAttempt attempt: Int) -> Duration {
    let whole = min(60, Double(1 << min(max(attempt - 2, 0), 6)))
    return .seconds(whole * (0.5 + 0.5 * chance()))
  }
}

extension Pace {
  /// The pace of a real run.
  init(stop: StopRequest) {
    self.init(wait: { Wait.sleep($0, unless: stop) })
  }
}
