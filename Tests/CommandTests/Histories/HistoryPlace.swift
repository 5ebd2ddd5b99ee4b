import Foundation
import Glibc
import ReconciliationTestSupport

/// One of the databases of a history, with its reports, and the program that works on both.
final class HistoryPlace {
  /// Where the program keeps its database.
  enum Keeping {
    /// In a private server, which the program starts and stops.
    case own(Place)
    /// On the server of the tests.
    case shared(ScratchDatabase)
  }

  let keeping: Keeping
  let reports: URL
  private let folder: URL
  private let environment: [String: String]
  private let inbox: URL

  /// - Parameter name: The last part of the name of its reports folder.
  init(_ name: String, _ keeping: Keeping, inbox: URL, in folder: URL, roots: String) {
    self.keeping = keeping
    self.folder = folder
    self.inbox = inbox
    reports = folder.appending(path: "reports-\(name)")
    var environment = [
      "TIEOUT_REPORTS": reports.path, "TIEOUT_INBOX": inbox.path, "TIEOUT_TRUSTED_ROOTS": roots,
      "TIEOUT_WORKBOOK": "false", "HOME": folder.path, "PATH": "/usr/bin:/bin",
    ]
    switch keeping {
    case .own(let place): environment["TIEOUT_STATE_DIRECTORY"] = place.state
    case .shared(let database): environment["TIEOUT_DATABASE"] = database.connectionString
    }
    self.environment = environment
  }

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - settings: The settings, as environment variables.
  ///   - effects: The value of `TIEOUT_EFFECTS`, with a plan for the points.
  func start(
    _ words: [String], settings: [String: String] = [:], effects: String = "-"
  ) throws -> Program {
    try Program(
      words,
      environment: environment.merging(settings) { $1 }
        .merging(["TIEOUT_EFFECTS": effects]) { $1 },
      in: folder.path)
  }

  /// The result of an SQL script, with one line for each row.
  func ask(_ script: String) throws -> [String] {
    let file = folder.appending(path: "question.sql")
    try script.write(to: file, atomically: true, encoding: .utf8)
    let ended = try start([
      "psql", "--", "-qAtX", "-v", "ON_ERROR_STOP=1", "-f", file.path,
    ]).ended()
    guard ended.status == 0 else { throw HistoryProblem("psql: \(ended.errors)") }
    return ended.output.split(separator: "\n").map(String.init)
  }
}

/// The reason why a history cannot continue.
struct HistoryProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
