/// The receivers of the private server's messages.
struct ServerReport: Sendable {
  /// Receives the steps that take time.
  let info: @Sendable (String) -> Void
  /// Receives messages for the operator: which process a wait is for, and what was ended by force.
  let notice: @Sendable (String) -> Void
}
