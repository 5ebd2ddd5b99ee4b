import Benchmark
import CopyFormat
import Intake

/// Benchmarks for files to blocks, and blocks to rows.
///
/// Each iteration reads a whole sample.
func readingBenchmarks() {
  Benchmark("4 MB of NDJSON: read, hashed and cut into blocks") { benchmark in
    let file = try SampleFile("receipts.ndjson", in: .receipts, text: SampleText.receipts())
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { file.read { blackHole($0) } }
  }
  Benchmark("4 MB of NDJSON in gzip: read, hashed, unpacked and cut into blocks") { benchmark in
    let plain = try SampleFile("receipts.ndjson", in: .receipts, text: SampleText.receipts())
    let file = try SampleFile(packing: plain)
    precondition(rows(of: file) == rows(of: plain), "the packed sample is another one")
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { file.read { blackHole($0) } }
  }
  Benchmark("4 MB of JSON documents to rows") { benchmark in
    try parse(
      SampleFile("receipts.ndjson", in: .receipts, text: SampleText.receipts()), benchmark)
  }
  Benchmark("4 MB of delivery CSV to rows") { benchmark in
    try parse(
      SampleFile("deliveries.csv", in: .deliveries, text: SampleText.deliveries()), benchmark)
  }
}

/// The number of evidence rows that a file gives.
private func rows(of file: SampleFile) -> Int {
  let parser = RecordParser()
  var rows = StagedRows()
  file.read { $0.parse(with: parser, into: &rows) }
  return rows.evidence.rows
}

/// Measures only the parser: the blocks are in memory.
private func parse(_ file: SampleFile, _ benchmark: Benchmark) throws {
  let blocks = file.blocks()
  let parser = RecordParser()
  var rows = StagedRows()
  benchmark.startMeasurement()
  for _ in benchmark.scaledIterations {
    rows.removeAll()
    for block in blocks { block.parse(with: parser, into: &rows) }
  }
  benchmark.stopMeasurement()
  precondition(rows.rejections.isEmpty, "the sample is rejected")
  precondition(!rows.evidence.isEmpty || !rows.deliveries.isEmpty, "the sample gives no rows")
}
