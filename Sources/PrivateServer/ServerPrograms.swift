import ExactText
import Foundation
import Glibc

/// The installed server programs of one version, all in one folder.
struct ServerPrograms: Sendable, Equatable {
  let directory: String
  let majorVersion: Int

  func path(_ program: String) -> String { "\(directory)/\(program)" }

  /// All installed versions, the newest first; with `directory`, only the programs there.
  ///
  /// - Parameters:
  ///   - sought: A major version. If Debian's folders contain it, the search ends there.
  ///   - debian: The folder in which Debian keeps a folder for each major version.
  static func installed(
    in directory: String?, sought: Int? = nil, debian: String = "/usr/lib/postgresql",
    searchPath: String? = ProcessInfo.processInfo.environment["PATH"]
  ) throws(PrivateServerError) -> [ServerPrograms] {
    if let directory {
      let directory = absolutePath(directory)
      guard let given = try ServerPrograms(in: directory) else {
        throw PrivateServerError(
          .notInstalled,
          "The folder \(directory) does not contain the PostgreSQL server programs (initdb, pg_ctl, postgres)",
          remedy:
            "Name the folder that contains them with postgres_programs, such as /usr/lib/postgresql/15/bin."
        )
      }
      return [given]
    }
    var found: [ServerPrograms] = []
    // The programs that were examined already: a link, for instance in /usr/local/bin, can lead to
    // the same ones.
    var asked: Set<String> = []
    // Why the first programs that do not work cannot be used.
    var broken: PrivateServerError?
    func ask(_ folder: String) throws(PrivateServerError) {
      guard let server = realpath("\(folder)/postgres", nil) else { return }
      defer { free(server) }
      let name = String(cString: server)
      guard !asked.contains(name) else { return }
      let examined: ServerPrograms?
      do throws(PrivateServerError) { examined = try ServerPrograms(in: folder) } catch {
        guard error.code == .notInstalled else { throw error }
        broken = broken ?? error
        return
      }
      guard let programs = examined else { return }
      asked.insert(name)
      // If a version is found twice, the first one is used.
      if !found.contains(where: { $0.majorVersion == programs.majorVersion }) {
        found.append(programs)
      }
    }
    for folder in debianFolders(debian) {
      try ask(folder)
      if let sought, found.last?.majorVersion == sought { return found }
    }
    for folder in try otherFolders(searchPath) { try ask(folder) }
    guard !found.isEmpty else {
      throw broken
        ?? PrivateServerError(
          .notInstalled, "No PostgreSQL server is installed",
          remedy: "Install one: apt-get install postgresql"
            + "\nOr name an existing database with --database or PGHOST.")
    }
    return found.sorted { $0.majorVersion > $1.majorVersion }
  }

  /// The programs that a running server was started from.
  ///
  /// The server itself has checked that its version is the data folder's, so no program is run to
  /// find out.
  ///
  /// - Returns: Nil if they cannot be determined.
  static func running(_ dataFolder: DataFolder) -> ServerPrograms? {
    // At its start the server writes its command line to this file: its full path, then its
    // options, each in double quotes.
    guard let version = dataFolder.majorVersion,
      let options = try? String(
        contentsOfFile: "\(dataFolder.path)/postmaster.opts", encoding: .utf8),
      let program = options.split(separator: " \"", maxSplits: 1).first, program.hasPrefix("/")
    else { return nil }
    let folder = program.parts(between: "/").dropLast().map { "/\($0)" }.joined()
    return isComplete(folder) ? ServerPrograms(directory: folder, majorVersion: version) : nil
  }

  private static func debianFolders(_ debian: String) -> [String] {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    return versions.map { "\(debian)/\($0)/bin" }
  }

  /// The folder that pg_config names, and the folders of the search path.
  private static func otherFolders(_ searchPath: String?) throws(PrivateServerError) -> [String] {
    let searched = (searchPath ?? "").split(separator: ":").map(String.init)
      .filter { $0.hasPrefix("/") }
    guard searched.contains(where: { access("\($0)/pg_config", X_OK) == 0 }) else {
      return searched
    }
    let told = try ProgramRun.run("pg_config", ["--bindir"])
    return (told.succeeded ? [told.output.lastLines(1)] : []) + searched
  }

  private static func isComplete(_ folder: String) -> Bool {
    ["initdb", "pg_ctl", "postgres"].allSatisfy { access("\(folder)/\($0)", X_OK) == 0 }
  }

  /// The programs in a folder, or nil if a needed one is missing.
  ///
  /// - Throws: ``PrivateServerError`` with `notInstalled` if all are there but do not work, for
  ///   instance without one of their libraries.
  private init?(in folder: String) throws(PrivateServerError) {
    guard Self.isComplete(folder) else { return nil }
    let told = try ProgramRun.run("\(folder)/postgres", ["--version"])
    // For instance "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"; a beta version is
    // "17beta1".
    guard told.succeeded,
      let words = told.output.split(separator: ") ", maxSplits: 1).dropFirst().first,
      let major = Int(words.prefix { $0.isNumber })
    else {
      let said = told.output.lastLines(3)
      throw PrivateServerError(
        .notInstalled,
        "\(folder)/postgres --version names no version\(said.isEmpty ? "" : ":\n\(said)")",
        remedy: "A library is missing, or the programs are damaged: install their packages again.")
    }
    self.init(directory: folder, majorVersion: major)
  }

  private init(directory: String, majorVersion: Int) {
    self.directory = directory
    self.majorVersion = majorVersion
  }
}
