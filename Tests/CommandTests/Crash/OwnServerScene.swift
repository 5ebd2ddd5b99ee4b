import Foundation
import Glibc
import TestNeeds
import Testing

/// A command that needs the private server, and is run repeatedly from the same state.
final class OwnServerScene {
  private let what: OwnServerCrashTests.Case
  private let place: Place
  /// The points of an undisturbed run, each with the object of its effect.
  private(set) var lines: [Substring] = []
  private var reference: [String: Data] = [:]
  private var names: [String] = []
  private var state: String { place.state }

  init(_ what: OwnServerCrashTests.Case) throws {
    self.what = what
    place = try Place()
    if what.isOfOwn { try shellDone("chown -R postgres '\(place.folder)'") }
    if what == .upgrade { try makeNewerPrograms() }
    if !what.isNew {
      let first = try start("run", "--as-of", CommandNight.asOf)
      try #require(first.status == 0, "\(first.errors)")
      try shellDone("cp -a '\(state)' '\(place.folder)/kept'")
      try shellDone("cp -a '\(place.folder)/reports' '\(place.folder)/kept-reports'")
    }
    let list = "\(place.folder)/points"
    let undisturbed = try run("\(list) ")
    try #require(undisturbed.status == 0, "\(undisturbed.errors)")
    if what == .upgrade {
      let next = try start("run", "--as-of", CommandNight.asOf, programs: newer)
      try #require(next.status == 0, "\(next.errors)")
    }
    lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    names = try FileManager.default.contentsOfDirectory(atPath: state).sorted()
    reference = try published()
  }

  /// Restores the state directory and the reports.
  func reset() throws {
    try shellDone("rm -rf '\(state)' '\(place.folder)/reports'")
    guard !what.isNew else { return }
    try shellDone("cp -a '\(place.folder)/kept' '\(state)'")
    try shellDone("cp -a '\(place.folder)/kept-reports' '\(place.folder)/reports'")
  }

  /// Runs the command, with a plan for its points.
  func run(_ effects: String) throws -> Program.Ended {
    what == .upgrade
      ? try start("upgrade-server", effects: effects, programs: newer)
      : try start("run", "--as-of", CommandNight.asOf, effects: effects)
  }

  /// Runs the command to its end, and checks the result.
  func expectWhole(_ words: String) throws {
    let ended = try run("-")
    #expect(ended.status == 0, "\(words): \(ended.errors)")
    if what == .upgrade {
      // The kept data must still exist, and the next run must be able to use it.
      let next = try start("run", "--as-of", CommandNight.asOf, programs: newer)
      #expect(next.status == 0, "\(words): \(next.errors)")
      #expect(next.output.contains("1 file skipped: unchanged since the last run."), "\(words)")
    }
    #expect(eventually { place.server == nil }, "\(words): the server was left running")
    #expect(eventually { place.processes.isEmpty }, "\(words): a server was left running")
    let left = try FileManager.default.contentsOfDirectory(atPath: state).sorted()
    #expect(left == names, "\(words)")
    #expect(try published() == reference, "\(words)")
  }

  private func start(
    _ words: String..., effects: String = "-", programs: String? = nil
  ) throws -> Program.Ended {
    var environment = ["TIEOUT_EFFECTS": effects]
    environment["TIEOUT_POSTGRES_PROGRAMS"] = programs
    return try place.start(
      words, environment: environment,
      prefix: what.isOfOwn
        ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : []
    ).ended()
  }

  private func published() throws -> [String: Data] {
    let day = "\(place.folder)/reports/2026-11-20"
    var files: [String: Data] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: day)) ?? [] {
      files[name] = try Data(contentsOf: URL(filePath: "\(day)/\(name)"))
    }
    return files
  }

  private var newer: String { "\(place.folder)/newer" }

  /// Creates programs of the next version: scripts that call the installed programs, and report and
  /// write the next version's number.
  ///
  /// The cluster has the next number only while no installed program starts, because the installed
  /// programs would refuse it.
  private func makeNewerPrograms() throws {
    try "[\"book.emma\"]".write(
      toFile: "\(place.folder)/inbox/catalog/a.json", atomically: true, encoding: .utf8)
    let real = ThrowawayServer.newestPrograms()
    let version = try #require(real.split(separator: "/").dropLast().last.flatMap { Int($0) })
    let asOld =
      "number() { if [ -e \"$data/PG_VERSION\" ]; then echo $1 > \"$data/PG_VERSION\"; fi; }; "
      + "data=; last=; for word in \"$@\"; do if [ \"$last\" = -D ]; then data=$word; fi; last=$word; done; "
      + "number \(version)"
    let asNew = "status=$?; number \(version + 1); exit $status"
    try FileManager.default.createDirectory(atPath: newer, withIntermediateDirectories: true)
    for program in [
      "initdb", "pg_ctl", "postgres", "pg_dump", "pg_dumpall", "pg_restore", "psql",
    ] {
      let isOfCluster = ["initdb", "pg_ctl", "postgres"].contains(program)
      let asked =
        program == "postgres"
        ? "if [ \"$1\" = --version ]; then echo 'postgres (PostgreSQL) \(version + 1).0'; exit; fi"
        : ":"
      let call = "\"\(real)/\(program)\" \"$@\""
      let text = isOfCluster ? "\(asked)\n\(asOld)\n\(call)\n\(asNew)" : "exec \(call)"
      let path = "\(newer)/\(program)"
      try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
  }

  private func shellDone(_ command: String) throws {
    let ended = shell(command)
    try #require(ended.status == 0, "\(ended.output)")
  }
}
