import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import TestNeeds
import Testing
import WebTestSupport

/// A command that is run repeatedly from the same state: the state before it, and its result.
final class CrashScene {
  let kind: Kind
  /// The points of an undisturbed run, each with the object of its effect.
  private(set) var lines: [String] = []
  /// The points of a run after a failed run (`false`), and of a run after a killed run (`true`).
  private var linesAfter: [Bool: [String]] = [:]
  /// The state before the command, and the digests of empty tables.
  private(set) var before = CrashState()
  private(set) var emptyTables: [String: String] = [:]
  /// The state after an undisturbed run, and the exit status of that run.
  private(set) var undisturbed = CrashState()
  private(set) var status: Int32 = 0

  let command: CommandNight
  let digests: TableDigests
  private(set) var database: ScratchDatabase
  private(set) var observer: Connection
  private let server: ScriptedServer
  private var kept: URL { command.night.folder.appending(path: "kept") }
  private var list: String { command.night.folder.appending(path: "points").path }

  /// The name of each point's effect.
  var points: [String] { lines.map { String($0.prefix { $0 != "\t" }) } }

  init(_ kind: Kind) throws {
    self.kind = kind
    command = try CommandNight(hasTables: kind == .refresh)
    database = command.night.database
    observer = try database.connect()
    server = try kind.server()
    let empty = try CommandNight()
    let connection = try empty.night.database.connect()
    digests = try kind.digests(connection)
    emptyTables = try digests.read(connection)
    try prepare()
    try reset()
    before = try state()
    let ended = try run("")
    status = ended.status
    try #require(status == kind.status, "\(ended.errors)")
    lines = try linesOfLastRun()
    undisturbed = try state()
    // The trials are valid only if the command gives the same state again and a second run changes
    // nothing.
    for isNew in [false, true] {
      if isNew { try reset() }
      let again = try run("")
      try #require([kind.status, 0].contains(again.status), "\(again.errors)")
      let differences = try state().differences(from: undisturbed)
      try #require(differences.isEmpty, "\(kind): \(differences)")
    }
  }

  /// Interrupts the command at its commit, and lists the points of the run after that, unless they
  /// are known.
  ///
  /// Only trials of several runs need these points. The caller then resets the scene.
  func listLaterPoints() throws {
    guard linesAfter.isEmpty else { return }
    let last = (points.lastIndex(of: "commit") ?? points.count - 1) + 1
    for isKilled in [false, true] {
      try reset()
      _ = try run(isKilled ? "kill \(last)" : "fail \(last) state 40001")
      _ = try run("")
      linesAfter[isKilled] = try linesOfLastRun()
    }
  }

  /// All trials of the command.
  func trials(seed: UInt64) -> [CrashTrial] {
    let commit = points.lastIndex(of: "commit") ?? 0
    return CrashTrial.all(
      points, in: kind.range(of: lines), apartFrom: kind == .unpublished ? points.count : commit,
      of: kind, seed: seed)
      + (kind == .first || kind == .later ? CrashTrial.outside(20, seed: seed) : [])
  }

  private func prepare() throws {
    let name = try #require(try observer.run("select current_database()", step: "look").first)
    observer = try Connection(ScratchDatabase.server, applicationName: "tieout test")
    try kind.prepare(command)
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    for folder in kind.folders where exists(command.night.folder.appending(path: folder)) {
      let copy = kept.appending(path: folder)
      try FileManager.default.createDirectory(
        at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: command.night.folder.appending(path: folder), to: copy)
    }
    // A template database can be copied only when no session uses it.
    let isAlone = try eventually {
      try observer.run(
        "select count(*) from pg_stat_activity where datname = $1", [name], step: "look"
      ).first == "0"
    }
    try #require(isAlone)
  }

  private func exists(_ place: URL) -> Bool {
    FileManager.default.fileExists(atPath: place.path)
  }

  /// Restores the state before the command.
  func reset() throws {
    for folder in kind.folders {
      let place = command.night.folder.appending(path: folder)
      try? FileManager.default.removeItem(at: place)
      let copy = kept.appending(path: folder)
      if exists(copy) { try FileManager.default.copyItem(at: copy, to: place) }
    }
    observer = try Connection(ScratchDatabase.server, applicationName: "tieout test")
    database = try ScratchDatabase(copyOf: command.night.database)
    observer = try database.connect()
  }

  /// Runs the command, with a plan for its points.
  func run(_ plan: String) throws -> Program.Ended {
    let words = plan.split(separator: " ")
    let isOutside = words.first == "outside"
    let program = try command.start(
      kind.words(command, database: database.connectionString),
      environment: kind.environment(command, server).merging([
        "TIEOUT_EFFECTS": "\(list) \(isOutside ? "" : plan)", "TIEOUT_LOAD_CONNECTIONS": "1",
      ]) { $1 })
    if isOutside, let milliseconds = words.last.flatMap({ UInt32($0) }) {
      usleep(milliseconds * 1000)
      program.send(SIGKILL)
    }
    return try program.ended()
  }

  /// Runs the command to its end.
  func runToTheEnd() throws -> Program.Ended {
    try waitUntilAlone()
    try ageTemporaryFiles()
    return try run("")
  }

  /// Waits until the server has noticed that a killed process is gone.
  func waitUntilAlone() throws {
    let isAlone = try eventually {
      try observer.run(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
            and backend_type = 'client backend'
        """, step: "look"
      ).first == "0"
    }
    #expect(isAlone, "the server still works for a process that is gone")
  }

  /// The same plan for a run after a failed or killed run.
  ///
  /// Points have other numbers there, because the tables exist and the run removes leftovers.
  func renumbered(_ plan: String, afterKill isAfterKill: Bool) -> String {
    var words = plan.split(separator: " ").map(String.init)
    guard words.count > 1, let number = Int(words[1]), lines.indices.contains(number - 1),
      words[0] != "outside", let later = linesAfter[isAfterKill]
    else { return plan }
    let line = lines[number - 1]
    let fromEnd = lines[number...].count { $0 == line }
    let places = later.indices.filter { later[$0] == line }
    guard places.count > fromEnd else { return plan }
    words[1] = "\(places[places.count - 1 - fromEnd] + 1)"
    return words.joined(separator: " ")
  }

  /// The number of points that the last run reached.
  func reached() throws -> Int { try linesOfLastRun().count }

  /// The effect of the last run at the point of a plan.
  func point(of plan: String) throws -> Substring {
    let words = plan.split(separator: " ")
    let lines = try linesOfLastRun()
    guard words.count > 1, let number = Int(words[1]), lines.indices.contains(number - 1) else {
      return "nothing"
    }
    return lines[number - 1].prefix { $0 != "\t" }
  }

  /// The last point that the last run reached.
  func lastPoint() throws -> String { try linesOfLastRun().last ?? "nothing" }

  /// The points of the last run.
  ///
  /// Process IDs are replaced, because they differ in every run.
  private func linesOfLastRun() throws -> [String] {
    try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map {
      String($0).replacing(/\.tieout\.\d+\.[0-9a-f]+\.tmp/, with: ".tieout.tmp")
        .replacing(/([ .])\d+($|\.tmp| to )/) { "\($0.output.1)#\($0.output.2)" }
    }
  }
}
