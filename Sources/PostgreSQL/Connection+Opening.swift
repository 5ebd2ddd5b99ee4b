import CLibPQ
import Glibc
import Waiting

extension Connection {
  /// A libpq connection that one thread passes to another.
  private struct Opened: @unchecked Sendable {
    let handle: OpaquePointer?
  }

  /// Opens a connection with libpq, with a timeout.
  static func open(
    _ connectionString: String, applicationName: String
  ) throws(PostgreSQLError) -> OpaquePointer {
    var given = [
      ("dbname", connectionString), ("fallback_application_name", applicationName),
      ("client_encoding", "UTF8"),
    ]
    // Without this, libpq waits permanently for a server that accepts the connection and does not
    // answer.
    if try !saysTimeout(connectionString) {
      given.insert(("connect_timeout", "\(Patience.connection.components.seconds)"), at: 0)
    }
    let keywords = given.map(\.0)
    let values = given.map(\.1)
    let wait = Wait(atMost: Patience.allConnections)
    let opened: Opened?
    do {
      opened = try Aside.call(
        wait,
        {
          withCStrings(keywords) { keywords in
            withCStrings(values) { Opened(handle: PQconnectdbParams(keywords, $0, 1)) }
          }
        }, late: { PQfinish($0.handle) })
    } catch {
      throw PostgreSQLError(code: .noThread, step: "connect", message: "\(error)")
    }
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
      let words = String(cString: PQerrorMessage(handle))
      PQfinish(handle)
      let message = try ConnectionText(connectionString).hidingValues(in: words)
      throw PostgreSQLError(code: .connectionFailed, step: "connect", message: message)
    }
    // In this mode no send blocks, even if the server does not read.
    PQsetnonblocking(handle, 1)
    return handle
  }

  /// Whether a timeout is set elsewhere: in the string, in the environment, or possibly in a
  /// service file.
  private static func saysTimeout(_ connectionString: String) throws(PostgreSQLError) -> Bool {
    let said = try ConnectionText(connectionString).values.map(\.keyword)
    return said.contains("connect_timeout") || said.contains("service")
      || getenv("PGCONNECT_TIMEOUT") != nil || getenv("PGSERVICE") != nil
  }
}
