package import Waiting

extension StopRequest {
  /// Throws `stopped` if the run was told to stop.
  package func check() throws(ReconciliationError) {
    guard !isMade else {
      // What is done already depends on the command, such as the reports of an earlier run that
      // this one has published.
      throw ReconciliationError(
        .stopped, "Stopped before the command was done. Start it again.")
    }
  }
}
