import ArgumentParser
import Configuration
import Logging
import PrivateServer

/// `tieout upgrade-server`: upgrades the private server.
struct UpgradeServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade-server",
    abstract: "Upgrades the private server to the newest installed PostgreSQL.",
    discussion: """
      Dumps the data and restores it into a new server. The old data stays beside the new data until you \
      delete it.
      """)

  @OptionGroup var places: PlaceOptions

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      let logger = Log(settings).logger
      let moved = try StopSignals.whileAtWork {
        try PrivateServer.upgrade(
          stateDirectory: settings.stateDirectory, programs: settings.postgresPrograms,
          log: { logger.notice("\($0)") }, notice: { logger.notice("\($0)") })
      }
      let words =
        if let moved {
          "The private server runs PostgreSQL \(moved.to) now. The data of \(moved.from) is kept beside it."
        } else {
          "Nothing to do: no newer PostgreSQL is installed, or there is no private server yet."
        }
      try StandardOutput.writeResult("\(words)\n")
    }
  }
}
