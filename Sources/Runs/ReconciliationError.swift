/// The reason why a command ended without a result.
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
    /// Sums that must be equal differ; the message says what to do.
    case unbalanced
    /// A report, or another file that the program writes, cannot be written or read.
    case reports
    /// A setting, the inbox or the server is not usable, or no night is done yet.
    case configuration
    /// An argument has no usable value, or names something that does not exist, is ambiguous or
    /// does not allow this action.
    case unknown
    /// The database cannot be used: its version, encoding, owner or content is wrong, or a node of
    /// the cluster is missing.
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
