import Dispatch
package import PostgreSQL
import Waiting

extension StopRequest {
  /// Makes a stop request cancel this connection's SQL statements.
  ///
  /// Every connection already obeys ``StopRequest/ofProcess``, so this does nothing for it.
  package func covers(_ connection: Connection) {
    guard self !== StopRequest.ofProcess else { return }
    let cancellation = connection.cancellation()
    // In the background: a server that does not answer would block the thread that makes the
    // request.
    onMake { DispatchQueue.global().async { cancellation.cancel() } }
  }

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
