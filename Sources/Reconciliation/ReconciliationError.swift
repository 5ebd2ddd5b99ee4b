/// Why a night could not go on.
public struct ReconciliationError: Error, Sendable, CustomStringConvertible {
  /// What kind of reason it is.
  public enum Code: Sendable {
    /// Another run holds the lock.
    case locked
    /// The run was told to stop.
    case stopped
    /// More was rejected than the settings allow.
    case tooMuchRejected
    /// Totals do not agree: nothing was published.
    case totals
    /// A report cannot be written.
    case reports
    /// The inbox, or a setting that only the database can judge, is not usable.
    case configuration
    /// What somebody named is not there, is several things, or is nothing that this can be done with.
    case unknown
    /// The database belongs to a newer program, or is no database of ours.
    case schema
  }

  /// What kind of reason it is.
  public let code: Code
  /// One line for people: what, where, and what to do.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
