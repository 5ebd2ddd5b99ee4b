import CLibPQ
import Effects
import Glibc

/// The places where tests inject faults.
///
/// The connection is always real, so that messages and state come from libpq and the server.
extension Connection {
  /// Runs before a connection is opened.
  @inline(__always)
  static func meetConnect(_ applicationName: String) throws(PostgreSQLError) {
    switch Effect.connect.fault(applicationName) {
    case nil, .systemError:
      return
    case .killedUnanswered:
      kill(getpid(), SIGKILL)
    case .connectionLost, .answerLost, .refused:
      throw PostgreSQLError(
        code: .connectionFailed, step: "connect", message: "refused by a test")
    }
  }

  /// Runs before everything that is sent to the server.
  ///
  /// - Parameter send: Sends it without waiting for the answer.
  /// - Throws: The error of the server or of the broken connection.
  @inline(__always)
  func meet(
    _ effect: Effect, step: String, send: () -> Void = {}
  ) throws(PostgreSQLError) {
    guard let fault = effect.fault(step) else { return }
    try meet(fault, step: step, send: send)
  }

  /// Runs before each piece of a `COPY`.
  ///
  /// No SQL statement can be sent within a `COPY`, so a fault breaks the connection.
  @inline(__always)
  func meetChunk(step: String) {
    guard let fault = Effect.chunk.fault(step) else { return }
    if fault == .killedUnanswered { kill(getpid(), SIGKILL) }
    if case .systemError = fault { return }
    shutdown(PQsocket(handle), Int32(SHUT_RDWR))
  }

  private func meet(_ fault: Fault, step: String, send: () -> Void) throws(PostgreSQLError) {
    switch fault {
    case .systemError:
      return
    case .connectionLost:
      // The following attempt to send fails.
      shutdown(PQsocket(handle), Int32(SHUT_RDWR))
    case .refused(let state):
      let result = PQexec(
        handle, "do $$ begin raise exception 'refused by a test' using errcode = '\(state)'; end $$"
      )
      defer { PQclear(result) }
      throw failure(result, step: step)
    case .answerLost, .killedUnanswered:
      send()
      while PQflush(handle) == 1 {}
      if fault == .killedUnanswered { kill(getpid(), SIGKILL) }
      var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      poll(&socket, 1, 10_000)
      shutdown(socket.fd, Int32(SHUT_RDWR))
      throw PostgreSQLError(
        code: .connectionFailed, step: step,
        message: "server closed the connection unexpectedly, because of a test")
    }
  }
}
