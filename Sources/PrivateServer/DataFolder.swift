import Foundation
import Waiting

/// The folder with the data of a private server, of one major version of PostgreSQL.
///
/// PostgreSQL's documentation calls it a database cluster. In this program a cluster is several
/// servers that share a ledger.
struct DataFolder {
  let path: String
  let user: ServerUser

  /// The major version that created the data folder; nil if there is no data folder.
  var majorVersion: Int? {
    let text = try? String(contentsOfFile: "\(path)/PG_VERSION", encoding: .utf8)
    return text.flatMap { Int($0.prefix { $0.isNumber }) }
  }

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Creates the data folder with its role and database, completely or not at all.
  ///
  /// It is created under another name, which nothing reads, and renamed when it is complete and on
  /// disk.
  ///
  /// - Parameter lock: The start lock, which each step inherits. A step can outlive a killed
  ///   caller; while it runs, no other process can take the lock and remove the folder.
  func create(with programs: ServerPrograms, holding lock: FileLock) throws(PrivateServerError) {
    let draft = "\(path).new-\(getpid())"
    do {
      try step(
        programs.path("initdb"),
        ["-D", draft, "-U", "postgres", "-A", "peer", "--no-locale", "-E", "UTF8"],
        lock: lock)
      // This step runs without a server: nobody can connect before the access rules are in place.
      try step(
        programs.path("postgres"),
        ["--single", "-D", draft, "-c", "exit_on_error=true", "postgres"],
        input: """
          CREATE ROLE tieout LOGIN CREATEDB IN ROLE pg_monitor, pg_signal_backend
          CREATE DATABASE tieout OWNER tieout

          """, lock: lock)
    } catch {
      _ = try? user.run(
        "rm", ["-rf", "--", draft], holding: lock, atMost: Patience.longProgram)
      throw error
    }
    if let words = moveFolder(draft, to: path) {
      throw cannotCreate("\(draft) cannot be renamed: \(words)")
    }
  }

  /// Removes the folders that killed creations left.
  func removeDrafts(holding lock: FileLock) throws(PrivateServerError) {
    let place = URL(fileURLWithPath: path)
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: place.deletingLastPathComponent().path)
    let draft = "\(place.lastPathComponent).new-"
    if let names, !names.contains(where: { $0.hasPrefix(draft) }) { return }
    // The rest of such a name is the number of the process.
    _ = try user.run(
      "sh", ["-c", #"rm -rf -- "$1".new-[0-9]*"#, "sh", path], holding: lock,
      atMost: Patience.longProgram)
  }

  /// Writes the settings for this program's version and this machine.
  func configure(socketFolder: String) throws(PrivateServerError) {
    let settings = ServerSettings(
      machine: Machine(dataFolder: path, user: user), socketFolder: socketFolder, user: user)
    try user.write(settings.server, to: "\(path)/postgresql.conf")
    try user.write(settings.access, to: "\(path)/pg_hba.conf")
    try user.write(settings.users, to: "\(path)/pg_ident.conf")
  }

  private func step(
    _ program: String, _ arguments: [String], input: String = "", lock: FileLock
  ) throws(PrivateServerError) {
    // An incomplete data folder is never kept, so the step does not have to continue after a stop
    // request.
    let run = try user.run(
      program, arguments, input: input, holding: lock, atMost: Patience.longProgram,
      afterStop: .zero)
    if !run.succeeded { throw cannotCreate(run.output) }
  }

  private func cannotCreate(_ output: String) -> PrivateServerError {
    PrivateServerError(
      .cannotCreate,
      "The private server's data folder \(path) cannot be created:\n"
        + output.lastLines(10),
      remedy: remedy(for: output, in: path))
  }
}
