import ExactText

extension ServerPrograms {
  /// The programs for an existing data folder: those of its running server, or those that can
  /// start it.
  ///
  /// - Parameter folder: The folder that a setting names; its programs are then used in any case.
  static func serving(
    _ dataFolder: DataFolder, chosen folder: String?
  ) throws(PrivateServerError) -> ServerPrograms {
    if folder == nil, try dataFolder.server().state == .ready, let running = running(dataFolder) {
      return running
    }
    return try matching(dataFolder, among: installed(in: folder, sought: dataFolder.majorVersion))
  }

  /// The sentences about the data that a new data folder does not get from the inbox.
  private static let lost = """
    What only the database contains is lost: withdrawals, forgotten names, closed periods, \
    acknowledgements made by command, and the history of runs and findings. Repeat every tieout \
    withdraw before that run, and every tieout forget after it.
    """

  /// The programs of the data folder's own major version.
  ///
  /// Other versions cannot read its files.
  static func matching(
    _ dataFolder: DataFolder, among installed: [ServerPrograms]
  ) throws(PrivateServerError) -> ServerPrograms {
    guard let version = dataFolder.majorVersion else {
      throw PrivateServerError(
        .cannotStart,
        "\(dataFolder.path) exists but is not a data folder of PostgreSQL: it has no PG_VERSION",
        remedy: "Restore it from a backup, or move it away: the next run creates a new one and"
          + " loads the inbox again. \(lost)")
    }
    if let same = installed.first(where: { $0.majorVersion == version }) { return same }
    let others = installed.map { "\($0.majorVersion)" }.joined(separator: " and ")
    let newest = installed.map(\.majorVersion).max() ?? 0
    let beside = """
      Install PostgreSQL \(version) beside it: apt-get install postgresql-\(version) (where Debian no \
      longer has it, from apt.postgresql.org)
      """
    let message =
      "The private server's data folder \(dataFolder.path) was made by PostgreSQL \(version), but"
      + " this machine has PostgreSQL \(others)"
    let paths = [dataFolder.path, "\(dataFolder.path).\(version)"].map(ShellWord.of)
    let again = """
      Or start with a new data folder: mv \(paths.joined(separator: " ")), and the next run loads \
      the inbox again. \(lost)
      """
    guard newest > version else {
      throw PrivateServerError(.olderServer, message, remedy: "\(beside).\n\(again)")
    }
    throw PrivateServerError(
      .newerServer, message,
      remedy: """
        \(beside). Then everything works as before, and tieout upgrade-server can upgrade to PostgreSQL \
        \(newest): it dumps the database (pg_dump -Fc) and restores it into a new folder (pg_restore).
        \(again)
        """)
  }
}
