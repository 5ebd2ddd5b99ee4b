import Dispatch
import Synchronization
import Verification

extension Bench {
  /// How many times as many signed transactions `processors` threads verify in the same time as one.
  ///
  /// The threads share what they know of chains, as those of a night do. Taken in turns, at the median
  /// of seven, so that whatever else the machine does falls on both.
  func gain(of processors: Int, verifying text: [UInt8]) throws -> Double {
    let chains = ChainCache()
    var count = 100
    while try time(threads: 1, each: count, text, chains) < seconds / 7 { count *= 2 }
    var gains: [Double] = []
    for _ in 0..<7 {
      let alone = try time(threads: 1, each: count, text, chains)
      let together = try time(threads: processors, each: count, text, chains)
      gains.append(alone * Double(processors) / together)
    }
    return gains.sorted()[3]
  }

  /// How many seconds it takes until each thread has verified a document `each` times.
  private func time(
    threads: Int, each: Int, _ text: [UInt8], _ chains: ChainCache
  ) throws -> Double {
    let problem = Mutex<(any Error)?>(nil)
    let duration = ContinuousClock().measure {
      DispatchQueue.concurrentPerform(iterations: threads) { _ in
        let verifier = Verifier(roots: roots, chains: chains)
        do {
          for _ in 0..<each { try verifier.verify(try CompactJWS(text), at: Samples.signedDate) }
        } catch {
          problem.withLock { $0 = error }
        }
      }
    }
    if let problem = problem.withLock({ $0 }) { throw problem }
    return duration / .seconds(1)
  }
}
