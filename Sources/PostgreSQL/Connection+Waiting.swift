import CLibPQ
import Glibc
import Waiting

/// Where the server is waited for: never inside of libpq, which would wait without end.
extension Connection {
  /// A wait for the answer to one question.
  static var answer: Wait { Wait(atMost: Patience.statement, afterStop: Patience.afterStop) }

  /// The next result of what was sent; nil when there are no more.
  func nextResult(_ wait: Wait, step: String) throws(PostgreSQLError) -> OpaquePointer? {
    try flush(wait, step: step)
    while PQisBusy(handle) == 1 {
      try waitFor(POLLIN, wait, step: step)
      // What went wrong is told by the result.
      guard PQconsumeInput(handle) == 1 else { break }
    }
    return PQgetResult(handle)
  }

  /// The last result of what was sent, or the first of a `COPY`; the others are let go.
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

  /// Sends what libpq has not sent yet.
  func flush(_ wait: Wait, step: String) throws(PostgreSQLError) {
    while true {
      switch PQflush(handle) {
      case 0: return
      case 1:
        // A server that wants to say something first reads nothing until it has been heard.
        try waitFor(POLLIN | POLLOUT, wait, step: step)
        PQconsumeInput(handle)
      // The result tells more than the failed write.
      default: return
      }
    }
  }

  /// The next row of a `COPY … TO STDOUT`, as `PQgetCopyData` gives it.
  func nextRow(
    _ row: inout UnsafeMutablePointer<CChar>?, step: String
  ) throws(PostgreSQLError) -> Int32 {
    // Most rows are there already, and a wait for each would cost more than they do.
    var wait: Wait?
    while true {
      let count = PQgetCopyData(handle, &row, 1)
      guard count == 0 else { return count }
      let begun = wait ?? Self.answer
      wait = begun
      try waitFor(POLLIN, begun, step: step)
      guard PQconsumeInput(handle) == 1 else { return -2 }
    }
  }

  /// Waits until the server says something or takes more; has it cancel the statement, once, if the process is told
  /// to stop meanwhile.
  ///
  /// - Throws: when the wait is over; the connection is broken then.
  private func waitFor(
    _ events: Int32, _ wait: Wait, step: String
  ) throws(PostgreSQLError) {
    var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
    while poll(&socket, 1, 100) == 0 {
      if wait.wasTold, !isCancelled {
        isCancelled = true
        cancellation().cancel()
      }
      if let end = wait.end { throw giveUp(end, after: wait.elapsed, step: step) }
    }
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
