package import Waiting

extension StopRequest {
  /// Throws `stopped` if the run was told to stop.
  package func check() throws(ReconciliationError) {
    guard !isMade else { throw .stopped }
  }
}

extension ReconciliationError {
  /// The error of a command that was told to stop.
  ///
  /// What is done already depends on the command, such as the reports of an earlier run that this
  /// one has published.
  static let stopped = ReconciliationError(
    .stopped, "Stopped before the command was done. Start it again.")
}
