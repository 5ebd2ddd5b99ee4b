import ArgumentParser
import Reconciliation

/// `tieout roles`: the statements that make the roles.
struct RolesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roles",
    abstract: "Prints the statements that make the database's roles, for an administrator.",
    discussion: """
      tieout_owner owns the schema, tieout_job may do what the nightly run needs and no more, \
      tieout_reader reads the views. Run them as the server's administrator in the database that is to be \
      used, once or again at any time:

        tieout roles | psql --set ON_ERROR_STOP=1 --dbname tieout
      """)

  func run() {
    print(Roles.statements, terminator: "")
  }
}
