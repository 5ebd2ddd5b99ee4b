import DamageTestSupport
import Foundation
import Oracle
import ReconciliationTestSupport
import Reports
import Testing

@Suite("Published reports that were changed") struct DamagedEditionTests {
  /// Two editions of one day and one of the next, with many findings; each test changes a copy.
  nonisolated(unsafe) private static let nights: Result<TestNight, any Error> = Result {
    let night = try TestNight()
    let input = RandomNight(seed: 3, accounts: 20).input
    try night.run(input, files: 3, seed: 3)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      101            | book.emmma | 2026-10-17 10:00
      102            | book.emmma | 2026-02-17 10:00
      """)
    try night.put("{}\n", at: "receipts/bad.ndjson")
    try night.run(asOf: input.asOfText)
    try night.run(asOf: Instant(seconds: input.asOf + 86_400).rfc3339)
    return night.removedAtExit()
  }

  private struct Copy {
    private let night: TestNight
    let reports: PublishedReports
    let editions: [String]

    init() throws {
      night = try TestNight(copyOf: DamagedEditionTests.nights.get())
      reports = PublishedReports(night.reports)
      editions = try night.shownNames().filter { $0.hasPrefix("2") }
      try #require(editions.count == 3)
    }
  }

  @Test("unchanged reports are proven, whole and each edition alone")
  func unchanged() throws {
    let copy = try Copy()
    let result = try copy.reports.verify()
    #expect(result.proven == 3)
    #expect(result.first == 1)
    #expect(result.head?.publication == 3)
    #expect(result.notes.isEmpty)
    let files = try copy.reports.files()
    #expect(result.files == files.count)
    for edition in copy.editions { #expect(try copy.reports.verify(edition).proven == 1) }
    #expect(try copy.reports.verify("latest").proven == 1)
    #expect(try files.contains { try copy.reports.bytes($0).isEmpty } == false)
  }

  @Test("any flipped bit of any file of any edition is found, and the message names the file")
  func flipped() throws {
    let copy = try Copy()
    let reports = copy.reports
    var dice = Dice(RandomCases.firstSeed)
    for file in try reports.files() {
      let right = try reports.bytes(file)
      for place in RandomCases.places(in: right.indices, few: 3) {
        var wrong = right
        wrong[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        try reports.write(wrong, file)
        let name = "\(reports.folder.path)/\(file)"
        let fault = try reports.fault()
        #expect(fault?.contains(name) == true, "byte \(place) of \(file): \(fault ?? "nothing")")
        let edition = String(file.prefix { $0 != "/" })
        let alone = try reports.fault(edition)
        #expect(alone?.contains(name) == true, "byte \(place) of \(file): \(alone ?? "nothing")")
      }
      try reports.write(right, file)
    }
    #expect(try reports.fault() == nil)
  }

  @Test("a file that is cut, longer, removed, renamed or swapped is found")
  func otherFiles() throws {
    let copy = try Copy()
    let reports = copy.reports
    // All editions have the same files, and each file is damaged in one of them.
    let names = try reports.files().filter { $0.hasPrefix("\(copy.editions[0])/") }
      .map { $0.dropFirst(copy.editions[0].count + 1) }
    for (number, one) in names.enumerated() {
      let file = "\(copy.editions[number % copy.editions.count])/\(one)"
      let name = "\(reports.folder.path)/\(file)"
      let right = try reports.bytes(file)
      for wrong in [right.dropLast(), right + [10], []] {
        try reports.write(Array(wrong), file)
        let fault = try reports.fault()
        #expect(fault?.contains(name) == true, "\(file): \(fault ?? "nothing")")
      }
      try reports.write(right, file)
      try reports.move(file, to: "\(file).other")
      let fault = try reports.fault()
      #expect(fault?.contains("\(name) is missing") == true, "\(file): \(fault ?? "nothing")")
      try reports.move("\(file).other", to: file)
    }
    let (one, other) = ("\(copy.editions[0])/causes.csv", "\(copy.editions[0])/changes.csv")
    try reports.move(one, to: "swap")
    try reports.move(other, to: one)
    try reports.move("swap", to: other)
    #expect(try reports.fault()?.contains("\(one) should have ") == true)
  }

  @Test("another file, folder or link in an edition is found")
  func additional() throws {
    let copy = try Copy()
    let reports = copy.reports
    let edition = copy.editions[1]
    for name in ["notes.txt", ".hidden", "a\u{1b}[2Jb", "REVENUE.csv"] {
      try reports.write([65], "\(edition)/\(name)")
      #expect(try reports.fault()?.contains("is not part of the edition") == true, "\(name)")
      try reports.remove("\(edition)/\(name)")
    }
    let place = reports.folder.appending(path: edition)
    try FileManager.default.createDirectory(
      at: place.appending(path: "more"), withIntermediateDirectories: false)
    #expect(try reports.fault()?.contains("more is not part of the edition") == true)
    try reports.remove("\(edition)/more")
    // The same bytes behind a link are not the file.
    try reports.move("\(edition)/causes.csv", to: "causes.csv")
    try FileManager.default.createSymbolicLink(
      at: place.appending(path: "causes.csv"),
      withDestinationURL: reports.folder.appending(path: "causes.csv"))
    #expect(try reports.fault()?.contains("causes.csv should be a file, and is a link") == true)
  }

  @Test("a pipe, a device or a huge file is not read")
  func hostile() throws {
    let copy = try Copy()
    let reports = copy.reports
    let file = "\(copy.editions[0])/causes.csv"
    let right = try reports.bytes(file)
    try reports.remove(file)
    #expect(mkfifo(reports.folder.appending(path: file).path, 0o600) == 0)
    #expect(try reports.fault()?.contains("should be a file, and is a pipe") == true)
    try reports.remove(file)
    try reports.write([], file)
    #expect(truncate(reports.folder.appending(path: file).path, 1 << 40) == 0)
    #expect(try reports.fault()?.contains("bytes, and has 1099511627776") == true)
    try reports.write(right, file)
    for name in ["manifest.json", "SHA256SUMS"] {
      let path = "\(copy.editions[0])/\(name)"
      let right = try reports.bytes(path)
      #expect(truncate(reports.folder.appending(path: path).path, 1 << 40) == 0)
      #expect(try reports.fault()?.contains("the program writes no such file") == true)
      try reports.write(right, path)
    }
    #expect(try reports.fault() == nil)
  }

  @Test("a manifest of somebody else that is no manifest is found, whatever it contains")
  func otherManifest() throws {
    let copy = try Copy()
    let edition = copy.editions[2]
    let place = copy.reports.folder.appending(path: edition)
    let right = String(decoding: try copy.reports.bytes("\(edition)/manifest.json"), as: UTF8.self)
    let deep = String(repeating: "[", count: 1 << 20)
    for text in [
      "", "{}", "[]", "null", deep, right + "\n",
      right.replacing("{\"as_of\"", with: "{ \"as_of\""),
      right.replacing("\"causes.csv\"", with: "\"../causes.csv\""),
      right.replacing("\"causes.csv\"", with: "\"/etc/passwd\""),
      right.replacing("\"format\":1", with: "\"format\":2"),
      right.replacing("\"format\":1", with: "\"format\":9007199254740993"),
    ] {
      let bytes = Array(text.utf8)
      try copy.reports.write(bytes, "\(edition)/manifest.json")
      // Nobody else knows the checksum of a single edition's manifest.
      let sums = String(decoding: try copy.reports.bytes("\(edition)/SHA256SUMS"), as: UTF8.self)
        .replacing(
          /[0-9a-f]{64}  manifest.json/, with: "\(PublishedReports.hash(bytes))  manifest.json")
      try copy.reports.write(Array(sums.utf8), "\(edition)/SHA256SUMS")
      let fault = try copy.reports.fault(edition)
      #expect(
        fault?.hasPrefix("\(place.path)/manifest.json is not a manifest: ") == true,
        "\(text.prefix(60)): \(fault ?? "nothing")")
    }
  }

  @Test("forged sums are found although every checksum was corrected")
  func forgedSums() throws {
    for (file, text, other, words) in [
      ("control_totals.csv", "obligation,due,", "obligation,dud,", "control totals"),
      ("control_totals.csv", "disposition,free,", "disposition,frei,", "control totals"),
    ] {
      let copy = try Copy()
      try copy.reports.forge("\(copy.editions[2])/\(file)", replacing: text, with: other)
      let fault = try copy.reports.fault()
      #expect(fault?.contains(words) == true, "\(fault ?? "nothing")")
    }
    // One unit more in one row of revenue.csv.
    let copy = try Copy()
    let file = "\(copy.editions[2])/months.csv"
    let text = String(decoding: try copy.reports.bytes(file), as: UTF8.self)
    let row = try #require(text.split(separator: "\r\n").last { $0.contains(",receipt,") })
    let digit = try #require(row.firstMatch(of: /receipt,(\d)/)?.1)
    let forged = row.replacing(
      "receipt,\(digit)", with: "receipt,\(digit == "9" ? "8" : "9")", maxReplacements: 1)
    try copy.reports.forge(file, replacing: String(row), with: String(forged))
    let fault = try copy.reports.fault()
    #expect(
      fault?.contains("months.csv has units_sold ") == true
        && fault?.contains("revenue.csv add up to ") == true, "\(fault ?? "nothing")")
  }

  @Test("other units of a missing delivery than those of the months are found")
  func forgedUnits() throws {
    let copy = try Copy()
    let path = "\(copy.editions[2])/missing_deliveries.csv"
    let text = String(decoding: try copy.reports.bytes(path), as: UTF8.self)
    let row = try #require(
      text.split(separator: "\r\n").last {
        !$0.contains(",no_records,") && $0.firstMatch(of: /,[A-Za-z]+,[1-9]$/) != nil
      })
    let forged = "\(row.dropLast())\(row.last == "9" ? "8" : "9")"
    try copy.reports.forge(path, replacing: String(row), with: forged)
    let fault = try copy.reports.fault()
    #expect(
      fault?.contains("units without no_records, and units_missing of months.csv") == true,
      "\(fault ?? "nothing")")
  }

  @Test(
    "a row whose opening and changes do not give its closing is found",
    arguments: [
      ("liabilities.csv", "unearned,", "closing"),
      ("roll_forward.csv", "invalid_product_id,", "closing"),
      ("restatement.csv", "2026-02,book.emmma,", "restated"),
    ])
  func forgedRow(file: String, beginning: String, result: String) throws {
    let copy = try Copy()
    let path = "\(copy.editions[2])/\(file)"
    let text = String(decoding: try copy.reports.bytes(path), as: UTF8.self)
    // Another last digit of the closing, or of the number that stands for it.
    let row = try #require(
      text.split(separator: "\r\n").first {
        $0.hasPrefix(beginning) && $0.contains(where: \.isNumber)
      })
    var forged = String(row)
    let place = try #require(forged.indices.last { forged[$0].isNumber })
    forged.replaceSubrange(place...place, with: forged[place] == "9" ? "8" : "9")
    try copy.reports.forge(path, replacing: String(row), with: forged)
    let fault = try copy.reports.fault()
    #expect(
      fault?.contains("\(file) has a row ") == true && fault?.contains(" is not \(result)") == true,
      "\(fault ?? "nothing")")
  }

  @Test("an edition that is written again with all its checksums breaks the chain at the next one")
  func forgedEdition() throws {
    let copy = try Copy()
    try copy.reports.forge(
      "\(copy.editions[0])/index.html", replacing: "<!DOCTYPE html>", with: "<!doctype html>")
    #expect(try copy.reports.fault(copy.editions[0]) == nil)
    let fault = try #require(try copy.reports.fault())
    #expect(fault.contains("\(copy.editions[0])/manifest.json has the SHA-256 "))
    #expect(fault.contains("\(copy.editions[1])/manifest.json, which was published after it"))
    // Without the list, the chain itself says so.
    try copy.reports.remove("editions.txt")
    #expect(try copy.reports.fault() == fault)
  }

  @Test("an edition that is missing, renamed or in the place of another is found")
  func editions() throws {
    let copy = try Copy()
    let (reports, names) = (copy.reports, copy.editions)
    for name in names.dropFirst() {
      try reports.move(name, to: "away")
      let fault = try reports.fault()
      #expect(fault?.contains("\(name) is missing: the chain says that it was") == true, "\(name)")
      try reports.move("away", to: name)
    }
    try reports.move(names[0], to: "away")
    // Folders of the first days may be in an archive.
    #expect(try reports.fault()?.contains("\(names[0]) is missing") == true)
    try reports.move(names[1], to: "away2")
    #expect(try reports.verify().notes == ["2 editions are not here, and were not verified"])
    try reports.move("away", to: names[1])
    try reports.move("away2", to: names[0])
    #expect(try reports.fault()?.contains("\(names[0])/manifest.json has the SHA-256 ") == true)
    try reports.remove("editions.txt")
    #expect(
      try reports.fault()?.contains("is that of the edition \(names[1]), but its folder is") == true
    )
  }

  @Test("a changed list of editions is found")
  func list() throws {
    let copy = try Copy()
    let right = String(decoding: try copy.reports.bytes("editions.txt"), as: UTF8.self)
    for (text, other) in [
      ("published 1 ", "published 7 "), ("published 1 ", "Published 1 "), ("T03", "T04"),
      ("\n", "\r\n"), ("published 2 ", "removed 2 "),
    ] where right.contains(text) {
      try copy.reports.write(Array(right.replacing(text, with: other).utf8), "editions.txt")
      let fault = try copy.reports.fault()
      #expect(fault?.contains("editions.txt") == true, "\(text): \(fault ?? "nothing")")
    }
  }
}
