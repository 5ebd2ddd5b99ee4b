import ArgumentParser
import Configuration
import Logging
import PrivateServer

/// `tieout upgrade-server`: the private PostgreSQL to the newest installed version.
struct UpgradeServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade-server",
    abstract: "Moves the private PostgreSQL to the newest installed version, by dump and restore.",
    discussion: "The old data stays beside the new until you delete it.")

  @OptionGroup var places: PlaceOptions

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      let logger = Log(settings).logger
      let moved = try PrivateServer.upgrade(
        stateDirectory: settings.stateDirectory, programs: settings.postgresPrograms
      ) { logger.notice("\($0)") }
      if let moved {
        print(
          "The private PostgreSQL is \(moved.to) now; the data of \(moved.from) is kept beside it.")
      } else {
        print("Nothing to do: no newer PostgreSQL is installed, or there is no private one yet.")
      }
    }
  }
}
