import Configuration
import Foundation
import Glibc
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Synchronization
import Testing

@Suite("Files that change while a night reads them") struct ChangingFilesTests {
  private static let asOf = "2026-11-20 03:00"
  private static let changing = "deliveries/changing.ndjson"

  /// A night with a good file and with the file that changes, which has these deliveries.
  private func night(_ deliveries: ClosedRange<Int>) throws -> TestNight {
    let night = try TestNight()
    try night.put(deliveryLines(1...1), at: "deliveries/good.ndjson")
    try night.put(deliveryLines(deliveries), at: Self.changing)
    return night
  }

  /// Runs the body once, when a night reaches a step.
  private func once(_ step: String, in night: TestNight, _ body: @escaping @Sendable () -> Void) {
    let isDone = Mutex(false)
    night.whileRunning = { progress in
      // The walk through the inbox has ended, and the files that it found are read next.
      guard progress.step == step, step != "read" || (progress.done ?? 0) > 0 else { return }
      let isFirst = isDone.withLock { done in
        defer { done = true }
        return !done
      }
      if isFirst { body() }
    }
  }

  private func records(_ night: TestNight) throws -> String? {
    try night.database.connect().run("select count(*) from tieout.delivery_record", step: "test")
      .first
  }

  @Test(
    "a file that is gone or replaced before it is read is a rejection until it is back",
    arguments: ["unreadable", "not_a_file"])
  func gone(reason: String) throws {
    let night = try night(2...3)
    let path = night.inbox.appending(path: Self.changing).path
    once("empty staging", in: night) {
      unlink(path)
      if reason == "not_a_file" { mkfifo(path, 0o600) }
    }
    #expect(counts("files", try night.run(asOf: Self.asOf)) == [2, 1, 0, 1])
    #expect(
      try night.table("rejected_records.csv").columns(["file", "line", "kind", "reason"]).rows
        == [[Self.changing, "", "file", reason]])
    #expect(try records(night) == "1")

    unlink(path)
    try night.put(deliveryLines(2...3), at: Self.changing)
    #expect(counts("deliveries", try night.run(asOf: Self.asOf)) == [2, 2, 0, 0])
  }

  @Test("with max_rejected 0, a file that is gone stops the run")
  func goneWithLimit() throws {
    let night = try night(2...3)
    let path = night.inbox.appending(path: Self.changing).path
    night.settings.maxRejected = .count(0)
    once("empty staging", in: night) { unlink(path) }
    let error = #expect(throws: ReconciliationError.self) { try night.run(asOf: Self.asOf) }
    #expect(error?.code == .tooMuchRejected)
    #expect(try records(night) == "0")
    #expect(!FileManager.default.fileExists(atPath: night.reports.path))
  }

  @Test("a file that grows before it is read is registered with the length of what was read")
  func growsBefore() throws {
    let night = try night(2...3)
    let file = night.inbox.appending(path: Self.changing)
    let all = try Data(contentsOf: file) + Data(deliveryLines(4...4).utf8)
    once("empty staging", in: night) { try? all.write(to: file) }
    try night.run(asOf: Self.asOf)
    let bytes = try night.database.connect().run(
      "select bytes from tieout.input_file where path = $1", [Self.changing], step: "test")
    #expect(bytes.first == "\(all.count)")
    try night.run(asOf: Self.asOf)
    try night.rebuild()
    #expect(try records(night) == "4")
  }

  @Test("a file that shrinks while it is read loses nothing once it is complete again")
  func shrinks() throws {
    // More deliveries than are read at once.
    let all = 2...20_000
    let night = try night(all)
    let path = night.inbox.appending(path: Self.changing).path
    once("read", in: night) { truncate(path, 100) }
    let cut = try night.run(asOf: Self.asOf)
    let tally = counts("deliveries", cut)
    #expect(tally[0] == tally[1...].reduce(0, +))
    #expect(tally[1] > 1 && tally[1] < 20_000)

    try night.put(deliveryLines(all), at: Self.changing)
    try night.run(asOf: Self.asOf)
    #expect(try records(night) == "20000")
  }

  @Test("a file that grows while nights read it is loaded once and completely")
  func grows() throws {
    let night = try night(2...2)
    let path = night.inbox.appending(path: Self.changing).path
    let bytes = Array(deliveryLines(3...400).utf8)
    let isWritten = Mutex(false)
    let writer = Thread {
      let file = open(path, O_WRONLY | O_APPEND)
      var rest = bytes[...]
      // The pieces end anywhere in a record.
      while !rest.isEmpty {
        let piece = Array(rest.prefix(37))
        rest = rest.dropFirst(write(file, piece, piece.count))
        usleep(500)
      }
      close(file)
      isWritten.withLock { $0 = true }
    }
    writer.start()
    var isOver = false
    while !isOver {
      isOver = isWritten.withLock { $0 }
      let tally = counts("deliveries", try night.run(asOf: Self.asOf))
      #expect(tally[0] == tally[1...].reduce(0, +))
      #expect(tally[3] <= 1)
    }
    #expect(try records(night) == "400")
    #expect(try night.run(asOf: Self.asOf).lines.allSatisfy { $0.read == 0 })
  }
}
