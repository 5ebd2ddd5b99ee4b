import ArgumentParser
import Configuration
import PostgreSQL

/// `tieout psql`: psql on whichever database is in use.
struct PsqlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "psql",
    abstract: "Opens psql on whichever database is in use.",
    discussion: """
      The tables and views of tieout are in the search path: `select * from finding;`. What stands \
      behind `--` goes to psql: tieout psql -- -c 'table run'.
      """)

  @OptionGroup var places: PlaceOptions

  @Argument(parsing: .postTerminator, help: "Arguments for psql.")
  var arguments: [String] = []

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      let status = try Database.use(settings, logger: Log(settings).logger) { database in
        // A password is not for a list of processes. An empty string lets libpq's environment speak.
        let connection = try ConnectionText(database)
        let words = database.isEmpty ? [] : ["--dbname", connection.withoutSecrets]
        return try Psql.run(arguments: words + arguments, password: connection.password)
      }
      if status != 0 { throw ExitCode(status) }
    }
  }
}
