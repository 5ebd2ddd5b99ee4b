import Foundation
import ReconciliationTestSupport
import Testing

@Suite("tieout recompute") struct RecomputeTests {
  private func recompute(_ command: CommandNight, _ more: String...) throws -> Program.Ended {
    try command.start(
      [
        "recompute", "--reports", command.night.reports.path, "--database",
        command.night.database.connectionString,
      ] + more
    ).ended()
  }

  @Test("if what was carried forward was wrong, mail, summary and log say so, and the status is 1")
  func corrected() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run().status == 0)
    let reports = try command.files()
    let damage = "update tieout.carried_month set units_sold = units_sold + 1"
    try command.change(damage)
    func words(_ would: String) -> String {
      "What earlier nights carried forward was wrong: 2 rows \(would) removed, inserted or changed "
        + "(carried_month 2). "
    }
    let start = "as of \(CommandNight.asOf): exit status 1. "
    let dry = try recompute(command, "--dry-run", "--quiet")
    #expect(dry.status == 1 && dry.output == "")
    #expect(
      dry.errors.hasPrefix("tieout recompute (dry run) \(start)\(words("would be"))"),
      "\(dry.errors)")
    let log = command.night.folder.appending(path: "tieout.log").path
    let quiet = try recompute(command, "--quiet", "--log-file", log)
    #expect(quiet.status == 1 && quiet.output == "")
    #expect(
      quiet.errors.hasPrefix("tieout recompute \(start)\(words("were"))"), "\(quiet.errors)")
    #expect(quiet.errors.split(separator: "\n").count <= 10)
    let logged = try String(contentsOfFile: log, encoding: .utf8)
    #expect(logged.contains(words("were")), "\(logged)")
    #expect(logged.contains("corrections=2") && logged.contains("exit_status=1"), "\(logged)")
    try command.change(damage)
    let loud = try recompute(command)
    #expect(loud.status == 1)
    #expect(
      loud.output.contains("The results that earlier nights carried forward were wrong.\n"))
    #expect(loud.output.contains("\nNote: \(words("were"))"), "\(loud.output)")
    #expect(try command.files()["months.csv"] == reports["months.csv"])
  }

  @Test("if it was correct, a quiet recompute prints nothing and ends with 0")
  func correct() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run().status == 0)
    for more in [[], ["--in-bulk"], ["--dry-run"]] {
      let words = [
        "recompute", "--quiet", "--reports", command.night.reports.path, "--database",
        command.night.database.connectionString,
      ]
      let ended = try command.start(words + more).ended()
      #expect(ended.status == 0 && ended.output == "" && ended.errors == "", "\(ended.errors)")
    }
  }
}
