import Foundation
import Glibc
import Oracle
import Testing

@Suite("A private server whose program breaks off at any point", .serialized)
struct OwnServerCrashTests {
  /// What is broken off.
  enum Case: String, CaseIterable {
    /// A night with a server that has to be made, and with one that is there.
    case new = "new server"
    case known = "known server"
    /// The same without another user's rights: then the program does itself what it has programs do for root.
    case newOfOwn = "new server of its user"
    case knownOfOwn = "known server of its user"
    /// `tieout upgrade-server`.
    case upgrade = "upgrade"

    var isNew: Bool { self == .new || self == .newOfOwn }
    var isOfOwn: Bool { self == .newOfOwn || self == .knownOfOwn }

    /// Only root can be somebody else.
    static var possible: [Case] { allCases.filter { geteuid() == 0 || !$0.isOfOwn } }
  }

  /// Those of reports, tables and inbox are of another test.
  private static let own: Set = [
    "program", "lock", "rename", "create", "write", "remove", "signal", "synchronize",
  ]

  @Test("is used again, or started again, and stopped in the end", arguments: Case.possible)
  func survives(what: Case) throws {
    let name = what.rawValue
    guard Torture.onlyKind.map({ $0 == name }) ?? true else { return }
    let scene = try OwnServerScene(what)
    let numbers = scene.lines.indices.filter {
      let line = scene.lines[$0]
      return Self.own.contains(String(line.prefix { $0 != "\t" })) && !line.contains("/reports")
    }.map { $0 + 1 }
    #expect(numbers.count >= 2)
    var random = SplitMix64(seed: Torture.seed)
    var trials = numbers.flatMap { number in
      ["kill \(number), kill \(number)", "kill \(number)", "fail \(number) errno \(ENOSPC)"]
    }.shuffled(using: &random)
    let all = trials.count
    if let only = Torture.only?.dropFirst(name.count + 2), only != "all" { trials = [String(only)] }
    let limit = Torture.limit(orElse: 6)
    var tried = 0
    var broken: Set<Substring> = []
    var kills = 0
    var errors = 0
    for trial in trials {
      if limit.isReached(after: tried) { break }
      tried += 1
      try scene.reset()
      let again = "again: scripts/torture --seed \(Torture.seed) --only '\(name): \(trial)'"
      for (number, plan) in trial.split(separator: ", ").enumerated() {
        let ended = try scene.run("- \(plan)")
        let isKill = plan.hasPrefix("kill")
        // The second finds much of the work done, and can have no such point any more.
        // The folder above the reports is made durable with them.
        var allowed: Set<Int32> = isKill ? [137] : [0, 69, 73]
        if number > 0 { allowed.formUnion([0, 69]) }
        #expect(
          allowed.contains(ended.status), "\(plan): \(ended.status), \(ended.errors), \(again)")
        if ended.status == 137, let point = plan.split(separator: " ").last { broken.insert(point) }
        kills += ended.status == 137 ? 1 : 0
        errors += isKill ? 0 : 1
      }
      try scene.expectWhole(again)
    }
    #expect(kills + errors > 0, "no trial with a \(name) was executed")
    let words =
      " with a \(name) (\(kills + errors) of \(all * 4 / 3) ways, \(numbers.count) points), all recovered"
    Torture.count("crash points", broken.count, words)
    Torture.count("kills", kills, words)
    Torture.count("injected errors", errors, words)
  }
}
