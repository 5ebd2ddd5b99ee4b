import Foundation
import Glibc
import ReconciliationTestSupport
import Testing

@Suite("Memory of the program") struct MemoryTests {
  /// The limit for the program's peak memory, in kB.
  ///
  /// A record may have 16 MB and is read as a whole.
  private static let limit = 128 << 10

  /// Runs `tieout run` to its end, and returns its peak memory in kB.
  ///
  /// `wait4` would also count the process that started the program. `VmHWM` is the program's own
  /// peak since its start (Linux, proc_pid_status(5)). It only grows, so the last value is the
  /// peak.
  private func run(_ command: CommandNight, _ more: [String]) throws -> (Program.Ended, peak: Int) {
    let program = try command.start(command.words(more))
    var peak = 0
    // A process that has ended has no `VmHWM`.
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

  /// Puts a file into the inbox whose second line has a gigabyte.
  ///
  /// Most of the line is a hole in the file, which uses no disk space.
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

  @Test("a line of a gigabyte is one rejection, and the program's memory stays small")
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

  @Test("a small gzip file that expands to a gigabyte is rejected early")
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
