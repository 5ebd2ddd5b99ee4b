import Foundation
import Glibc

/// The installed server programs of one version, all in one folder.
struct ServerPrograms: Sendable, Equatable {
  let directory: String
  let majorVersion: Int

  func path(_ program: String) -> String { "\(directory)/\(program)" }

  /// All that are installed, the ones to prefer first; with `directory`, only what is there.
  ///
  /// - Parameter debian: where Debian keeps a folder for each major version.
  static func installed(
    in directory: String?, debian: String = "/usr/lib/postgresql",
    searchPath: String? = ProcessInfo.processInfo.environment["PATH"]
  ) throws(PrivateServerError) -> [ServerPrograms] {
    if let directory {
      let directory = absolutePath(directory)
      guard let given = try ServerPrograms(in: directory) else {
        throw PrivateServerError(
          .notInstalled,
          "There are no PostgreSQL server programs (initdb, pg_ctl, postgres) in \(directory)",
          remedy: "Name the folder that holds them, such as /usr/lib/postgresql/15/bin.")
      }
      return [given]
    }
    var found: [ServerPrograms] = []
    for folder in try candidates(debian: debian, searchPath: searchPath) {
      guard let programs = try ServerPrograms(in: folder) else { continue }
      // Of one version the first stands: /usr/local/bin may lead to the same programs.
      if !found.contains(where: { $0.majorVersion == programs.majorVersion }) {
        found.append(programs)
      }
    }
    guard !found.isEmpty else {
      throw PrivateServerError(
        .notInstalled, "No PostgreSQL server is installed",
        remedy: "Install one: apt-get install postgresql"
          + "\nOr name a database that exists, with --database or PGHOST.")
    }
    return found.sorted { $0.majorVersion > $1.majorVersion }
  }

  /// Debian's folders, where pg_config says, and the search path.
  private static func candidates(
    debian: String, searchPath: String?
  ) throws(PrivateServerError) -> [String] {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    var folders = versions.map { "\(debian)/\($0)/bin" }
    let searched = (searchPath ?? "").split(separator: ":").map(String.init)
      .filter { $0.hasPrefix("/") }
    if searched.contains(where: { access("\($0)/pg_config", X_OK) == 0 }) {
      let told = try ProgramRun.run("pg_config", ["--bindir"])
      if told.succeeded { folders.append(told.output.lastLines(1)) }
    }
    return folders + searched
  }

  /// The programs in a folder, or nil if a needed one is missing.
  private init?(in folder: String) throws(PrivateServerError) {
    for program in ["initdb", "pg_ctl", "postgres"] {
      guard access("\(folder)/\(program)", X_OK) == 0 else { return nil }
    }
    let told = try ProgramRun.run("\(folder)/postgres", ["--version"])
    // "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"; a beta says "17beta1".
    guard let words = told.output.split(separator: ") ", maxSplits: 1).dropFirst().first,
      let major = Int(words.prefix { $0.isNumber })
    else { return nil }
    directory = folder
    majorVersion = major
  }
}
