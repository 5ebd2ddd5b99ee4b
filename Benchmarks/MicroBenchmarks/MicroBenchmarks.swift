import Benchmark
import Foundation

/// The benchmarks.
///
/// ordo-one/benchmark looks for this name.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], warmupIterations: 1, maxDuration: .seconds(2),
    maxIterations: 100_000)
  Benchmark.shutdownHook = { try? FileManager.default.removeItem(at: SampleFile.parent) }
  readingBenchmarks()
  encodingBenchmarks()
  verifyingBenchmarks()
}
