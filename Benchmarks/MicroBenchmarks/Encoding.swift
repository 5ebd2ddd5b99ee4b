import Benchmark
import CXXHash
import CopyFormat
import LibCrypto

/// Benchmarks for rows in PostgreSQL's binary format, and for the two hashes.
func encodingBenchmarks() {
  Benchmark("10 000 rows of ten columns in PostgreSQL's binary form") { benchmark in
    let text = Array("com.example.reader.book.007".utf8)
    var rows = CopyBuffer()
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      rows.removeAll()
      for number in 0..<10_000 {
        rows.beginRow(columns: 10)
        rows.integer(Int32(number))
        rows.bigint(Int64(number))
        rows.bigint(Int64(number))
        for _ in 0..<3 { rows.bytes(text) }
        rows.timestamp(1_795_005_296)
        rows.timestamp(1_795_005_296)
        rows.boolean(false)
        rows.null()
      }
      blackHole(rows.bytes.count)
    }
  }
  Benchmark("SHA-256 of 4 MB") { benchmark in
    let bytes = Array(SampleText.receipts().utf8)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { blackHole(HashFunction.sha256.digest(of: bytes)) }
  }
  Benchmark("XXH3 of 4 MB") { benchmark in
    let bytes = Array(SampleText.receipts().utf8)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      bytes.withUnsafeBytes { blackHole(tieoutHash128($0.baseAddress, $0.count).low64) }
    }
  }
  Benchmark("XXH3 of 200 bytes, 10 000 times") { benchmark in
    let bytes = Array(SampleText.receipts().utf8.prefix(200 + 10_000))
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      bytes.withUnsafeBytes { bytes in
        for start in 0..<10_000 {
          blackHole(tieoutHash64(bytes.baseAddress.map { $0 + start }, 200))
        }
      }
    }
  }
}
