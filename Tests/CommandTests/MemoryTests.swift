import Foundation
import Glibc
import ReconciliationTestSupport
import Testing

@Suite("Memory of the program") struct MemoryTests {
  /// What the program may take at its peak, in kB: a record may have 16 MB and is read whole.
  private static let limit = 128 << 10

  /// Runs `tieout run` to its end, and tells what it took at its peak, in kB.
  ///
  /// `wait4` would tell the peak of the process that started it as well. `VmHWM` is the program's own
  /// peak since it began (Linux, proc_pid_status(5)) and only grows, so that the last one read is it.
  private func run(_ command: CommandNight, _ more: [String]) throws -> (Program.Ended, peak: Int) {
    let program = try command.start(command.words(more))
    var peak = 0
    // An ended program has no memory that could be told.
    while let now = Self.peak(of: program.process) {
      peak = max(peak, now)
      usleep(2000)
    }
    return (try program.ended(), peak)
  }

  private static func peak(of process: pid_t) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }

  /// Puts a file into the inbox whose second line has a gigabyte, most of which no disk holds.
  private func putGigabyteLine(into command: CommandNight) throws {
    let path = command.night.inbox.appending(path: "deliveries/long.ndjson").path
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    func put(_ text: String) throws {
      try #require(write(file, text, text.utf8.count) == text.utf8.count)
    }
    let record =
      #"{"delivery_id":"L","transaction_id":"101","product_id":"book.emma","status":"delivered","#
    let good = record + #""occurred_at":"2026-11-18T10:06:00Z"}"# + "\n"
    try put(good + record + String(repeating: " ", count: 4096))
    try #require(ftruncate(file, 1 << 30) == 0)
    try #require(lseek(file, 0, SEEK_END) == 1 << 30)
    try put("}\n{}\n")
  }

  @Test("a line of a gigabyte is one rejection, and its size is not that of the program")
  func gigabyteLine() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try putGigabyteLine(into: command)
    let (refused, peakOfRefused) = try run(command, ["--max-rejected", "0"])
    #expect(refused.status == 65, "\(refused.errors)")
    #expect(try command.value("select count(*) from tieout.input_file") == "0")
    #expect(!FileManager.default.fileExists(atPath: command.night.reports.path))
    let (ended, peak) = try run(command, [])
    #expect(ended.status == 2, "\(ended.errors)")
    for peak in [peakOfRefused, peak] {
      #expect(peak > 1 << 10)
      #expect(peak < Self.limit, "\(peak) kB")
    }
    #expect(
      try command.night.table("rejected_records.csv").columns(["file", "line", "kind", "reason"])
        .rows == [
          ["deliveries/long.ndjson", "2", "delivery", "too_large"],
          ["deliveries/long.ndjson", "3", "delivery", "missing_field"],
        ])
    #expect(try command.value("select count(*) from tieout.delivery_record") == "2")
  }

  @Test("a gigabyte in a megabyte of gzip is stopped early")
  func gzipBomb() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let member = try gzipMember([UInt8](repeating: 0x78, count: 1 << 20))
    try command.night.put(
      Data(gzipMember([0x7b]) + (0..<1024).flatMap { _ in member }), at: "receipts/bomb.gz")
    let (ended, peak) = try run(command, [])
    #expect(ended.status == 2, "\(ended.errors)")
    #expect(peak > 1 << 10 && peak < Self.limit, "\(peak) kB")
    #expect(
      try command.night.table("rejected_records.csv").columns(["line", "kind", "reason"]).rows
        == [["", "file", "gzip_bomb"], ["1", "receipt", "too_large"]])
    #expect(try command.value("select count(*) from tieout.store_transaction") == "1")
  }
}
