import Glibc

/// A wait for somebody else, which always has an end: a limit, or the wish of ``StopRequest/ofProcess``.
public struct Wait: Sendable {
  /// Why a wait is over.
  public enum End: Sendable {
    /// It took as long as it may.
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
  ///   - limit: How long it may take.
  ///   - afterStop: How long it may go on after the process was told to stop. A wait that begins after that
  ///     moment belongs to the cleaning up, and may go on for ``Patience/afterStop`` at least.
  public init(atMost limit: Duration, afterStop: Duration = .zero) {
    let now = ContinuousClock.now
    let isCleaningUp = StopRequest.ofProcess.madeAt.map { $0 <= now } ?? false
    start = now
    self.limit = limit
    self.afterStop = isCleaningUp ? max(afterStop, Patience.afterStop) : afterStop
  }

  /// How long it has taken so far.
  public var elapsed: Duration { ContinuousClock.now - start }

  /// Whether the process was told to stop after the wait began.
  public var wasTold: Bool {
    guard let madeAt = StopRequest.ofProcess.madeAt else { return false }
    return madeAt > start && !StopRequest.ofProcess.isTooLate
  }

  /// Why it is over; nil: it is not.
  public var end: End? {
    let now = ContinuousClock.now
    if let madeAt = StopRequest.ofProcess.madeAt {
      // What is committed has to be shown, which may take a little longer.
      let grace =
        StopRequest.ofProcess.isTooLate ? max(afterStop, Patience.afterCommit) : afterStop
      if now - madeAt >= grace { return .stop }
    }
    return now - start >= limit ? .limit : nil
  }

  /// How long to sleep before the next look, in milliseconds: short at first, and a quarter of a second when it has
  /// taken some seconds already.
  public mutating func nap() -> Int32 {
    naps += 1
    return Int32(naps < 150 ? min(50, naps) : 250)
  }

  /// Sleeps a moment; false, without sleeping, if the wait is over.
  public mutating func pause() -> Bool {
    guard end == nil else { return false }
    usleep(UInt32(nap()) * 1000)
    return true
  }
}

extension Duration {
  /// A number of seconds for people, such as `600 s`.
  public var inSeconds: String { "\(components.seconds) s" }
}
