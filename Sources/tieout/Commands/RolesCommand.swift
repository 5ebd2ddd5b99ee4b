import ArgumentParser
import Runs

/// `tieout roles`: the SQL statements that create the roles.
struct RolesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roles",
    abstract: "Prints the SQL statements that create the database roles, for an administrator.",
    discussion: """
      tieout_owner owns the schema, tieout_job has only the privileges that the nightly run needs, \
      tieout_reader reads the views, and roles of persons in tieout_closer close, approve and reopen periods. \
      Run the SQL commands as an administrator in Tieout's database. They can be run again at any time:

        tieout roles | psql --set ON_ERROR_STOP=1 --dbname tieout
      """)

  func run() throws {
    try Ending.explained { try StandardOutput.write(Roles.commands) }
  }
}
