import Configuration
import DamageTestSupport
import Foundation
import Ledger
import NightRun
import Oracle
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("The chain of manifests") struct ChainTests {
  private func night() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue("product_id | prices\nbook.emma | USD 1.99")
    try buy(101, "anna", in: night)
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n100 | book.emma | 2026-11-17 09:00")
    return night
  }

  private func buy(_ id: Int, _ account: String, in night: TestNight) throws {
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      \(id)          | book.emma  | 2026-11-17 10:00 | \(account)
      """)
  }

  private func reports(_ night: TestNight) -> PublishedReports { PublishedReports(night.reports) }

  /// The editions in the order of their publication, as the manifests have it.
  private func order(_ reports: PublishedReports) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: reports.folder.path)
    let editions = try names.filter { $0.hasPrefix("2") }.map { name in
      let manifest = String(decoding: try reports.bytes("\(name)/manifest.json"), as: UTF8.self)
      let number = try #require(manifest.firstMatch(of: /"publication":(\d+)/)?.1)
      return (Int(number) ?? 0, name)
    }
    return editions.sorted { $0 < $1 }.map(\.1)
  }

  @Test("a past day that is published later follows the newest publication, not the day before it")
  func pastDay() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2026-11-21 03:00")
    try buy(102, "bert", in: night)
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2026-11-22 03:00")
    #expect(
      try order(reports(night)) == ["2026-11-20", "2026-11-21", "2026-11-20.2", "2026-11-22"])
    #expect(try reports(night).verify().head?.publication == 4)
    let list = String(decoding: try reports(night).bytes("editions.txt"), as: UTF8.self)
    #expect(
      list.split(separator: "\n").map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
        == [
          "published 1 2026-11-20 2026-11-20T03:00:00Z",
          "published 2 2026-11-21 2026-11-21T03:00:00Z",
          "published 3 2026-11-20.2 2026-11-20T03:00:00Z",
          "published 4 2026-11-22 2026-11-22T03:00:00Z",
        ])
  }

  @Test("a run that publishes nothing leaves the chain alone; another folder has its own chain")
  func twoFolders() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    let list = try reports(night).bytes("editions.txt")
    #expect(try !night.run(asOf: "2026-11-20 03:00").isNewEdition)
    #expect(try reports(night).bytes("editions.txt") == list)
    night.settings.reports = night.folder.appending(path: "other").path
    try night.run(asOf: "2026-11-20 03:00")
    let other = PublishedReports(night.folder.appending(path: "other"))
    #expect(try other.verify().head?.publication == 1)
    night.settings.reports = night.reports.path
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try reports(night).verify().head?.publication == 2)
    #expect(try other.verify().head?.publication == 1)
  }

  @Test("an edition that was removed on request is named so, also by the next manifest alone")
  func removed() throws {
    let night = try night()
    try buy(102, "PERSON-1", in: night)
    for day in 20...22 { try night.run(asOf: "2026-11-\(day) 03:00") }
    let summary = try night.forget("PERSON-1", removingEditions: true)
    let removed = try #require(summary.forgotten?.removedEditions)
    #expect(removed.map(\.folder) == ["2026-11-20", "2026-11-21", "2026-11-22"])
    #expect(try reports(night).verify().notes == ["3 editions were removed on request"])
    try night.run(asOf: "2026-11-23 03:00")
    let result = try reports(night).verify()
    #expect(result.notes == ["3 editions were removed on request"])
    #expect(result.first == 4 && result.head?.publication == 5)
    // Without the list, the manifests have the removals, and only the edition before the first.
    let list = try reports(night).bytes("editions.txt")
    let lines = String(decoding: list, as: UTF8.self).split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("removed ") }.count == 3)
    try reports(night).remove("editions.txt")
    #expect(
      try reports(night).verify().notes == [
        "1 edition was removed on request", "2 editions are not in editions.txt yet",
      ])
    try reports(night).write(list, "editions.txt")
    // An edition that nobody asked to remove is not one of them.
    try reports(night).remove("2026-11-22.2")
    #expect(
      try reports(night).verify().notes == [
        "3 editions were removed on request",
        "1 edition is not here, and was not verified",
      ])
  }

  @Test("a list that is lost is written again from the manifests")
  func lostList() throws {
    let night = try night()
    for day in 20...22 { try night.run(asOf: "2026-11-\(day) 03:00") }
    let list = try reports(night).bytes("editions.txt")
    try reports(night).remove("editions.txt")
    #expect(try reports(night).verify().proven == 3)
    try night.run(asOf: "2026-11-22 03:00")
    #expect(try reports(night).bytes("editions.txt") == list)
    // A run that was killed before it noted its own edition.
    let lines = String(decoding: list, as: UTF8.self).split(separator: "\n")
    try reports(night).write(Array("\(lines[0])\n\(lines[1])\n".utf8), "editions.txt")
    #expect(try reports(night).verify().proven == 3)
    try night.run(asOf: "2026-11-23 03:00")
    #expect(try reports(night).verify().head?.publication == 4)
    #expect(try order(reports(night)).last == "2026-11-23")
  }

  @Test("a day whose folder was removed can be run again, and no later folder may be missing")
  func removedDayAgain() throws {
    let night = try night()
    for day in 20...23 { try night.run(asOf: "2026-11-\(day) 03:00") }
    let reports = reports(night)
    for day in 20...21 { try reports.remove("2026-11-\(day)") }
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try order(reports) == ["2026-11-22", "2026-11-23", "2026-11-20.2"])
    #expect(try reports.verify().notes == ["2 editions are not here, and were not verified"])
    try reports.remove("2026-11-23")
    let fault = try reports.fault()
    #expect(fault?.contains("2026-11-23 is missing: the chain says") == true, "\(fault ?? "")")
  }

  @Test("an edition without a manifest is wrong, although nothing names the manifest any more")
  func withoutManifest() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try reports(night).remove("2026-11-20/manifest.json")
    try reports(night).remove("editions.txt")
    let sums = String(decoding: try reports(night).bytes("2026-11-20/SHA256SUMS"), as: UTF8.self)
    let others = sums.split(separator: "\n").filter { !$0.contains("manifest.json") }
    try reports(night).write(
      Array((others.joined(separator: "\n") + "\n").utf8), "2026-11-20/SHA256SUMS")
    for path in ["", "2026-11-20"] {
      let fault = try reports(night).fault(path)
      #expect(fault?.contains("2026-11-20/manifest.json is missing. Take it from") == true)
    }
    // The same statements are published once. Without the damaged edition, a new chain begins.
    #expect(try !night.run(asOf: "2026-11-20 03:00").isNewEdition)
    try night.run(asOf: "2026-11-21 03:00")
    try reports(night).remove("2026-11-20")
    let after = try reports(night).verify()
    #expect(after.proven == 1 && after.first == 1)
  }

  @Test("the manifest has the night's settings, inputs and totals, and nothing secret")
  func contents() throws {
    let night = try night()
    night.settings.pingURL = "https://secret.example.com/ping"
    night.settings.graceHours = 36
    try night.run(asOf: "2026-11-20 03:00")
    let text = String(
      decoding: try reports(night).bytes("2026-11-20/manifest.json"), as: UTF8.self)
    #expect(text.contains("\"grace_hours\":36"))
    #expect(text.contains("\"inputs\":{\"bytes\":"))
    #expect(text.contains("\"files\":3,"))
    for word in ["secret", "anna", night.inbox.path] { #expect(!text.contains(word), "\(word)") }
    let table = try night.table("inputs.csv")
    #expect(table.header == ["file", "sha256", "bytes", "records"])
    #expect(table.rows.count == 3)
    var lines: [String] = []
    for row in table.rows {
      let bytes = [UInt8](try Data(contentsOf: night.inbox.appending(path: row[0])))
      #expect(row[1] == PublishedReports.hash(bytes))
      #expect(row[2] == "\(bytes.count)")
      lines.append("\(row[1])  \(row[0].prefix { $0 != "/" })\n")
    }
    #expect(text.contains(PublishedReports.hash(Array(lines.sorted().joined().utf8))))
  }

  @Test("the inputs of a night are all that count: not withdrawn, in every later manifest")
  func inputs() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    try buy(102, "bert", in: night)
    try night.run(asOf: "2026-11-21 03:00")
    func files(_ edition: String) throws -> String {
      let text = String(
        decoding: try reports(night).bytes("\(edition)/manifest.json"), as: UTF8.self)
      return String(try #require(text.firstMatch(of: /"inputs":\{"bytes":\d+,"files":(\d+)/)?.1))
    }
    #expect(try files("2026-11-21") == "4")
    #expect(try night.table("inputs.csv").rows.count == 1)
    let path = try night.table("inputs.csv").rows[0][0]
    try night.withdraw(path)
    try night.rebuild()
    #expect(try files("2026-11-21.2") == "3")
    #expect(try night.table("inputs.csv").rows.isEmpty)
    #expect(try reports(night).verify().proven == 3)
  }

  @Test("the sums agree, whatever the first day of revenue and the time zone of its days are")
  func firstDays() throws {
    let night = try TestNight()
    let input = RandomNight(seed: 11, accounts: 30).input
    try night.run(input, files: 2, seed: 11)
    for (zone, day) in [
      ("America/New_York", nil), ("Pacific/Kiritimati", "2020-02-29"),
      ("America/New_York", "2026-06-15"), ("UTC", "2026-06-01"),
      ("Pacific/Kiritimati", "2027-01-01"),
    ] as [(String, String?)] {
      night.settings.timeZone = zone
      night.settings.revenueSince = day
      try night.run(asOf: input.asOfText)
      #expect(try reports(night).fault() == nil, "\(zone) since \(day ?? "the month before")")
    }
    #expect(try reports(night).verify().proven > 3)
  }

  /// One step of a sequence of nights.
  private enum Step: CaseIterable {
    case nextNight, newPurchase, pastDay, again, recompute, rebuild, forget, forgetWithEditions
    /// The next runs write into the other one of two reports folders.
    case otherFolder
  }

  @Test(
    "a sequence of nights always verifies, in any order of its steps",
    arguments: RandomCases.seeds(1))
  func sequences(seed: UInt64) throws {
    let night = try night()
    for (id, account) in [(102, "PERSON-1"), (103, "PERSON-2")] {
      try buy(id, account, in: night)
    }
    try night.run(asOf: "2026-11-20 03:00")
    var dice = Dice(seed)
    var newest = 20
    let folders = [night.reports, night.folder.appending(path: "other")]
    let steps = (Step.allCases + [.otherFolder]).shuffled(using: &dice)
    for (number, step) in steps.enumerated() {
      switch step {
      case .nextNight:
        newest += 1
        try buy(200 + number, "PERSON-3", in: night)
        try night.run(asOf: "2026-11-\(newest) 03:00")
      case .newPurchase:
        try buy(200 + number, "PERSON-3", in: night)
        try night.run(asOf: "2026-11-\(newest) 03:00")
      case .pastDay: try night.run(asOf: "2026-11-\(Int.random(in: 18...19, using: &dice)) 03:00")
      case .again: try night.run(asOf: "2026-11-\(newest) 03:00")
      case .recompute: try night.recompute()
      case .rebuild: try night.rebuild()
      case .forget: try night.forget("PERSON-1")
      case .forgetWithEditions: try night.forget("PERSON-2", removingEditions: true)
      case .otherFolder:
        night.settings.reports = folders.first { $0.path != night.settings.reports }?.path ?? ""
        try night.run(asOf: "2026-11-\(newest) 03:00")
      }
      for folder in folders where FileManager.default.fileExists(atPath: folder.path) {
        let found = PublishedReports(folder)
        #expect(try found.fault() == nil, "seed \(seed), steps \(steps[...number])")
        let result = try found.verify()
        let order = try order(found)
        #expect(result.proven == order.count)
        #expect(result.head?.edition.folder == order.last)
      }
    }
  }
}
