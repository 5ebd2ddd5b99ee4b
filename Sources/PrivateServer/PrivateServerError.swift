/// Why the private server cannot be used, and what to do about it.
public struct PrivateServerError: Error, CustomStringConvertible, Equatable {
  /// What kind of thing went wrong.
  public enum Code: String, Sendable {
    /// No PostgreSQL server programs are installed, or not all of them.
    case notInstalled
    /// The installed server is of a newer major version than the cluster.
    case newerServer
    /// The installed server is of an older major version than the cluster.
    case olderServer
    /// The state directory cannot be made or used.
    case unusableDirectory
    /// The cluster cannot be created.
    case cannotCreate
    /// The server does not start.
    case cannotStart
    /// The server does not stop.
    case cannotStop
    /// The cluster cannot be brought to a newer major version.
    case cannotUpgrade
    /// Someone uses the server, and what was asked needs it alone.
    case inUse
    /// A program did not end, and was ended.
    case noAnswer
    /// Another process is at it and does not end, or the server still recovers: try again later.
    case busy
    /// The program was told to stop.
    case stopped
  }

  /// What kind of thing went wrong.
  public let code: Code
  /// What went wrong, and where.
  public let message: String
  /// What to do about it.
  public let remedy: String

  init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// The program was told to stop.
  ///
  /// - Parameter place: where it stood, such as `while waiting for …`.
  static func stopped(_ place: String) -> PrivateServerError {
    PrivateServerError(.stopped, "Stopped \(place).", remedy: "Start it again.")
  }

  /// The message and the remedy, as they are shown to the operator.
  public var description: String { "\(message)\n\(remedy)" }
}
