import CLibPQ
package import Waiting

/// A server's answer to a connection attempt.
package enum ServerSign: Sendable {
  /// The server accepts connections.
  case takesConnections
  /// The server refuses connections: it is starting, recovering or stopping.
  case refuses
  /// There is no server, or it does not answer.
  case silent
  /// libpq cannot use the settings, so it did not try to connect.
  case notTried

  /// Tests whether a server accepts connections.
  ///
  /// It waits ten seconds at most.
  ///
  /// - Throws: `ThreadError`; then nothing is known about the server.
  package init(of connectionString: String) throws(ThreadError) {
    // libpq does not use a timeout shorter than two seconds.
    let text = "\(connectionString) connect_timeout=3"
    let sign = try Aside.call(
      Wait(atMost: .seconds(10)), { PQping(text).rawValue }, late: { _ in })
    self =
      switch sign.map({ PGPing(rawValue: $0) }) {
      case PQPING_OK: .takesConnections
      case PQPING_REJECT: .refuses
      case PQPING_NO_ATTEMPT: .notTried
      default: .silent
      }
  }
}
