import Waiting

/// Time, and chance, for whoever asks and waits; tests bring their own.
struct Pace: Sendable {
  /// How long ago something is.
  var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  /// Waits; may return early when the program is told to stop.
  var wait: @Sendable (Duration) -> Void
  /// A number from 0 to 1, not always the same.
  var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

  /// The pace of a real night.
  init(stop: StopRequest) {
    wait = { duration in
      let end = ContinuousClock.now + duration
      while !stop.isMade {
        let left = end - ContinuousClock.now
        guard left > .zero else { return }
        Host.sleep(min(left, .milliseconds(50)))
      }
    }
  }

  /// A pace of somebody's own.
  init(
    now: @escaping @Sendable () -> ContinuousClock.Instant,
    wait: @escaping @Sendable (Duration) -> Void, chance: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.wait = wait
    self.chance = chance
  }

  /// How long to wait before the second, third, … attempt: twice as long each time, up to a minute.
  ///
  /// Between half of it and all of it, by chance, so that many who failed together do not come back together.
  func pause(beforeAttempt attempt: Int) -> Duration {
    let whole = min(60, Double(1 << min(max(attempt - 2, 0), 6)))
    return .seconds(whole * (0.5 + 0.5 * chance()))
  }
}
