import Foundation

/// Makes psql wait, with an open connection, until the test lets it go on.
///
/// It also goes on when the folder is removed.
struct Gate {
  /// The command for psql that waits.
  let command: String
  private let closed: String
  private let reached: String

  init(in folder: String) throws {
    closed = "\(folder)/gate-is-closed"
    reached = "\(folder)/gate-is-reached"
    command = "\\! touch '\(reached)'; while [ -e '\(closed)' ]; do sleep 0.05; done"
    try Data().write(to: URL(filePath: closed))
  }

  /// Whether psql waits here.
  var isReached: Bool { FileManager.default.fileExists(atPath: reached) }

  func open() {
    try? FileManager.default.removeItem(atPath: closed)
  }
}
