import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("The list of editions and the link latest") struct EditionListTests {
  private func night() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue("product_id | prices\nbook.emma | USD 1.99")
    try buy(101, in: night)
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n100 | book.emma | 2026-11-17 09:00")
    return night
  }

  private func buy(_ id: Int, in night: TestNight) throws {
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      \(id)          | book.emma  | 2026-11-17 10:00 | PERSON-1
      """)
  }

  private func reports(_ night: TestNight) -> PublishedReports { PublishedReports(night.reports) }

  private func lines(_ reports: PublishedReports) throws -> [String] {
    String(decoding: try reports.bytes("editions.txt"), as: UTF8.self)
      .split(separator: "\n").map { "\($0)\n" }
  }

  private func write(_ lines: some Sequence<String>, _ reports: PublishedReports) throws {
    try reports.write(Array(lines.joined().utf8), "editions.txt")
  }

  private func setLatest(_ target: String, _ reports: PublishedReports) throws {
    let link = reports.folder.appending(path: "latest").path
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
  }

  @Test("a line that is lost, moved or repeated is found, unless it is lost at the end")
  func order() throws {
    let night = try night()
    for day in 20...23 { try night.run(asOf: "2026-11-\(day) 03:00") }
    let reports = reports(night)
    let right = try lines(reports)
    try #require(right.count == 4)
    for (order, wrong) in [
      ([0, 2, 3], 2), ([0, 3], 2), ([1, 2, 3], 1), ([3], 1), ([1, 0, 2, 3], 1), ([0, 1, 3, 2], 3),
      ([0, 0, 1, 2, 3], 2), ([0, 1, 2, 3, 2], 5), ([3, 2, 1, 0], 1),
    ] {
      try write(order.map { right[$0] }, reports)
      let place = "\(reports.folder.path)/editions.txt:\(wrong) is about publication "
      let fault = try reports.fault()
      #expect(fault?.hasPrefix(place) == true, "\(order): \(fault ?? "nothing")")
    }
    for (count, note) in [
      (3, "1 edition is not in editions.txt yet"), (1, "3 editions are not in editions.txt yet"),
      (0, "4 editions are not in editions.txt yet"),
    ] {
      try write(right.prefix(count), reports)
      #expect(try reports.verify().notes == [note])
    }
    try reports.remove("editions.txt")
    let lost = try reports.verify()
    #expect(lost.proven == 4 && lost.notes == ["4 editions are not in editions.txt yet"])
    // Another edition than the manifest's.
    try write(right.prefix(3) + [right[3].replacing(" 2026-11-23 ", with: " 2026-11-25 ")], reports)
    #expect(try reports.fault()?.contains("editions.txt:4 says that publication 4 is ") == true)
    try write(right, reports)
    #expect(try reports.verify().notes == [])
    // The next run adds what is lost at the end, and leaves what is lost before it to people.
    for (kept, isRight) in [([0, 1], true), ([0, 2, 3], false)] {
      try write(kept.map { right[$0] }, reports)
      try night.run(asOf: "2026-11-23 03:00")
      #expect(try (lines(reports) == right) == isRight)
      #expect(try (reports.fault() == nil) == isRight)
    }
    try reports.remove("editions.txt")
    try night.run(asOf: "2026-11-23 03:00")
    #expect(try lines(reports) == right)
  }

  @Test("the lines about removed editions must be there, once, and after their publication")
  func removals() throws {
    let night = try night()
    for day in 20...21 { try night.run(asOf: "2026-11-\(day) 03:00") }
    try night.forget("PERSON-1", removingEditions: true)
    try night.run(asOf: "2026-11-22 03:00")
    let reports = reports(night)
    let right = try lines(reports)
    try #require(
      right.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        == ["published 1", "published 2", "published 3", "removed 1", "removed 2", "published 4"])
    for (order, wrong) in [
      ([0, 1, 2, 4, 5], 5), ([0, 1, 2, 5], 4), ([1, 2, 3, 4, 5], 3), ([0, 3, 1, 4, 5], 5),
      ([3, 0, 1, 2, 4, 5], 1), ([0, 1, 2, 3, 3, 4, 5], 5), ([0, 1, 2, 3, 5, 4], 5),
    ] {
      try write(order.map { right[$0] }, reports)
      let fault = try reports.fault()
      #expect(
        fault?.hasPrefix("\(reports.folder.path)/editions.txt:\(wrong) ") == true,
        "\(order): \(fault ?? "nothing")")
    }
    // What is lost at the end is written again with the removals.
    for count in 3...5 {
      try write(right.prefix(count), reports)
      #expect(
        try reports.verify().notes == [
          "2 editions were removed on request", "1 edition is not in editions.txt yet",
        ])
      try night.run(asOf: "2026-11-22 03:00")
      #expect(try lines(reports) == right)
    }
    // A list that was written again has nothing about what was removed before.
    try reports.remove("editions.txt")
    try night.run(asOf: "2026-11-22 03:00")
    #expect(try lines(reports) == [right[2], right[5]])
    #expect(
      try reports.verify().notes == [
        "1 edition was removed on request", "editions.txt begins with publication 3",
      ])
  }

  @Test("a list that was written again without the editions of an archive is accepted")
  func archived() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2026-11-21 03:00")
    try buy(102, in: night)
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2026-11-22 03:00")
    let reports = reports(night)
    for name in ["2026-11-20", "2026-11-20.2", "editions.txt"] { try reports.remove(name) }
    try night.run(asOf: "2026-11-22 03:00")
    try #require(
      try lines(reports).map { $0.split(separator: " ")[1] } == ["2", "4"])
    #expect(
      try reports.verify().notes == [
        "2 editions are not here, and were not verified",
        "editions.txt begins with publication 2",
      ])
  }

  @Test("latest must lead to the newest edition of the newest day")
  func latest() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2026-11-21 03:00")
    try buy(102, in: night)
    try night.run(asOf: "2026-11-21 03:00")
    try buy(103, in: night)
    try night.run(asOf: "2026-11-20 03:00")
    let reports = reports(night)
    #expect(try reports.fault() == nil)
    let start = "\(reports.folder.path)/latest leads to "
    for (target, words) in [
      ("2026-11-20", "2026-11-20, and the newest edition of the newest day is 2026-11-21.2."),
      ("2026-11-20.2", "2026-11-20.2, and the newest edition of the newest day is 2026-11-21.2."),
      ("2026-11-21", "2026-11-21, and the newest edition of the newest day is 2026-11-21.2."),
      ("2026-11-22", "2026-11-22, which is not an edition here."),
      ("../reports/2026-11-21.2", "../reports/2026-11-21.2, which is not an edition here."),
    ] {
      try setLatest(target, reports)
      let fault = try reports.fault()
      #expect(fault?.hasPrefix(start + words) == true, "\(target): \(fault ?? "nothing")")
    }
    // An archive has no such link.
    try reports.remove("latest")
    #expect(try reports.fault() == nil)
    try reports.write([], "latest")
    #expect(try reports.fault()?.contains("/latest is neither a link nor a folder.") == true)
    // A program that follows links copies the edition.
    for (edition, words) in [
      ("2026-11-21.2", nil), ("2026-11-20", "/latest leads to 2026-11-20, and the newest "),
    ] {
      try reports.remove("latest")
      try FileManager.default.copyItem(
        at: reports.folder.appending(path: edition),
        to: reports.folder.appending(path: "latest"))
      let fault = try reports.fault()
      #expect(words.map { fault?.contains($0) == true } ?? (fault == nil), "\(fault ?? "nothing")")
    }
    try reports.write([], "latest/causes.csv")
    #expect(try reports.fault()?.contains("/latest/causes.csv should have ") == true)
  }

  @Test("the command that corrects latest can be copied, whatever the folder's name")
  func command() throws {
    let night = try night()
    for day in 20...21 { try night.run(asOf: "2026-11-\(day) 03:00") }
    let folder = night.folder.appending(path: "my reports")
    try FileManager.default.moveItem(at: night.reports, to: folder)
    let reports = PublishedReports(folder)
    try setLatest("2026-11-20", reports)
    let command = "ln -sfn 2026-11-21 '\(folder.path)/latest'."
    #expect(try reports.fault()?.contains(command) == true)
  }

  @Test("a run that was killed before it changed latest has not added its line")
  func killed() throws {
    let night = try night()
    for day in 20...22 { try night.run(asOf: "2026-11-\(day) 03:00") }
    let reports = reports(night)
    let right = try lines(reports)
    for (count, target, isRight) in [
      (3, "2026-11-21", false), (2, "2026-11-21", true), (2, "2026-11-20", false),
      (2, "2026-11-22", true), (1, "2026-11-20", false), (0, "2026-11-21", false),
    ] {
      try write(right.prefix(count), reports)
      try setLatest(target, reports)
      let fault = try reports.fault()
      #expect((fault == nil) == isRight, "\(count) \(target): \(fault ?? "nothing")")
    }
  }

  @Test("a check that fails while a run publishes is repeated once, and ends without a fault")
  func publishedMeanwhile() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    let proof = try FolderProof(night.reports.path)
    var calls = 0
    /// Fails for each of these days, after it has published the day unless that is nil.
    func check(failingFor days: [Int?]) throws -> FolderProof.Result {
      calls = 0
      return try proof.unlessPublishing {
        defer { calls += 1 }
        guard calls < days.count else { return try proof.check() }
        if let day = days[calls] { try night.run(asOf: "2026-11-\(day) 03:00") }
        throw ReconciliationError(.reports, "a test")
      }
    }
    #expect(try check(failingFor: [21]).proven == 2)
    let busy = #expect(throws: ReconciliationError.self) { try check(failingFor: [22, 23]) }
    #expect(busy?.code == .locked && calls == 2)
    for days in [[nil], [24, nil]] as [[Int?]] {
      let wrong = #expect(throws: ReconciliationError.self) { try check(failingFor: days) }
      #expect(wrong?.code == .reports && calls == days.count)
    }
  }

  @Test("latest may lead back from a night in the future that was a mistake")
  func future() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2128-02-01 03:00")
    let reports = reports(night)
    let before = try Date("2026-12-01T00:00:00Z", strategy: .iso8601)
    #expect(try reports.fault(now: before) == nil)
    night.ignoresFutureNights = true
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try reports.fault(now: before) == nil)
    #expect(
      try reports.fault()?.contains(
        "latest leads to 2026-11-21, and the newest edition of the newest day is 2128-02-01.")
        == true)
    try setLatest("2026-11-20", reports)
    #expect(try reports.fault(now: before)?.contains("latest leads to 2026-11-20") == true)
  }
}
