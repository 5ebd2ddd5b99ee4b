/// Whom the private server tells what it does.
struct ServerReport: Sendable {
  /// What takes its time.
  let info: @Sendable (String) -> Void
  /// What somebody should know: who is waited for, and what was ended by force.
  let notice: @Sendable (String) -> Void
}
