import Foundation
import Glibc
import LibCrypto
import ReconciliationTestSupport
import Reports
import Synchronization
import TestNeeds
import Testing

@Suite("A reader of the reports") struct ReaderTests {
  @Test("a reader of latest always sees a complete edition while runs publish others")
  func seesWholeFolders() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run().status == 0)

    let seen = Seen()
    let reports = command.night.reports.path
    let reader = Thread {
      while !seen.isEnough { seen.look(at: "\(reports)/latest") }
    }
    reader.start()
    // Also after an error: the thread would use a processor until the end of the process.
    defer { seen.enough() }
    for number in 1...8 {
      // Every run has a new finding, so the folder changes each time.
      try command.night.transactions(
        """
        transaction_id | product_id | purchased_at
        90\(number)    | book.\(number) | 2026-11-18 12:00
        """)
      let ended = try command.run()
      #expect(ended.status == 0, "\(ended.errors)")
    }
    seen.enough()
    #expect(eventually { reader.isFinished })
    #expect(seen.problems == [])
    #expect(seen.versions >= 5)
    #expect(try command.night.table("invalid_product_ids.csv").rows.count == 8)
    let editions = (2...9).map { "2026-11-20.\($0)" }
    #expect(
      try command.publishedNames() == ["2026-11-20"] + editions + [
        "editions.txt", "index.html", "latest",
      ])
  }
}

/// The versions of a folder that a reader saw, and the problems in them.
private final class Seen: Sendable {
  private struct State {
    var isEnough = false
    var problems: [String] = []
    var sums: Set<String> = []
  }

  private let state = Mutex(State())

  var isEnough: Bool { state.withLock { $0.isEnough } }
  var problems: [String] { state.withLock { $0.problems } }
  var versions: Int { state.withLock { $0.sums.count } }

  func enough() {
    state.withLock { $0.isEnough = true }
  }

  /// Opens the folder once and reads all its files through that descriptor.
  func look(at path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY)
    guard folder >= 0 else {
      let problem = "\(path) is not there: \(String(cString: strerror(errno)))"
      return state.withLock { $0.problems.append(problem) }
    }
    defer { close(folder) }
    let problem = Self.problem(in: folder)
    let sums = Self.read("SHA256SUMS", in: folder).map { String(decoding: $0, as: UTF8.self) }
    state.withLock { state in
      if let problem { state.problems.append(problem) }
      if let sums { state.sums.insert(sums) }
    }
  }

  /// The first difference between the folder and its list of checksums, as `sha256sum --check`
  /// would report it; nil if there is none.
  static func problem(in folder: Int32) -> String? {
    guard let list = read("SHA256SUMS", in: folder) else { return "SHA256SUMS is missing" }
    let lines = String(decoding: list, as: UTF8.self).split(separator: "\n")
    guard lines.count == Report.all.count + 3 else { return "SHA256SUMS has \(lines.count) lines" }
    for line in lines {
      let name = String(line.dropFirst(66))
      guard let bytes = read(name, in: folder) else { return "\(name) is missing" }
      let sum = HashFunction.sha256.digest(of: bytes).hexadecimal
      guard line.hasPrefix("\(sum)  ") else { return "\(name) is not what SHA256SUMS says" }
    }
    return nil
  }

  private static func read(_ name: String, in folder: Int32) -> Data? {
    let file = openat(folder, name, O_RDONLY)
    guard file >= 0 else { return nil }
    return try? FileHandle(fileDescriptor: file, closeOnDealloc: true).readToEnd() ?? Data()
  }
}
