import Foundation
import Glibc
import ReconciliationTestSupport
import Testing

@Suite("Withdrawal of a wrong file") struct WithdrawTests {
  private func command(_ command: CommandNight, _ words: String...) throws -> Program.Ended {
    var words = words
    words.insert(contentsOf: ["--database", command.night.database.connectionString], at: 1)
    words.insert(contentsOf: ["--inbox", command.night.inbox.path], at: 1)
    if words[0] == "rebuild" { words += ["--reports", command.night.reports.path] }
    return try command.start(words).ended()
  }

  @Test(
    "withdraw, rebuild and withdraw --undo end with 0, and each reports what it did")
  func withdrawn() throws {
    let night = try CommandNight()
    try night.putGoodNight()
    try #require(try night.run().status == 0)
    let right = try night.files()
    try night.night.put("[\"book.ulysses\"]", at: "catalog/wrong.json")
    try #require(try night.run().status == 0)

    let withdrawn = try command(night, "withdraw", "catalog/wrong.json", "--because", "last year's")
    #expect(withdrawn.status == 0, "\(withdrawn.errors)")
    #expect(withdrawn.output.contains("catalog/wrong.json (SHA-256 "))
    #expect(withdrawn.output.contains("Withdrawn: "))
    #expect(withdrawn.output.contains("First source of: 2 catalogue facts"))
    #expect(withdrawn.output.contains("tieout rebuild"))
    let again = try command(night, "withdraw", "catalog/wrong.json", "--because", "once more")
    #expect(again.status == 0)
    #expect(again.output.contains("Already withdrawn: "))
    #expect(try night.run("--quiet", "--log-file", "-").errors.contains("tieout rebuild"))

    let rebuilt = try command(night, "rebuild")
    #expect(rebuilt.status == 0, "\(rebuilt.errors)")
    #expect(rebuilt.output.contains("All tables were built again from these files"))
    // These reports are also about the runs themselves, so they differ.
    let papers: Set = [
      "control_totals.csv", "changes.csv", "index.html", "inputs.csv", "manifest.json",
      "SHA256SUMS",
    ]
    for (name, text) in try night.files() where !papers.contains(name) {
      #expect(text == right[name], "\(name)")
    }
    let listed = try command(night, "withdraw")
    #expect(listed.output.contains("catalog/wrong.json"))
    #expect(listed.output.contains("last year's"))

    let undone = try command(night, "withdraw", "catalog/wrong.json", "--undo")
    #expect(undone.status == 0)
    #expect(undone.output.contains("Included again: "))
    #expect(undone.output.contains("The next run that finds the file in the inbox loads it."))
    #expect(!undone.output.contains("never removed"))
    #expect(try night.run().status == 0)
    #expect(
      try night.value("select count(*) from tieout.product where product_id = 'book.ulysses'")
        == "1")
  }

  @Test("an undo before the rebuild says that the records were never removed")
  func undoneAtOnce() throws {
    let night = try CommandNight()
    try night.putGoodNight()
    try night.night.put("[\"book.ulysses\"]", at: "catalog/wrong.json")
    try #require(try night.run().status == 0)
    _ = try command(night, "withdraw", "catalog/wrong.json", "--because", "last year's")
    let undone = try command(night, "withdraw", "catalog/wrong.json", "--undo")
    #expect(undone.status == 0)
    #expect(undone.output.contains("Its records were never removed, and they count as before."))
    #expect(!undone.output.contains("loads it"))
  }

  @Test("the withdrawal of a rejected file needs no rebuild, and does not keep a month open")
  func rejected() throws {
    let night = try CommandNight()
    try night.putGoodNight()
    try night.night.put("id,tx\nD2,102\n", at: "deliveries/own.csv")
    try #require(try night.run().status == 2)
    let withdrawn = try command(night, "withdraw", "deliveries/own.csv", "--because", "no log")
    #expect(withdrawn.output.hasSuffix("No record came from it, so no rebuild is needed.\n"))
    #expect(!withdrawn.output.contains("tieout rebuild"))
    let closed = try night.start([
      "close", "2026-10", "--database", night.night.database.connectionString, "--reports",
      night.night.reports.path,
    ]).ended()
    #expect(closed.status == 0, "\(closed.errors)")
    #expect(!closed.output.contains("could not be read"), "\(closed.output)")
  }

  @Test(
    "withdraw ends with 64 without a known file or without a reason",
    arguments: [
      ["withdraw", "nowhere.json", "--because", "wrong"], ["withdraw", "catalog/a.json"],
      ["withdraw", "--because", "wrong"], ["withdraw", "--undo"],
      ["withdraw", "catalog/a.json", "--because", " "],
    ])
  func usage(words: [String]) throws {
    let night = try CommandNight()
    try night.night.put("[\"book.emma\"]", at: "catalog/a.json")
    var words = words
    words.insert(contentsOf: ["--database", night.night.database.connectionString], at: 1)
    words.insert(contentsOf: ["--inbox", night.night.inbox.path], at: 1)
    let ended = try night.start(words).ended()
    #expect(ended.status == 64, "\(ended.output)")
    #expect(ended.output == "")
  }

  @Test("a missing file ends a rebuild with 78 and a list, and a rebuild finds it in an archive")
  func missing() throws {
    let night = try CommandNight()
    try night.putGoodNight()
    try #require(try night.run().status == 0)
    let archive = night.night.folder.appending(path: "archive")
    try FileManager.default.moveItem(
      at: night.night.inbox.appending(path: "receipts"), to: archive)
    let refused = try command(night, "rebuild")
    #expect(refused.status == 78)
    #expect(refused.errors.contains("--archive"))
    #expect(refused.errors.filter { $0 == "\n" }.count == 1)
    #expect(refused.output.contains("receipts/2.ndjson"))
    let quiet = try command(night, "rebuild", "--quiet")
    #expect(quiet.status == 78 && quiet.output == "")
    let lines = quiet.errors.split(separator: "\n")
    #expect(lines.count == 4, "\(quiet.errors)")
    #expect(lines[2].hasPrefix("Missing: receipts/2.ndjson, "))
    #expect(try night.value("select count(*) from tieout.store_transaction") == "1")
    let nowhere = try command(night, "rebuild", "--archive", "/nowhere")
    #expect(nowhere.status == 64)
    #expect(nowhere.errors.contains("with --archive"), "\(nowhere.errors)")
    let rebuilt = try command(night, "rebuild", "--archive", archive.path)
    #expect(rebuilt.status == 0, "\(rebuilt.errors)")
  }

  @Test("a rebuild says which missing file was changed in its place")
  func changed() throws {
    let night = try CommandNight()
    try night.putGoodNight()
    try night.night.put("[\"book.ulysses\"]", at: "catalog/changed.json")
    try #require(try night.run().status == 0)
    try night.night.put("[\"book.ulysses\", \"book.moby\"]", at: "catalog/changed.json")
    let refused = try command(night, "rebuild")
    #expect(refused.status == 78)
    #expect(
      refused.errors.contains("catalog/changed.json was changed in place"), "\(refused.errors)")
  }

  @Test("a quiet rebuild names six of many missing files in ten lines, and counts the others")
  func manyMissing() throws {
    let night = try CommandNight()
    try night.putGoodNight()
    for number in 1...9 {
      try night.night.put("[\"book.\(number)\"]", at: "catalog/n\(number).json")
    }
    try #require(try night.run().status == 0)
    for number in 1...9 {
      try FileManager.default.removeItem(
        at: night.night.inbox.appending(path: "catalog/n\(number).json"))
    }
    let quiet = try command(night, "rebuild", "--quiet")
    let lines = quiet.errors.split(separator: "\n")
    #expect(lines.count == 10, "\(quiet.errors)")
    #expect(lines[2].hasPrefix("Missing: catalog/n1.json, 10 bytes, loaded at "))
    #expect(lines[8] == "3 more missing files; without --quiet all are listed.")
  }

  @Test("a killed rebuild changes nothing, and the next rebuild removes the withdrawn file")
  func killed() throws {
    let night = try CommandNight()
    try night.putGoodNight()
    try night.night.deliveries(
      "delivery_id | transaction_id | product_id | occurred_at\nX | 900 | book.emma | 2026-11-18 11:00"
    )
    try #require(try night.run().status == 0)
    let before = try night.files()
    let rows =
      "select (select count(*) from tieout.delivery_record) || ' ' || (select count(*) from tieout.evidence)"
    let count = try night.value(rows)
    _ = try command(night, "withdraw", "deliveries/4.csv", "--because", "wrong")
    for place in [Barrier.Place.reading, .loading] {
      let barrier = try Barrier(place, in: night)
      let program = try night.start([
        "rebuild", "--database", night.night.database.connectionString, "--inbox",
        night.night.inbox.path, "--reports", night.night.reports.path,
      ])
      #expect(try barrier.isReached())
      program.send(SIGKILL)
      _ = try program.ended()
      try barrier.remove()
      #expect(try night.value(rows) == count)
      #expect(try night.files() == before)
    }
    let rebuilt = try command(night, "rebuild")
    #expect(rebuilt.status == 0, "\(rebuilt.errors)")
    #expect(
      try night.value("select string_agg(delivery_id, ' ') from tieout.delivery_record") == "D1")
  }
}
