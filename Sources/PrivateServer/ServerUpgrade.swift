import Foundation
import Glibc
import Waiting

/// The upgrade of the data folder to a newer major version, by dump and restore.
enum ServerUpgrade {
  /// Finishes an interrupted upgrade.
  ///
  /// If the old data folder was already set aside, the complete new one takes its place. Other
  /// files of a killed upgrade are removed.
  static func finish(
    in state: StateDirectory, tell: (String) -> Void
  ) throws(PrivateServerError) {
    let isThere = FileManager.default.fileExists(atPath: state.data)
    if !isThere, FileManager.default.fileExists(atPath: state.upgraded) {
      try move(state.upgraded, to: state.data)
    }
    // If the old data folder is still in its place, it may have changed since.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: state.path)) ?? []
    let remains = names.map { "\(state.path)/\($0)" }.filter {
      [state.restoring, state.upgraded, state.dump, state.roles].contains($0)
        || $0.hasPrefix("\(state.restoring).new-")
    }.sorted()
    guard !remains.isEmpty else { return }
    // The files of this data folder are removed, so its server does not have to write anything.
    let left = DataFolder(path: state.restoring, user: state.user)
    let server = try left.server()
    if server.state != .absent { try left.end(server, isWritten: false, tell: tell) }
    try act(state.user, "rm", ["-rf", "--"] + remains, in: state, atMost: Patience.longProgram)
  }

  /// Dumps from the old server, restores into a new data folder, and puts the new folder in the old
  /// one's place.
  ///
  /// After a failure the old data folder stays in its place, and the new one is removed.
  static func run(
    in state: StateDirectory, from old: ServerPrograms, to new: ServerPrograms, lock: FileLock,
    report: ServerReport
  ) throws(PrivateServerError) {
    let user = state.user
    let socketFolder = try SocketFolder(of: state)
    // As the superuser: other roles can own objects in the database.
    let connection = "\(socketFolder.connectionString(to: user)) user=postgres"
    let aside = "\(state.data).\(old.majorVersion)"
    guard !FileManager.default.fileExists(atPath: aside) else {
      throw PrivateServerError(
        .cannotUpgrade,
        "The private server in \(state.path) cannot be upgraded: the old data folder would get the name \(aside), which already exists.",
        remedy: "It may be the old data of an earlier upgrade. Move it away, and run again.")
    }
    defer { try? finish(in: state, tell: report.notice) }

    let oldFolder = DataFolder(path: state.data, user: user)
    let newFolder = DataFolder(path: state.restoring, user: user)
    try newFolder.removeDrafts(holding: lock)
    try newFolder.create(with: new, holding: lock)
    // The operator's own settings.
    let settings = "local.conf"
    if FileManager.default.fileExists(atPath: "\(state.data)/\(settings)") {
      try act(
        user, "cp", ["--", "\(state.data)/\(settings)", "\(state.restoring)/\(settings)"],
        in: state, atMost: Patience.program)
    }
    // Runs programs of the new version while the server of a folder runs.
    func transfer(
      _ folder: DataFolder, _ programs: ServerPrograms, by steps: [(String, [String])]
    ) throws(PrivateServerError) {
      let server = Postmaster(
        dataFolder: folder, programs: programs, socketFolder: socketFolder, state: state,
        report: report)
      try whileRunning(server) { () throws(PrivateServerError) in
        for (program, arguments) in steps {
          try act(user, new.path(program), arguments, in: state, atMost: Patience.dump)
        }
      }
    }
    report.info("dumping from PostgreSQL \(old.majorVersion)")
    try transfer(
      oldFolder, old,
      by: [
        ("pg_dumpall", ["--roles-only", "-f", state.roles, "-d", connection]),
        ("pg_dump", ["-Fc", "-Z1", "-f", state.dump, "-d", connection]),
      ])
    report.info("restoring into PostgreSQL \(new.majorVersion)")
    try transfer(
      newFolder, new,
      by: [
        // psql continues after the errors about roles that exist already.
        ("psql", ["-X", "-q", "-f", state.roles, "-d", connection]),
        ("pg_restore", ["--exit-on-error", "-d", connection, state.dump]),
        // A dump has no statistics, and the server may stop before autovacuum makes them.
        ("psql", ["-X", "-q", "-c", "analyze", "-d", connection]),
      ])
    // A data folder with this name is complete. A later failure to rename the old one does not
    // change that.
    try move(state.restoring, to: state.upgraded)
    try move(state.data, to: aside)
    try move(state.upgraded, to: state.data)
    report.info("Upgraded to PostgreSQL \(new.majorVersion); the old data is kept in \(aside)")
  }

  /// Does work while a server runs that nobody else uses.
  private static func whileRunning(
    _ postmaster: Postmaster, _ work: () throws(PrivateServerError) -> Void
  ) throws(PrivateServerError) {
    do throws(PrivateServerError) {
      // The upgrade holds the server exclusively.
      try postmaster.start { true }
    } catch {
      if error.code == .stopped { try? postmaster.stop() }
      throw error
    }
    do {
      try work()
    } catch {
      try? postmaster.stop()
      throw error
    }
    try postmaster.stop()
  }

  private static func act(
    _ user: ServerUser, _ program: String, _ arguments: [String], in state: StateDirectory,
    atMost limit: Duration
  ) throws(PrivateServerError) {
    let run = try user.run(program, arguments, atMost: limit, afterStop: .zero)
    if !run.succeeded { throw cannotUpgrade(run.output.lastLines(5), in: state) }
  }

  private static func move(_ path: String, to target: String) throws(PrivateServerError) {
    guard let words = moveFolder(path, to: target) else { return }
    throw PrivateServerError(
      .cannotUpgrade, "\(path) cannot be renamed to \(target): \(words)",
      remedy: "Fix this, and run again. Nothing is lost.")
  }

  private static func cannotUpgrade(
    _ output: String, in state: StateDirectory
  ) -> PrivateServerError {
    PrivateServerError(
      .cannotUpgrade, "The private server in \(state.path) cannot be upgraded:\n\(output)",
      remedy: remedy(for: output, in: state.path) + " The old data folder is unchanged.")
  }
}

extension PrivateServer {
  /// What an upgrade did, with major versions of PostgreSQL.
  package enum UpgradeOutcome: Sendable, Equatable {
    /// The data was copied into a new data folder.
    case upgraded(from: Int, to: Int)
    /// No newer version is installed than the server has.
    case isNewest(Int)
    /// There is no private server yet.
    case noServer
  }

  /// Upgrades the private server to the newest installed major version.
  ///
  /// The old data folder is kept.
  ///
  /// Only the roles and the database `tieout` are copied. Other databases that someone created stay
  /// in the old data folder.
  package static func upgrade(
    stateDirectory: String? = nil, programs: String? = nil, report: ServerReport = ServerReport()
  ) throws(PrivateServerError) -> UpgradeOutcome {
    let state = try StateDirectory(stateDirectory)
    let startLock = try FileLock.start(of: state, tell: report.notice)
    defer { startLock.release() }
    let usersLock = try FileLock(state.usersLock, owner: state.user)
    guard usersLock.tryAcquire() else {
      throw PrivateServerError(
        .inUse, "The private server in \(state.path) is in use",
        remedy: "Wait until the other command has ended, and try again.")
    }
    defer { usersLock.release() }
    try ServerUpgrade.finish(in: state, tell: report.notice)
    let dataFolder = DataFolder(path: state.data, user: state.user)
    guard dataFolder.exists else { return .noServer }
    var installed = try ServerPrograms.installed(in: programs)
    let new = installed[0]
    // The given programs are the new ones. The old ones are searched in the usual folders.
    if programs != nil { installed += (try? ServerPrograms.installed(in: nil)) ?? [] }
    let old = try ServerPrograms.matching(dataFolder, among: installed)
    guard new.majorVersion > old.majorVersion else { return .isNewest(old.majorVersion) }
    try ServerUpgrade.run(in: state, from: old, to: new, lock: startLock, report: report)
    return .upgraded(from: old.majorVersion, to: new.majorVersion)
  }
}
