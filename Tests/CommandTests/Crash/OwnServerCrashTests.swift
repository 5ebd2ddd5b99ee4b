import Foundation
import Glibc
import Testing

@Suite("A private server whose program breaks off at any point", .serialized)
struct OwnServerCrashTests {
  /// Starts and stops, locks, and files: the points that are the private server's own.
  private static let own: Set = ["program", "lock", "rename", "create", "write", "remove"]

  @Test("is used again, or started again, and stopped in the end", arguments: [true, false])
  func survives(isNew: Bool) throws {
    let name = "\(isNew ? "new" : "known") server"
    guard Torture.only.map({ $0.hasPrefix("\(name): ") }) ?? true else { return }
    var place = try Place()
    let list = "\(place.folder)/points"
    if !isNew { try expectWhole(place) }
    let first = try run(place, "\(list) ")
    try #require(first.status == 0, "\(first.errors)")
    let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    let points = lines.map { $0.split(separator: "\t").first.map(String.init) ?? "" }
    // Those of the reports are of another test.
    let numbers = points.indices.filter {
      Self.own.contains(points[$0]) && !lines[$0].contains("reports")
    }.map { $0 + 1 }
    #expect(numbers.count >= 2)
    let reference = try published(place)

    var random = SeededNumbers(seed: Torture.seed)
    let trials = numbers.flatMap { ["kill \($0)", "fail \($0) errno \(ENOSPC)"] }
      .shuffled(using: &random)
    let end = Torture.end
    var done = ["kill": 0, "fail": 0]
    for trial in trials
    where Date.now < end && Torture.only.map({ $0 == "\(name): \(trial)" }) ?? true {
      // A cluster is made only where there is none.
      if isNew { place = try Place() }
      let ended = try run(place, "- \(trial)")
      let kind = trial.prefix { $0 != " " }.description
      done[kind, default: 0] += 1
      let allowed: Set<Int32> = kind == "kill" ? [137] : [0, 69]
      #expect(allowed.contains(ended.status), "\(trial): \(ended.status), \(ended.errors)")
      try expectWhole(
        place, "again: scripts/torture --seed \(Torture.seed) --only '\(name): \(trial)'")
      #expect(try published(place) == reference, "\(trial)")
    }
    let words = " with a \(name), all recovered"
    Torture.count("crash points", done["kill"] ?? 0, words)
    Torture.count("injected errors", done["fail"] ?? 0, words)
  }

  private func run(_ place: Place, _ effects: String) throws -> Program.Ended {
    try place.start(
      "run", "--as-of", CommandNight.asOf, environment: ["TIEOUT_EFFECTS": effects]
    ).ended()
  }

  private func expectWhole(_ place: Place, _ words: String = "") throws {
    let ended = try place.start("run", "--as-of", CommandNight.asOf).ended()
    #expect(ended.status == 0, "\(words): \(ended.errors)")
    #expect(eventually { place.server == nil }, "\(words): the server was left running")
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(place.folder)/state")
      .filter { $0.hasPrefix("data.") || $0.hasSuffix(".new") }
    #expect(left == [], "\(words)")
  }

  private func published(_ place: Place) throws -> [String: Data] {
    let day = "\(place.folder)/reports/2026-11-20"
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: day) {
      files[name] = try Data(contentsOf: URL(filePath: "\(day)/\(name)"))
    }
    return files
  }
}
