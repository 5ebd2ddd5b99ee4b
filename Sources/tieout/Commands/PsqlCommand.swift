import ArgumentParser
import Configuration
import PostgreSQL

/// `tieout psql`: psql on Tieout's database.
struct PsqlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "psql",
    abstract: "Opens psql on Tieout's database.",
    discussion: """
      The search path contains Tieout's tables and views: `select * from finding;`. Arguments after `--` \
      go to psql: tieout psql -- -c 'table run'.
      """)

  @OptionGroup var common: CommonOptions

  @Argument(parsing: .postTerminator, help: "Arguments for psql.")
  var arguments: [String] = []

  func run() throws {
    try Ending.explained {
      let settings = try common.settings()
      let status = try Database.useWithPrograms(settings, logger: Log(settings).logger) {
        database, programs in
        // The list of processes must not show the password. With an empty string libpq uses its
        // environment.
        let connection = try ConnectionText(database)
        var text = connection.withoutSecrets
        let (isDirect, options) = try Self.session(database)
        if isDirect, options != ProgramEnvironment.variables["PGOPTIONS"] ?? "" {
          // They take precedence over PGOPTIONS, and of two values in a string the last one counts.
          text += " options=\(ConnectionText.quoted("\(options) \(Psql.searchPath)"))"
        }
        let words = text.isEmpty ? [] : ["--dbname", text]
        if !isDirect {
          StandardError.writeLine(
            "tieout: A pooler does not let a client set the search path. Name the schema: table tieout.run"
          )
        }
        return try StopSignals.leavingInterrupts {
          try Psql.run(
            arguments: words + arguments, password: connection.password, setsSearchPath: isDirect,
            orIn: programs)
        }
      }
      if status != 0 { throw ExitCode(status) }
    }
  }

  /// Whether a connection leads to the server itself, and with which options.
  private static func session(_ database: String) throws -> (isDirect: Bool, options: String) {
    let session = try Connection(database, applicationName: "tieout psql")
    return (try session.isDirect(), session.options)
  }
}
