import CLibPQ
import Waiting

/// What a server says when somebody knocks.
public enum ServerSign: Sendable {
  /// It takes connections.
  case takesConnections
  /// It is there and takes none: it starts, recovers or stops.
  case refuses
  /// Nobody is there, or somebody who says nothing.
  case silent

  /// Knocks at a server, and waits a few seconds at most for what it says.
  public init(of connectionString: String) {
    // libpq takes no fewer seconds than two.
    let text = "\(connectionString) connect_timeout=3"
    let sign = Aside.call(Wait(atMost: .seconds(10)), { PQping(text).rawValue }, late: { _ in })
    self =
      switch sign.map({ PGPing(rawValue: $0) }) {
      case PQPING_OK: .takesConnections
      case PQPING_REJECT: .refuses
      default: .silent
      }
  }
}
