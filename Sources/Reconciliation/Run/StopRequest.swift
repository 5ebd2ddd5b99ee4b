import Dispatch
import PostgreSQL
import Waiting

extension StopRequest {
  /// Lets the request cancel this connection's statements.
  ///
  /// The connection itself heeds the request of the process.
  func covers(_ connection: Connection) {
    guard self !== StopRequest.ofProcess else { return }
    let cancellation = connection.cancellation()
    // A server that does not answer would hold up whoever makes the request.
    onMake { DispatchQueue.global().async { cancellation.cancel() } }
  }

  /// Throws if somebody wishes the run to stop.
  func check() throws(ReconciliationError) {
    guard !isMade else {
      throw ReconciliationError(
        .stopped, "Stopped: nothing changed. Start it again.")
    }
  }
}
