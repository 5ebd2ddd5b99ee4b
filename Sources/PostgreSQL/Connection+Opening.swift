import CLibPQ
import Glibc
import Waiting

extension Connection {
  /// libpq's connection, on its way from one thread to another.
  private struct Opened: @unchecked Sendable {
    let handle: OpaquePointer?
  }

  /// Has libpq open a connection, and does not wait for ever.
  static func open(
    _ connectionString: String, applicationName: String
  ) throws(PostgreSQLError) -> OpaquePointer {
    var given = [
      ("dbname", connectionString), ("fallback_application_name", applicationName),
      ("client_encoding", "UTF8"),
    ]
    // libpq would wait without end for a server that takes the connection and says nothing.
    if try !saysTimeout(connectionString) {
      given.insert(("connect_timeout", "\(Patience.connection.components.seconds)"), at: 0)
    }
    let keywords = given.map(\.0)
    let values = given.map(\.1)
    let wait = Wait(atMost: Patience.allConnections)
    let opened = Aside.call(
      wait,
      {
        withCStrings(keywords) { keywords in
          withCStrings(values) { Opened(handle: PQconnectdbParams(keywords, $0, 1)) }
        }
      }, late: { PQfinish($0.handle) })
    guard let opened else {
      throw wait.end == .stop
        ? PostgreSQLError(
          code: .cancelled, step: "connect", message: "stopped while connecting")
        : PostgreSQLError(
          code: .connectionFailed, step: "connect",
          message: "no connection within \(Patience.allConnections.inSeconds)")
    }
    guard let handle = opened.handle else {
      throw PostgreSQLError(code: .connectionFailed, step: "connect", message: "out of memory")
    }
    guard PQstatus(handle) == CONNECTION_OK else {
      let message = String(cString: PQerrorMessage(handle))
      PQfinish(handle)
      throw PostgreSQLError(code: .connectionFailed, step: "connect", message: message)
    }
    // Nothing that is sent may block, however little the server reads.
    PQsetnonblocking(handle, 1)
    return handle
  }

  /// Whether somebody else says how long to wait: the string, the environment, or perhaps a service's file.
  private static func saysTimeout(_ connectionString: String) throws(PostgreSQLError) -> Bool {
    let said = try ConnectionText(connectionString).values.map(\.keyword)
    return said.contains("connect_timeout") || said.contains("service")
      || getenv("PGCONNECT_TIMEOUT") != nil || getenv("PGSERVICE") != nil
  }
}
