import DamageTestSupport
import Foundation
import Glibc
import ReconciliationTestSupport
import TestNeeds
import Testing

@Suite("A command on a period that is interrupted at any point") struct ClosingCrashTests {
  /// The commands, in the order in which they act on a period.
  static let acts = ["close", "approve", "reopen-period"]

  /// The number of days with a sale.
  private static let days = 600

  /// A night after many days with one sale each; every trial is about another day.
  private func nights() throws -> CommandNight {
    let command = try CommandNight()
    try command.putGoodNight()
    var sales = "transaction_id | product_id | purchased_at     | price | currency"
    for number in 1...Self.days {
      sales += "\n\(1000 + number) | book.emma | \(Self.day(number)) 10:00 | 1.99 | USD"
    }
    try command.night.transactions(sales)
    try #require(try command.run(asOf: "2026-11-20T03:00:00Z").status == 0)
    return command
  }

  /// One of the first 28 days of a month, from January 2025 on.
  private static func day(_ number: Int) -> String {
    let month = (number - 1) / 28
    let parts = [2025 + month / 12, 1 + month % 12, 1 + (number - 1) % 28]
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
  }

  private static func period(_ number: Int) -> String { "\(day(number))..\(day(number))" }

  /// Runs a command, with a plan for its points.
  private func run(
    _ act: String, _ period: String, in command: CommandNight, plan: String = ""
  ) throws -> Program.Ended {
    var words = [act, period, "--database", command.night.database.connectionString]
    words += ["--reports", command.night.reports.path]
    if act == "reopen-period" { words += ["--because", "a test"] }
    let list = command.night.folder.appending(path: "points").path
    var ended: Program.Ended?
    // The server needs a moment to notice that a process is gone, and with it its lock. An error
    // that a plan injects can have the same status.
    _ = try eventually {
      let now = try command.start(
        words, environment: ["TIEOUT_EFFECTS": "\(list) \(plan)", "TIEOUT_SINGLE_SIGNER": "true"]
      ).ended()
      ended = now
      return try now.status != 75 || points(of: command).count >= Self.point(of: plan)
    }
    return try #require(ended)
  }

  /// The points that the last command reached.
  private func points(of command: CommandNight) throws -> [Substring] {
    let list = command.night.folder.appending(path: "points")
    return try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
  }

  /// The number of the point of a plan; without a plan, a number that no command reaches.
  private static func point(of plan: String) -> Int {
    plan.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? .max
  }

  /// A kill and an error at each point, and a kill while the server works.
  private static func trials(at points: [Substring]) -> [String] {
    points.enumerated().flatMap { (index, line) -> [String] in
      let number = index + 1
      let effect = String(line.prefix { $0 != "\t" })
      let error = CrashTrial.ofSystem.contains(effect) ? "errno \(ENOSPC)" : "state 40001"
      let isOfServer = ["sqlStatement", "commit"].contains(effect)
      return ["kill \(number)", "fail \(number) \(error)"]
        + (isOfServer ? ["kill \(number) unanswered"] : [])
    }
  }

  @Test(
    "after each interruption the command is done, or can be done, and so can the next ones",
    arguments: acts)
  func interrupted(act: String) throws {
    guard Torture.onlyKind.map({ $0 == act }) ?? true else { return }
    let command = try nights()
    let earlier = Array(Self.acts.prefix { $0 != act })
    // The first command makes the folder of the packs, so the points are those of the second one.
    for number in 1...2 {
      for step in earlier + [act] {
        let ended = try run(step, Self.period(number), in: command)
        try #require(ended.status == 0, "\(ended.errors)")
      }
    }
    let lines = try points(of: command)
    var random = Dice(Torture.seed)
    var trials = Self.trials(at: lines).shuffled(using: &random)
    #expect(trials.count > 20)
    let all = trials.count
    if let only = Torture.only?.dropFirst(act.count + 2), only != "all" { trials = [String(only)] }
    if let part = Torture.part {
      trials = trials.indices.filter { $0 % part.of == part.number }.map { trials[$0] }
    }
    let limit = Torture.limit(orElse: 1)
    var tried = 0
    var kills = 0
    var killed: Set<Int> = []
    for plan in trials.prefix(Self.days - 2) {
      if limit.isReached(after: tried) { break }
      tried += 1
      let period = Self.period(tried + 2)
      let place = "\(plan), again: scripts/torture --seed \(Torture.seed) --only '\(act): \(plan)'"
      for step in earlier { #expect(try run(step, period, in: command).status == 0, "\(place)") }
      let broken = try run(act, period, in: command, plan: plan)
      #expect(try points(of: command).count >= Self.point(of: plan), "\(place): not reached")
      var allowed = CrashTrial.statuses(of: plan)
      // Not every error fails a command. Without a connection it ends with 69.
      if !plan.hasPrefix("kill") { allowed.formUnion([0, 69]) }
      #expect(allowed.contains(broken.status), "\(place): \(broken.status), \(broken.errors)")
      if broken.status == 137 {
        kills += 1
        killed.insert(Self.point(of: plan))
      }
      try expectDone(act, period, in: command, place)
    }
    #expect(tried > 0, "no trial of \(act) was executed")
    let verified = try command.start(["verify", command.night.reports.path]).ended()
    #expect(verified.status == 0, "\(verified.errors)")
    let words = " in \(act) of \(lines.count) (\(tried) of \(max(all, tried)) trials)"
    Torture.count("crash points", killed.count, words)
    Torture.count("kills", kills, words)
    Torture.count("injected errors", tried - kills, words)
  }

  /// Expects that a command that was interrupted is done once or can be done, and that the period
  /// can then be approved.
  private func expectDone(
    _ act: String, _ period: String, in command: CommandNight, _ place: String
  ) throws {
    let again = try run(act, period, in: command)
    let done = ["close": "is closed already", "reopen-period": "is not closed"][act]
    let isDone = done.map { again.errors.contains($0) } ?? false
    #expect(again.status == 0 || isDone, "\(place): \(again.errors)")
    let isReopened = act == "reopen-period"
    for step in isReopened ? ["close", "approve"] : ["approve"] {
      let ended = try run(step, period, in: command)
      #expect(ended.status == 0, "\(place): \(ended.errors)")
    }
    let pack = try String(
      contentsOf: command.night.reports.appending(
        path: "closed/\(period)\(isReopened ? ".2" : "")/period.csv"), encoding: .utf8)
    #expect(
      pack.split(separator: "\r\n").dropFirst()
        == ["own,\(period),,book.emma,USD,receipt,1,1.99,0,0.00,1.99,0"], "\(place)")
    try expectApprovedOnce(period, isReopened: isReopened, in: command, place)
    let states = try command.value(
      """
      select string_agg(state, ' ' order by closing_id)
      from tieout.period_closing inner join tieout.period_state using (closing_id)
      where period = '\(period)'
      """)
    #expect(states == (isReopened ? "reopened certified" : "certified"), "\(place)")
  }

  /// Expects that each closing of the period has one approval, and that this has its certificate.
  private func expectApprovedOnce(
    _ period: String, isReopened: Bool, in command: CommandNight, _ place: String
  ) throws {
    let approvals = try command.value(
      """
      select string_agg(approvals::text, ' ' order by closing_id)
      from (
          select
              closing_id,
              (
                  select count(*) from tieout.period_approval
                  where period_approval.closing_id = period_closing.closing_id
              ) as approvals
          from tieout.period_closing
          where period = '\(period)'
      ) as closing
      """)
    #expect(approvals == (isReopened ? "1 1" : "1"), "\(place)")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: command.night.reports.appending(path: "closed").path)
    #expect(
      names.filter { $0.hasPrefix(period) && $0.contains(".certificate-") }.sorted()
        == (isReopened ? ["\(period).2.certificate-1.json"] : [])
          + ["\(period).certificate-1.json"],
      "\(place)")
  }
}
