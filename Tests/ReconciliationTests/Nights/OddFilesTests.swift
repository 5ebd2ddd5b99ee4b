import Foundation
import Glibc
import NightRun
import Page
import ReconciliationTestSupport
import Runs
import Testing

@Suite("Unusual files in the inbox") struct OddFilesTests {
  let asOf = "2026-11-20 03:00"

  /// An inbox with one good file, which shows that the night goes on.
  private func nightWithOneDelivery() throws -> TestNight {
    let night = try TestNight()
    try night.put(deliveryLines(1...1), at: "deliveries/good.ndjson")
    return night
  }

  private func rejections(_ night: TestNight) throws -> [[String]] {
    try night.table("rejected_records.csv").columns(["file", "kind", "reason"]).rows
  }

  @Test("links to nothing, to themselves or to a folder, and pipes, are rejections in every night")
  func noFiles() throws {
    let night = try nightWithOneDelivery()
    let folder = night.inbox.appending(path: "deliveries").path
    symlink("loop", "\(folder)/loop")
    symlink("gone.ndjson", "\(folder)/dangling.ndjson")
    symlink("..", "\(folder)/parent")
    mkfifo("\(folder)/pipe", 0o600)
    let expected = [
      ["deliveries/dangling.ndjson", "file", "unreadable"],
      ["deliveries/loop", "file", "unreadable"],
      ["deliveries/parent", "file", "not_a_file"],
      ["deliveries/pipe", "file", "not_a_file"],
    ]
    let first = try night.run(asOf: asOf)
    #expect(counts("files", first) == [5, 1, 0, 4])
    #expect(counts("deliveries", first) == [1, 1, 0, 0])
    #expect(try rejections(night) == expected)
    #expect(counts("files", try night.run(asOf: "2026-11-21 03:00")) == [4, 0, 0, 4])
    #expect(try rejections(night) == expected)
    for (name, words) in [("deliveries/pipe", "no regular file"), ("deliveries", "is a folder")] {
      let error = try #require(throws: ReconciliationError.self) { try night.withdraw(name) }
      #expect(error.code == .unknown && "\(error)".contains(words), "\(error)")
    }

    // The target of the dangling link arrives.
    try night.put(deliveryLines(2...2), at: "deliveries/gone.ndjson")
    #expect(counts("deliveries", try night.run(asOf: "2026-11-22 03:00")) == [1, 1, 0, 0])
  }

  @Test("a file that cannot be opened is rejected in that night and loaded completely in the next")
  func openError() throws {
    let night = try nightWithOneDelivery()
    try night.put(deliveryLines(2...3), at: "deliveries/leased.ndjson")
    // The kernel asks the holder of the lease first, and the program does not wait for the answer.
    let file = open(night.inbox.appending(path: "deliveries/leased.ndjson").path, O_RDWR)
    // 1024 is F_SETLEASE, which the headers hide.
    try #require(file >= 0 && fcntl(file, 1024, Int32(F_WRLCK)) == 0)
    let before = signal(SIGIO, SIG_IGN)
    let broken = try night.run(asOf: asOf)
    close(file)
    signal(SIGIO, before)
    #expect(counts("files", broken) == [2, 1, 0, 1])
    #expect(counts("deliveries", broken) == [1, 1, 0, 0])
    #expect(try rejections(night) == [["deliveries/leased.ndjson", "file", "unreadable"]])
    #expect(counts("deliveries", try night.run(asOf: asOf)) == [2, 2, 0, 0])
  }

  @Test("an empty file is read only once; an unreadable file is tried in every night")
  func empty() throws {
    let night = try TestNight()
    try night.put("", at: "deliveries/empty.ndjson")
    symlink("gone.ndjson", night.inbox.appending(path: "deliveries/dangling.ndjson").path)
    #expect(counts("files", try night.run(asOf: asOf)) == [2, 1, 0, 1])
    #expect(counts("files", try night.run(asOf: asOf)) == [1, 0, 0, 1])
  }

  @Test("a file in the wrong folder is one rejection, whatever it contains")
  func wrongFolder() throws {
    let night = try nightWithOneDelivery()
    try night.put(deliveryLines(1...9), at: "receipts/log.ndjson")
    let summary = try night.run(asOf: asOf)
    #expect(counts("files", summary) == [2, 1, 0, 1])
    #expect(counts("documents", summary) == [0, 0, 0, 0])
    #expect(try rejections(night) == [["receipts/log.ndjson", "file", "wrong_folder"]])
    #expect(
      summary.comparison.fileSentences { $0 } == [
        """
        receipts/log.ndjson was not read (since 2026-11-20). No record of this file fits receipts/; \
        they belong in deliveries/. Move the file.
        """
      ])
  }

  @Test("a file name may contain any characters")
  func names() throws {
    let night = try nightWithOneDelivery()
    let names = [
      "a b.ndjson", "a\"b\".ndjson", "a,b;c.ndjson", "a\nb\r\n.ndjson", "=1+2.ndjson", "-rf",
      "Ä🎉.ndjson",
      "a\\b\t.ndjson", "'; drop table run; --", "\u{1b}[2J\u{7f}\u{85}\u{202e}.ndjson",
    ]
    for (place, name) in names.enumerated() {
      try night.put("{}\n" + deliveryLines((place + 2)...(place + 2)), at: "deliveries/\(name)")
    }
    let summary = try night.run(asOf: asOf)
    #expect(counts("deliveries", summary) == [21, 11, 0, 10])
    #expect(
      try rejections(night).map { $0[0] }.sorted()
        == names.map { shown("deliveries/\($0)") }.sorted())
    #expect(try night.run(asOf: asOf).unchangedFiles == 11)
  }

  @Test("a name that is not text is a rejection")
  func nameIsNoText() throws {
    let night = try nightWithOneDelivery()
    let folder = open(night.inbox.appending(path: "deliveries").path, O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    let name: [CChar] = [0x61, -1, 0]
    let file = openat(folder, name, O_WRONLY | O_CREAT, 0o600)
    try #require(file >= 0)
    close(file)
    #expect(counts("files", try night.run(asOf: asOf)) == [2, 1, 0, 1])
    #expect(try rejections(night) == [["deliveries/a\u{fffd}", "file", "unreadable"]])
  }

  @Test("an inbox that no longer has the folders of earlier nights is refused")
  func lostFolders() throws {
    let night = try TestNight()
    // The first nights have no receipts and no deliveries either.
    for name in ["deliveries", "receipts"] {
      try FileManager.default.removeItem(at: night.inbox.appending(path: name))
    }
    try night.catalogue("product_id\nbook.emma")
    try night.run(asOf: "2026-11-19 03:00")
    try night.put(deliveryLines(1...1), at: "deliveries/a.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    try FileManager.default.removeItem(at: night.inbox.appending(path: "deliveries"))
    let error = try #require(throws: ReconciliationError.self) {
      try night.run(asOf: "2026-11-21 03:00")
    }
    #expect(error.code == .configuration)
    #expect("\(error)".contains("neither receipts/ nor deliveries/"), "\(error)")
    #expect(
      !FileManager.default.fileExists(
        atPath: night.reports.appending(path: "2026-11-21").path))
    // An empty folder says that there are no files on purpose.
    try FileManager.default.createDirectory(
      at: night.inbox.appending(path: "receipts"), withIntermediateDirectories: false)
    try night.run(asOf: "2026-11-21 03:00")
  }

  @Test("unknown folders and files in the inbox are not read, and warnings name them")
  func unknownFolder() throws {
    let night = try nightWithOneDelivery()
    try night.put(deliveryLines(2...2), at: "content/late.ndjson")
    try night.put(deliveryLines(3...3), at: "late.ndjson")
    let summary = try night.run(asOf: asOf)
    #expect(counts("deliveries", summary) == [1, 1, 0, 0])
    #expect(summary.warnings.contains { $0.hasPrefix("content is in the inbox") })
    #expect(summary.warnings.contains { $0.hasPrefix("late.ndjson is in the inbox") })
    #expect(summary.rejected == 0)
  }

  @Test(
    "a folder with a misspelled name is a rejection in every night until it is renamed",
    arguments: ["Deliveries", "delivery", "deliverys", "DELIVERIES"])
  func misspelledFolder(name: String) throws {
    let night = try nightWithOneDelivery()
    try night.put(deliveryLines(2...2), at: "\(name)/late.ndjson")
    for day in [20, 21] {
      let summary = try night.run(asOf: "2026-11-\(day) 03:00")
      #expect(try rejections(night) == [[name, "file", "misspelled_folder"]])
      let sentence =
        "The folder \(name)/ of the inbox was not read (since 2026-11-20): "
        + "its name is misspelled."
      #expect(summary.comparison.fileSentences { $0 } == [sentence])
      #expect(try night.report("index.html").contains(sentence))
      #expect(summary.warnings.allSatisfy { !$0.contains("is in the inbox") })
    }
    let detail = try night.table("rejected_records.csv").columns(["detail"]).rows
    #expect(detail.first?.first?.contains("If you meant deliveries/, rename") == true)
    try FileManager.default.moveItem(
      at: night.inbox.appending(path: "\(name)/late.ndjson"),
      to: night.inbox.appending(path: "deliveries/late.ndjson"))
    try FileManager.default.removeItem(at: night.inbox.appending(path: name))
    let renamed = try night.run(asOf: "2026-11-22 03:00")
    #expect(counts("deliveries", renamed) == [1, 1, 0, 0])
    #expect(renamed.comparison.fileSentences { $0 }.isEmpty)
  }

  @Test("a folder whose name is not like one of the inbox's is no rejection")
  func otherFolders() throws {
    let night = try nightWithOneDelivery()
    for name in ["archive", "apps", "receipts-old", "Client backup"] {
      try night.put(deliveryLines(2...2), at: "\(name)/late.ndjson")
    }
    let summary = try night.run(asOf: asOf)
    #expect(summary.rejected == 0)
    #expect(summary.warnings.count { $0.contains("is in the inbox") } == 4)
  }
}
