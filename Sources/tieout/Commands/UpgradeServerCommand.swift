import ArgumentParser
import Configuration
import Logging
import PrivateServer
import Runs

/// `tieout upgrade-server`: upgrades the private server.
struct UpgradeServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade-server",
    abstract: "Upgrades the private server to the newest installed PostgreSQL.",
    discussion: """
      Dumps the data and restores it into a new server. The old data stays beside the new data until you \
      delete it.
      """)

  @OptionGroup var common: CommonOptions

  func run() throws {
    try Ending.explained {
      let settings = try common.settings()
      guard !settings.onCommandLine.contains("database") else {
        throw ReconciliationError(
          .unknown,
          "--database: this command upgrades the private server of state_directory only. Leave the option out."
        )
      }
      let logger = Log(settings).logger
      let outcome = try StopSignals.whileAtWork {
        try PrivateServer.upgrade(
          stateDirectory: settings.stateDirectory, programs: settings.postgresPrograms,
          report: ServerReport(
            info: { logger.notice("\($0)") }, notice: { logger.notice("\($0)") }))
      }
      let words =
        switch outcome {
        case .upgraded(let old, let new):
          "The private server runs PostgreSQL \(new) now. The data of \(old) is kept beside it."
        case .isNewest(let version):
          "Nothing to do: the private server runs PostgreSQL \(version), and no newer one is installed."
        case .noServer: "Nothing to do: there is no private server yet. The first run makes one."
        }
      try StandardOutput.writeResult("\(words)\n")
    }
  }
}
