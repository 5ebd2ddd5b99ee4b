import Dispatch
import Synchronization

extension Bench {
  /// The throughput of `processors` threads relative to the throughput of one thread.
  ///
  /// It is the median of seven measurements. They alternate, so that other load on the machine
  /// affects both.
  ///
  /// - Parameter making: Creates the work of a thread.
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

  /// The seconds until each thread has done its work `each` times.
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
