import CLibPQ
import Glibc
import Waiting

/// Waits for the server.
///
/// It never waits inside libpq, because libpq waits without a limit.
extension Connection {
  /// A wait for the answer to one request.
  static var answer: Wait { answer(atMost: Patience.sqlStatement) }

  /// A wait for the answer to one request, with another limit.
  static func answer(atMost limit: Duration) -> Wait {
    Wait(atMost: limit, afterStop: Patience.afterStop)
  }

  /// The next result of the request; nil if there are no more.
  func nextResult(_ wait: Wait, step: String) throws(PostgreSQLError) -> OpaquePointer? {
    try flush(wait, step: step)
    while PQisBusy(handle) == 1 {
      try waitFor(POLLIN, wait, step: step)
      // The result contains the error.
      guard PQconsumeInput(handle) == 1 else { break }
    }
    return PQgetResult(handle)
  }

  /// The last result of the request, or the first result of a `COPY`; frees all others.
  func lastResult(
    _ wait: Wait, step: String, each: (OpaquePointer) -> Void = { _ in }
  ) throws(PostgreSQLError) -> OpaquePointer? {
    var last: OpaquePointer?
    while true {
      let result: OpaquePointer?
      do { result = try nextResult(wait, step: step) } catch {
        PQclear(last)
        throw error
      }
      guard let result else { return last }
      PQclear(last)
      last = result
      each(result)
      let status = PQresultStatus(result)
      if status == PGRES_COPY_IN || status == PGRES_COPY_OUT { return last }
    }
  }

  /// Sends the data that libpq has not sent yet.
  func flush(_ wait: Wait, step: String) throws(PostgreSQLError) {
    while true {
      switch PQflush(handle) {
      case 0: return
      case 1:
        // A server that is sending does not read until its data is read.
        try waitFor(POLLIN | POLLOUT, wait, step: step)
        PQconsumeInput(handle)
      // The result has more information than the failed write.
      default: return
      }
    }
  }

  /// The next row of a `COPY … TO STDOUT`, with the return values of `PQgetCopyData`.
  ///
  /// - Parameter limit: The longest wait for it.
  func nextRow(
    _ row: inout UnsafeMutablePointer<CChar>?, atMost limit: Duration, step: String
  ) throws(PostgreSQLError) -> Int32 {
    // Most rows have already arrived. A wait for each row would cost more time than reading it.
    var wait: Wait?
    while true {
      let count = PQgetCopyData(handle, &row, 1)
      guard count == 0 else { return count }
      let begun = wait ?? Self.answer(atMost: limit)
      wait = begun
      try waitFor(POLLIN, begun, step: step)
      guard PQconsumeInput(handle) == 1 else { return -2 }
    }
  }

  /// Waits until the server sends data or accepts more, at most a tenth of a second.
  ///
  /// It also returns if nothing happened, and the caller asks libpq again: the encryption layer of
  /// libpq can hold data that the socket no longer announces.
  ///
  /// If the process gets a stop request, the SQL statement is cancelled, once.
  ///
  /// - Throws: ``PostgreSQLError`` when the wait ends; the connection is broken then.
  private func waitFor(
    _ events: Int32, _ wait: Wait, step: String
  ) throws(PostgreSQLError) {
    var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
    guard poll(&socket, 1, 100) == 0 else { return }
    if wait.wasTold, !isCancelled {
      isCancelled = true
      cancellation().cancel()
    }
    if let end = wait.end { throw giveUp(end, after: wait.elapsed, step: step) }
  }

  private func giveUp(_ end: Wait.End, after time: Duration, step: String) -> PostgreSQLError {
    let who = "the server (its process \(PQbackendPID(handle)))"
    shutdown(PQsocket(handle), Int32(SHUT_RDWR))
    return switch end {
    case .stop:
      PostgreSQLError(
        code: .cancelled, step: step,
        message: "stopped, and \(who) did not answer; the connection was closed")
    case .limit:
      PostgreSQLError(
        code: .connectionFailed, step: step,
        message: "\(who) did not answer within \(time.inSeconds); the connection was closed")
    }
  }
}
