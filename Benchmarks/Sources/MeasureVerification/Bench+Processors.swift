import Dispatch
import Synchronization

extension Bench {
  /// How many times as often `processors` threads do something in the same time as one thread.
  ///
  /// Taken in turns, at the median of seven, so that whatever else the machine does falls on both.
  ///
  /// - Parameter making: Makes the work for a thread.
  func gain(
    of processors: Int, making: @escaping @Sendable () throws -> () throws -> Void
  ) throws -> Double {
    var count = 100
    while try time(threads: 1, each: count, making) < seconds / 7 { count *= 2 }
    var gains: [Double] = []
    for _ in 0..<7 {
      let alone = try time(threads: 1, each: count, making)
      let together = try time(threads: processors, each: count, making)
      gains.append(alone * Double(processors) / together)
    }
    return gains.sorted()[3]
  }

  /// How many seconds it takes until each thread has done it `each` times.
  private func time(
    threads: Int, each: Int, _ making: @escaping @Sendable () throws -> () throws -> Void
  ) throws -> Double {
    let problem = Mutex<(any Error)?>(nil)
    let duration = ContinuousClock().measure {
      DispatchQueue.concurrentPerform(iterations: threads) { _ in
        do {
          let work = try making()
          for _ in 0..<each { try work() }
        } catch {
          problem.withLock { $0 = error }
        }
      }
    }
    if let problem = problem.withLock({ $0 }) { throw problem }
    return duration / .seconds(1)
  }
}
