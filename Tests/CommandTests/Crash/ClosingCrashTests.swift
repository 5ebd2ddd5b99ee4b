import Foundation
import Oracle
import ReconciliationTestSupport
import Testing

@Suite("A closing or an approval that is interrupted at any point") struct ClosingCrashTests {
  /// A night after many days with one sale each; every trial closes another day.
  private func nights() throws -> CommandNight {
    let command = try CommandNight()
    try command.putGoodNight()
    var sales = "transaction_id | product_id | purchased_at     | price | currency"
    for number in 1...200 {
      sales += "\n\(1000 + number) | book.emma | \(Self.day(number)) 10:00 | 1.99 | USD"
    }
    try command.night.transactions(sales)
    try #require(try command.run(asOf: "2026-11-20T03:00:00Z").status == 0)
    return command
  }

  /// A day of the first months of the year.
  private static func day(_ number: Int) -> String {
    let month = 1 + (number - 1) / 28
    let day = 1 + (number - 1) % 28
    return "2026-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }

  private func run(
    _ command: CommandNight, _ words: [String], plan: String = ""
  ) throws -> Program.Ended {
    let list = command.night.folder.appending(path: "points").path
    let places = [
      "--database", command.night.database.connectionString, "--reports",
      command.night.reports.path,
    ]
    var ended: Program.Ended?
    // The server needs a moment to notice that a killed process is gone, and with it its lock.
    _ = try eventually {
      try? FileManager.default.removeItem(atPath: list)
      let now = try command.start(
        words + places,
        environment: ["TIEOUT_EFFECTS": "\(list) \(plan)", "TIEOUT_SINGLE_SIGNER": "true"]
      ).ended()
      ended = now
      // An error that a plan injects can have the same status.
      return now.status != 75 || !plan.isEmpty
    }
    return try #require(ended)
  }

  @Test("after each interruption the period is closed, or can be closed, and can be approved")
  func interrupted() throws {
    let command = try nights()
    func points(_ words: [String]) throws -> Int {
      let ended = try run(command, words)
      try #require(ended.status == 0, "\(ended.errors)")
      let list = try String(
        contentsOf: command.night.folder.appending(path: "points"), encoding: .utf8)
      return list.split(separator: "\n").count
    }
    let first = "\(Self.day(1))..\(Self.day(1))"
    let counts = try [
      ("close", points(["close", first])), ("approve", points(["approve", first])),
    ]
    let trials = counts.flatMap { act, count in
      (1...count).flatMap { [(act, "kill \($0)"), (act, "fail \($0) state 40001")] }
    }
    #expect(trials.count > 20)
    var random = SplitMix64(seed: Torture.seed)
    let limit = Torture.limit(orElse: 3)
    var interruptions = 0
    for (number, (act, plan)) in trials.shuffled(using: &random).prefix(199).enumerated() {
      if limit.isReached(after: number) { break }
      let period = "\(Self.day(number + 2))..\(Self.day(number + 2))"
      let place = "\(act) of \(period), \(plan)"
      if act == "approve" {
        #expect(try run(command, ["close", period]).status == 0, "\(place)")
      }
      let broken = try run(command, [act, period], plan: plan)
      if broken.status != 0 { interruptions += 1 }
      if act == "close" {
        let again = try run(command, ["close", period])
        let isClosed = again.errors.contains("is closed already")
        #expect(again.status == 0 || isClosed, "\(place): \(again.errors)")
      }
      let approved = try run(command, ["approve", period])
      #expect(approved.status == 0, "\(place): \(approved.errors)")
      let pack = try String(
        contentsOf: command.night.reports.appending(path: "closed/\(period)/period.csv"),
        encoding: .utf8)
      #expect(
        pack.split(separator: "\r\n").dropFirst()
          == ["own,\(period),,book.emma,USD,receipt,1,1.99,0,0.00,1.99,0"], "\(place)")
    }
    // Otherwise no plan took effect, and the test shows nothing.
    #expect(interruptions > 0)
    let verified = try command.start(["verify", command.night.reports.path]).ended()
    #expect(verified.status == 0, "\(verified.errors)")
  }
}
