import Foundation
import ReconciliationTestSupport
import Testing

@Suite("The anchor of the chain") struct AnchorTests {
  private func text(_ command: CommandNight, _ name: String) throws -> String {
    try String(contentsOf: command.night.folder.appending(path: name), encoding: .utf8)
  }

  private func verify(_ command: CommandNight) throws -> Program.Ended {
    try command.start(["verify", "reports", "--anchor", "heads"]).ended()
  }

  @Test(
    "each night appends what the file lacks, and a night that publishes nothing appends nothing")
  func appends() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run(asOf: "2026-11-18T03:00:00Z").status == 0)
    let ended = try command.run("--anchor", "heads", asOf: "2026-11-19T03:00:00Z")
    #expect(ended.status == 0, "\(ended.errors)")
    let list = try text(command, "reports/editions.txt")
    #expect(list.split(separator: "\n").count == 2)
    #expect(try text(command, "heads") == list)
    let head = try #require(list.split(separator: "\n").last?.split(separator: " ").last)
    #expect(
      ended.output.contains("\nHead of the chain of manifests: publication 2, SHA-256 \(head)\n"))
    let mode =
      try FileManager.default.attributesOfItem(
        atPath: command.night.folder.appending(path: "heads").path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & ~0o640 } == 0)
    _ = try command.run("--anchor", "heads", asOf: "2026-11-19T03:00:00Z")
    #expect(try text(command, "heads") == list)
    _ = try command.run("--dry-run", "--anchor", "other", asOf: "2026-11-20T03:00:00Z")
    #expect(throws: (any Error).self) { try text(command, "other") }
    // The setting works for every command that publishes.
    let recomputed = try command.start(
      [
        "recompute", "--reports", "reports", "--database", command.night.database.connectionString,
      ], environment: ["TIEOUT_ANCHOR": "other"]
    ).ended()
    #expect(recomputed.status == 0, "\(recomputed.errors)")
    #expect(try text(command, "other") == text(command, "reports/editions.txt"))
    #expect(try verify(command).status == 0)
  }

  @Test("recompute is about the newest night, whatever as_of is set to")
  func recomputed() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let words = [
      "recompute", "--reports", "reports", "--database", command.night.database.connectionString,
    ]
    let instants = ["2026-11-19T03:00:00Z", "2026-11-25T03:00:00Z"]
    for instant in instants {
      let early = try command.start(words, environment: ["TIEOUT_AS_OF": instant]).ended()
      #expect(early.status == 78, "\(early.errors)")
    }
    try #require(try command.run(asOf: "2026-11-20T03:00:00Z").status == 0)
    for instant in instants {
      let ended = try command.start(words, environment: ["TIEOUT_AS_OF": instant]).ended()
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.output.contains("as of 2026-11-20T03:00:00Z"))
    }
  }

  @Test(
    "a file that cannot be written ends the run with 73 after publication; the next run appends"
  )
  func failing() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    for name in ["none/heads", "inbox", "reports/latest"] {
      let ended = try command.run("--quiet", "--anchor", name, asOf: "2026-11-19T03:00:00Z")
      #expect(ended.status == 73, "\(name): \(ended.errors)")
      #expect(
        ended.errors.contains("The night is done and its reports are published, but anchor: "))
    }
    #expect(try command.publishedNames().contains("2026-11-19"))
    #expect(try command.value("select bool_and(is_published) from tieout.run") == "t")
    #expect(try command.run("--anchor", "heads", asOf: "2026-11-20T03:00:00Z").status == 0)
    #expect(try text(command, "heads").split(separator: "\n").count == 2)
    #expect(try verify(command).status == 0)
  }

  @Test("a night whose anchor cannot be written reports its findings")
  func findings() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n301 | book.enma | 2026-11-18 12:00")
    try #require(try command.run(asOf: "2026-11-18T03:00:00Z").status == 0)
    let quiet = try command.run(
      "--quiet", "--fail-on", "error", "--anchor", "none/heads", asOf: "2026-11-19T03:00:00Z")
    #expect(quiet.status == 73)
    let reasons = #/73\. 1 finding of level error is open\. The night is done .*but anchor: /#
    #expect(quiet.errors.contains(reasons), "\(quiet.errors)")
    #expect(quiet.errors.contains("Open findings: 1 error"), "\(quiet.errors)")
    #expect(quiet.errors.contains("invalid_product_id"), "\(quiet.errors)")
    #expect(!quiet.errors.contains("still of"))
    let loud = try command.run("--anchor", "none/heads", asOf: "2026-11-20T03:00:00Z")
    #expect(loud.status == 73 && loud.errors.contains("but anchor: "), "\(loud.errors)")
    #expect(loud.output.contains("Reports are in "))
  }

  @Test("a quiet night says that the folder has lost its editions before it names the anchor")
  func lostEditions() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run("--anchor", "heads", asOf: "2026-11-19T03:00:00Z").status == 0)
    try FileManager.default.removeItem(at: command.night.reports)
    let ended = try command.run("--quiet", "--anchor", "heads", asOf: "2026-11-20T03:00:00Z")
    #expect(ended.status == 73)
    let reasons = /73\. The reports folder .* had no editions, .* anchor: .*heads has another SHA/
    #expect(ended.errors.contains(reasons), "\(ended.errors)")
  }

  @Test("a line that was cut is followed by the whole line")
  func cut() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run("--anchor", "heads", asOf: "2026-11-19T03:00:00Z").status == 0)
    let list = try text(command, "heads")
    try String(list.dropLast(20)).write(
      to: command.night.folder.appending(path: "heads"), atomically: true, encoding: .utf8)
    try #require(try command.run("--anchor", "heads", asOf: "2026-11-20T03:00:00Z").status == 0)
    #expect(
      try text(command, "heads") == "\(list.dropLast(20))\n" + text(command, "reports/editions.txt")
    )
    #expect(try verify(command).status == 0)
  }

  @Test(
    "a chain that was written again is not continued: every run ends with 73, and verify with 1")
  func otherChain() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run("--anchor", "heads", asOf: "2026-11-19T03:00:00Z").status == 0)
    let heads = try text(command, "heads")
    // The night is made again with another setting, and published as the first one.
    try command.change("update tieout.run set reports_folder = 'elsewhere'")
    try FileManager.default.removeItem(at: command.night.reports)
    try #require(
      try command.run(
        asOf: "2026-11-19T03:00:00Z", environment: ["TIEOUT_GRACE_HOURS": "25"]
      ).status == 0)
    #expect(try command.start(["verify", "reports"]).ended().status == 0)
    let ended = try command.run("--quiet", "--anchor", "heads", asOf: "2026-11-20T03:00:00Z")
    #expect(ended.status == 73)
    #expect(ended.errors.contains("heads has another SHA-256 for publication 1"), "\(ended.errors)")
    #expect(try text(command, "heads") == heads)
    let verified = try verify(command)
    #expect(verified.status == 1)
    #expect(
      verified.errors.contains("heads:1 says that publication 1 is 2026-11-19 with the SHA-256"))
  }

  @Test("the head is in the metrics, also of a run that failed")
  func metrics() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run("--metrics-file", "prom").status == 0)
    let head = try #require(
      try text(command, "reports/editions.txt").dropLast().split(separator: " ").last)
    let line = "tieout_publication_head{edition=\"2026-11-20\",manifest=\"\(head)\"} 1\n"
    #expect(try text(command, "prom").contains(line))
    try command.putBadRecord()
    try #require(try command.run("--metrics-file", "prom", "--max-rejected", "0").status == 65)
    #expect(try text(command, "prom").contains(line))
  }

  @Test("a list of editions that cannot be read is a warning, and its head is not in the metrics")
  func metricsWithoutHead() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run("--metrics-file", "prom").status == 0)
    try command.putBadRecord()
    func failedRun() throws -> (metrics: String, errors: String) {
      let ended = try command.run("--metrics-file", "prom", "--max-rejected", "0")
      try #require(ended.status == 65)
      return (try text(command, "prom"), ended.errors)
    }
    let list = command.night.reports.appending(path: "editions.txt")
    let whole = try String(contentsOf: list, encoding: .utf8)
    try "\(whole)no line\n".write(to: list, atomically: true, encoding: .utf8)
    let damaged = try failedRun()
    #expect(damaged.metrics.contains("tieout_publication_head{"))
    #expect(
      damaged.errors.contains(
        "reports/editions.txt:2 is not a line that the program writes. Run: tieout verify"),
      "\(damaged.errors)")
    try FileManager.default.removeItem(at: list)
    try FileManager.default.createDirectory(at: list, withIntermediateDirectories: false)
    let unreadable = try failedRun()
    #expect(!unreadable.metrics.contains("tieout_publication_head"))
    #expect(
      unreadable.errors.contains("metrics_file: prom lacks tieout_publication_head: "),
      "\(unreadable.errors)")
  }
}
