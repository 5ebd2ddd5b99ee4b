/// The reason why the private server cannot be used, with a remedy.
package struct PrivateServerError: Error, CustomStringConvertible, Equatable {
  /// The kind of error.
  package enum Code: Sendable {
    /// PostgreSQL's server programs are not installed, or not all of them.
    case notInstalled
    /// The installed server is of a newer major version than the data folder.
    case newerServer
    /// The installed server is of an older major version than the data folder.
    case olderServer
    /// The state directory cannot be created or used.
    case unusableDirectory
    /// The data folder cannot be created.
    case cannotCreate
    /// The server does not start.
    case cannotStart
    /// The server does not stop.
    case cannotStop
    /// The data folder cannot be upgraded to a newer major version.
    case cannotUpgrade
    /// Another command uses the server, and the requested work needs it exclusively.
    case inUse
    /// A program did not end in its time, and was ended.
    case noAnswer
    /// The system allows no further thread.
    case noThread
    /// Another process holds a lock for too long, the server is still recovering, or a server that
    /// is not visible here uses the same files: try again later.
    case busy
    /// The program got a stop request.
    case stopped
  }

  /// The kind of error.
  package let code: Code
  /// The problem and its place.
  package let message: String
  /// The remedy.
  package let remedy: String

  init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// The program got a stop request.
  ///
  /// - Parameter place: What it was doing, such as `while waiting for …`.
  static func stopped(_ place: String) -> PrivateServerError {
    PrivateServerError(.stopped, "Stopped \(place).", remedy: "Start it again.")
  }

  /// The message and the remedy, as the operator sees them.
  ///
  /// A full stop is added to the message if it has none, because both can be shown in one line.
  package var description: String {
    "\(message)\(message.last.map { ".:".contains($0) } == true ? "" : ".")\n\(remedy)"
  }
}
