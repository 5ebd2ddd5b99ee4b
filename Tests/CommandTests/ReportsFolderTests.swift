import ReconciliationTestSupport
import Foundation
import Testing

@Suite("A reports folder that cannot be used") struct ReportsFolderTests {
  @Test("a reports folder that is a file ends a run with 73, and nothing is kept")
  func isFile() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try Data().write(to: command.night.reports)
    try expectRefusal(try command.run(), command)
  }

  @Test("a reports folder in a folder that the night reads ends a run with 78")
  func isInsideInbox() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    for folder in ["deliveries", "receipts/old"] {
      let ended = try command.run("--reports", command.night.inbox.path + "/\(folder)/reports")
      #expect(ended.status == 78, "\(ended.errors)")
      #expect(ended.errors.contains("inside the folder \(folder.prefix { $0 != "/" })"))
    }
    #expect(try command.run("--reports", command.night.inbox.path + "/reports").status == 0)
  }

  @Test("a read-only reports folder ends a run with 73, and nothing is kept")
  func isReadOnly() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let reports = command.night.reports.path
    try FileManager.default.createDirectory(
      atPath: reports, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o555])
    try expectRefusal(try command.run(prefix: withoutPrivilege), command)
    #expect(try command.publishedNames() == [])

    // With the right mode the same run does everything.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: reports)
    #expect(try command.run(prefix: withoutPrivilege).status == 0)
    #expect(try command.publishedNames() == ["2026-11-20", "editions.txt", "index.html", "latest"])
  }

  @Test("a full disk, simulated by a limit of file sizes, ends a run with 73, and nothing is kept")
  func isFull() throws {
    let command = try CommandNight()
    let rows = (1...40).map { "\($0) | book.\($0) | 2026-11-18 12:00" }
    try command.night.catalogue("product_id\nbook.emma")
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n" + rows.joined(separator: "\n"))
    // Two blocks of 512 bytes are enough for the message, but not for the report. They are also not
    // enough for the profile that the program writes at its end for scripts/coverage.
    let limited = [
      "/bin/sh", "-c",
      "ulimit -f 2; LLVM_PROFILE_FILE=/dev/null exec \"$0\" \"$@\"",
    ]
    let ended = try command.run(prefix: limited)
    try expectRefusal(ended, command)
    #expect(ended.errors.contains("reconciliation.xlsx cannot be written: File too large"))
    #expect(ended.errors.contains("three times the space of the CSV files"), "\(ended.errors)")
    #expect(!FileManager.default.fileExists(atPath: command.night.reports.path))
  }

  @Test(
    "a folder with the name of a link or a page ends a run with 73, and the next run publishes",
    arguments: ["latest", "index.html"])
  func isInTheWay(_ name: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let folder = command.night.reports.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let ended = try command.run("--quiet")
    #expect(ended.status == 73)
    #expect(
      ended.errors.contains(
        "\(name) is a folder; remove or rename it. The night is stored, and its reports are in "
          + "the folder 2026-11-20. Correct this; the next run writes the rest."),
      "\(ended.errors)")
    let reports = command.night.reports.path
    let place = name == "latest" ? ", which has no link latest" : "/latest, of 2026-11-20"
    #expect(ended.errors.hasSuffix("Reports: \(reports)\(place)\n"), "\(ended.errors)")

    try FileManager.default.removeItem(at: folder)
    #expect(try command.run().status == 0)
    #expect(try command.publishedNames() == ["2026-11-20", "editions.txt", "index.html", "latest"])
  }

  private func expectRefusal(_ ended: Program.Ended, _ command: CommandNight) throws {
    #expect(ended.status == 73, "\(ended.errors)")
    #expect(ended.output == "")
    #expect(ended.errors.contains(command.night.reports.path), "\(ended.errors)")
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    #expect(try command.value("select outcome from tieout.run order by run_id desc") == "failed")
    #expect(try command.value("select count(*) from tieout.store_transaction") == "0")
    #expect(try command.value("select count(*) from tieout.input_file") == "0")
  }
}
