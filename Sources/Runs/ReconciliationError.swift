/// The reason why a night could not go on.
package struct ReconciliationError: Error, Sendable, CustomStringConvertible {
  /// The kind of the reason.
  package enum Code: Sendable {
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
    /// The named thing does not exist, is ambiguous, or does not allow this action.
    case unknown
    /// The database belongs to a newer program, or is no database of ours.
    case schema
  }

  /// The kind of the reason.
  package let code: Code
  /// One line for people: the problem, the place, and what to do.
  package let message: String

  /// Makes an error.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
