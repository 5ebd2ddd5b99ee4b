import CLibPQ
import Effects
import Waiting

/// A connection to PostgreSQL, for one thread at a time.
///
/// All calls block. They end within the times of ``Patience``, or soon after a stop request. A
/// broken connection stays broken: open a new one.
package final class Connection {
  let handle: OpaquePointer
  /// Whether a stop request has cancelled an SQL statement of this connection.
  var isCancelled = false
  /// Called before each SQL statement with its parameters; not called for copies.
  package var listener: ((_ sql: String, _ parameters: [String?]) -> Void)?

  /// Connects with a libpq connection string or URI.
  ///
  /// libpq's environment variables (`PGHOST`, `PGSERVICE`, …) set the values that it leaves out.
  ///
  /// - Throws: ``PostgreSQLError`` with `connectionFailed`, `cancelled` or `noThread`.
  package init(_ connectionString: String, applicationName: String) throws(PostgreSQLError) {
    try Self.meetConnect(applicationName)
    handle = try Self.open(connectionString, applicationName: applicationName)
    // Notices contain nothing that the callers need.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    try setUpSession()
  }

  deinit {
    PQfinish(handle)
  }

  /// The server's version, for example 150018.
  package var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// The server options of the session: those of the connection string, or else of a service file,
  /// or else of `PGOPTIONS`.
  package var options: String { PQoptions(handle).map { String(cString: $0) } ?? "" }

  /// The database, with the server's host or folder of sockets and the port, for messages.
  package var place: String {
    func text(_ value: UnsafeMutablePointer<CChar>?) -> String {
      value.map { String(cString: $0) } ?? ""
    }
    let host = text(PQhost(handle))
    let address = host.hasPrefix("/") ? host : "\(host):\(text(PQport(handle)))"
    return "the database \(text(PQdb(handle))) at \(address)"
  }

  /// Whether the connection leads to the server itself, not to a pooler that shares server
  /// sessions.
  package func isDirect() throws(PostgreSQLError) -> Bool {
    try run("select pg_backend_pid()", step: "connection").first == "\(PQbackendPID(handle))"
  }

  /// A handle that cancels this connection's running SQL statement from any thread.
  func cancellation() -> Cancellation { Cancellation(PQgetCancel(handle)) }

  /// Runs one SQL statement with parameters, each in PostgreSQL's text format or null.
  @discardableResult
  package func run(_ sql: String, _ parameters: [String?], step: String) throws(PostgreSQLError)
    -> Rows
  {
    listener?(sql, parameters)
    let count = Int32(parameters.count)
    func send() -> Bool {
      Self.withCStrings(parameters) {
        PQsendQueryParams(handle, sql, count, nil, $0, nil, nil, 0) == 1
      }
    }
    try meet(.sqlStatement, step: step) { _ = send() }
    guard send() else { throw brokenConnection(step: step) }
    let result = try lastResult(Self.answer, step: step)
    return try rows(result, step: step, written: Self.rowsWritten(result))
  }

  /// Runs one or several SQL statements without parameters, and returns the rows of the last one.
  @discardableResult
  package func run(_ sql: String, step: String) throws(PostgreSQLError) -> Rows {
    listener?(sql, [])
    try meet(sql == "commit" ? .commit : .sqlStatement, step: step) { _ = PQsendQuery(handle, sql) }
    guard PQsendQuery(handle, sql) == 1 else { throw brokenConnection(step: step) }
    var written = 0
    let last = try lastResult(Self.answer, step: step) { written += Self.rowsWritten($0) }
    // The commit of a failed transaction rolls it back, and the server reports success.
    if ["commit", "end"].contains(sql), PQresultStatus(last) == PGRES_COMMAND_OK,
      String(cString: PQcmdStatus(last)) != "COMMIT"
    {
      PQclear(last)
      throw PostgreSQLError(
        code: .statementFailed, step: step, message: "the transaction had failed before")
    }
    return try rows(last, step: step, written: written)
  }

  /// Sends rows to `COPY … FROM STDIN (FORMAT binary)`, in pieces of 64 KiB.
  ///
  /// `rows` are complete rows of ``CopyFormat/CopyBuffer``, without signature and trailer.
  /// `columns` names the columns of the values, in the order of the values. The order in the table
  /// can be different.
  package func copyIn(
    _ table: String, columns: [String], rows: [UInt8], step: String
  ) throws(PostgreSQLError) {
    // Only a lock can delay the start of the copy.
    try beginCopy(
      "copy \(table) (\(columns.joined(separator: ", "))) from stdin (format binary)",
      PGRES_COPY_IN, Wait(atMost: Patience.copyStart, afterStop: Patience.afterStop), step: step)
    // The signature, no flags, no header extension. The end is a row with -1 columns.
    try put(
      [0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00]
        + [UInt8](repeating: 0, count: 8), step: step)
    var offset = 0
    while offset < rows.count {
      let count = min(65_536, rows.count - offset)
      meetChunk(step: step)
      try put(rows[offset..<offset + count], step: step)
      try flush(
        Wait(atMost: Patience.piece, afterStop: Patience.afterStop), step: step)
      offset += count
    }
    meetChunk(step: step)
    try put([0xff, 0xff], step: step)
    guard PQputCopyEnd(handle, nil) == 1 else { throw brokenConnection(step: step) }
    if let error = try endCopy(Self.answer, step: step) { throw error }
  }

  /// Passes the rows of a query to `each` as CSV with a header, in pieces of about 64 KiB, as they
  /// arrive.
  ///
  /// Each row ends with CR LF; line ends inside a value are unchanged. An error thrown by `each`
  /// ends the copy and is thrown again, also if the server then does not answer.
  ///
  /// - Returns: The number of rows, without the header.
  @discardableResult
  package func copyCSV(
    _ query: String, step: String, each: ([UInt8]) throws -> Void
  ) throws -> Int {
    try beginCopy(
      "copy (\n\(query)\n) to stdout (format csv, header)", PGRES_COPY_OUT, Self.answer, step: step)
    var thrown: (any Error)?
    // The header comes first.
    var rows = -1
    var piece: [UInt8] = []
    func hand() {
      // After an error, rows that still arrive are dropped.
      defer { piece.removeAll(keepingCapacity: true) }
      guard thrown == nil else { return }
      // While rows arrive without a pause, nothing waits for the server.
      if StopRequest.ofProcess.isMade, !isCancelled {
        isCancelled = true
        cancellation().cancel()
      }
      do { try each(piece) } catch {
        thrown = error
        cancellation().cancel()
      }
    }
    // After an error the server has been asked to cancel, and has little time to do so.
    func limit() -> Duration { thrown == nil ? Patience.sqlStatement : Patience.afterStop }
    do {
      while true {
        var row: UnsafeMutablePointer<CChar>?
        let count = try nextRow(&row, atMost: limit(), step: step)
        guard count >= 0 else {
          if count == -2, thrown == nil { thrown = brokenConnection(step: step) }
          break
        }
        // libpq returns complete rows, each with its line feed.
        piece.append(contentsOf: UnsafeRawBufferPointer(start: row, count: Int(count) - 1))
        piece.append(contentsOf: [13, 10])
        rows += 1
        if piece.count > 65_536 { hand() }
        PQfreemem(row)
      }
      hand()
      let error = try endCopy(Self.answer(atMost: limit()), step: step)
      thrown = thrown ?? error
    } catch {
      // The first error is the cause of the others.
      throw thrown ?? error
    }
    if let thrown { throw thrown }
    return rows
  }

  /// Begins a `COPY`, whose result has this status.
  private func beginCopy(
    _ sql: String, _ status: ExecStatusType, _ wait: Wait, step: String
  ) throws(PostgreSQLError) {
    try meet(.copy, step: step)
    let begun = try ask(sql, wait, step: step)
    defer { PQclear(begun) }
    guard PQresultStatus(begun) == status else { throw failure(begun, step: step) }
  }

  /// Reads the results at the end of a `COPY`; returns the first error among them.
  private func endCopy(_ wait: Wait, step: String) throws(PostgreSQLError) -> PostgreSQLError? {
    var error: PostgreSQLError?
    while let result = try nextResult(wait, step: step) {
      if PQresultStatus(result) != PGRES_COMMAND_OK, error == nil {
        error = failure(result, step: step)
      }
      PQclear(result)
    }
    return error
  }

  /// Limits the wait of everything that the session runs for a lock of another session, removes the
  /// server's limit for an idle session, and makes an SQL statement fail if row-level security
  /// would hide rows from it.
  ///
  /// While files are read or Apple is asked, a session waits for minutes or hours, and a role or
  /// the server can have a limit for that (`idle_session_timeout`).
  ///
  /// A transaction of the program sets the limit for locks and `row_security` again, because a role
  /// or a pooler can have other values. Behind a pooler the session is used by other clients too,
  /// and is left as it is.
  private func setUpSession() throws(PostgreSQLError) {
    let result = try ask(
      """
      select
        pg_catalog.set_config('lock_timeout', '\(Patience.tableLock.components.seconds)s', false),
        pg_catalog.set_config('row_security', 'off', false),
        case
          -- PostgreSQL 14 and newer; an older server is refused with a message of its own.
          when pg_catalog.current_setting('idle_session_timeout', true) is not null
            then pg_catalog.set_config('idle_session_timeout', '0', false)
        end
      where pg_catalog.pg_backend_pid() = \(PQbackendPID(handle))
      """, Self.answer, step: "connect")
    _ = try rows(result, step: "connect", written: 0)
  }

  /// Sends one SQL statement and returns its last result, or the first result of a `COPY`.
  private func ask(
    _ sql: String, _ wait: Wait, step: String
  ) throws(PostgreSQLError) -> OpaquePointer? {
    guard PQsendQuery(handle, sql) == 1 else { throw brokenConnection(step: step) }
    return try lastResult(wait, step: step)
  }

  private func put(_ bytes: ArraySlice<UInt8>, step: String) throws(PostgreSQLError) {
    let sent = bytes.withUnsafeBytes {
      PQputCopyData(handle, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count))
    }
    guard sent == 1 else { throw brokenConnection(step: step) }
  }

  /// The number of rows that an SQL statement inserted, updated, deleted or wrote to a new table.
  private static func rowsWritten(_ result: OpaquePointer?) -> Int {
    // A query's rows are in its result. The rows of `create table as` are not.
    let isQuery =
      PQresultStatus(result) == PGRES_TUPLES_OK
      && String(cString: PQcmdStatus(result)).hasPrefix("SELECT")
    return isQuery ? 0 : Int(String(cString: PQcmdTuples(result))) ?? 0
  }

  private func rows(
    _ result: OpaquePointer?, step: String, written: Int
  ) throws(PostgreSQLError) -> Rows {
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      break
    default:
      throw failure(result, step: step)
    }
    let columns = (0..<PQnfields(result)).map { String(cString: PQfname(result, $0)) }
    let values = (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1
          ? nil : String(cString: PQgetvalue(result, row, column))
      }
    }
    return Rows(columns: columns, values: values, affected: written)
  }

  func failure(_ result: OpaquePointer?, step: String) -> PostgreSQLError {
    func field(_ code: Int32) -> String? {
      PQresultErrorField(result, code).map { String(cString: $0) }
    }
    let state = field(PGDiagnosticSQLState)
    guard PQstatus(handle) == CONNECTION_OK, let state else { return brokenConnection(step: step) }
    let code: PostgreSQLError.Code =
      switch state {
      case "57014": .cancelled
      case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04", "08000", "08003", "08006", "08P01":
        .connectionFailed
      default: .statementFailed
      }
    var message = field(PGDiagnosticMessage) ?? "no message"
    if state == PostgreSQLError.dependentObjects, let detail = field(PGDiagnosticDetail) {
      message += ": \(detail.replacing("\n", with: "; "))"
    }
    return PostgreSQLError(
      code: code, step: step, sqlState: state, message: message,
      node: field(PGDiagnosticContext).flatMap(PostgreSQLError.node(in:)))
  }

  private func brokenConnection(step: String) -> PostgreSQLError {
    let message = String(cString: PQerrorMessage(handle))
    // If the server refuses a COPY that is under way, the write fails; the message is the server's.
    return PostgreSQLError(
      code: PQstatus(handle) == CONNECTION_OK ? .statementFailed : .connectionFailed, step: step,
      message: message)
  }

  /// Calls `body` with a null-terminated array of C strings.
  static func withCStrings<Result>(
    _ strings: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
  ) -> Result {
    var bytes: [CChar] = []
    var offsets: [Int?] = []
    for string in strings {
      offsets.append(string == nil ? nil : bytes.count)
      if let string { bytes.append(contentsOf: string.utf8CString) }
    }
    return bytes.withUnsafeBufferPointer { bytes in
      var pointers = offsets.map { offset in
        offset.flatMap { offset in bytes.baseAddress.map { $0 + offset } }
      }
      pointers.append(nil)
      return pointers.withUnsafeBufferPointer { pointers in
        body(pointers.baseAddress)
      }
    }
  }
}
