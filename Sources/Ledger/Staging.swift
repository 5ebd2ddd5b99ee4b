import CopyFormat
import Foundation
package import Inbox
package import Intake
package import PostgreSQL
package import Runs
import Synchronization
package import Waiting

/// Reads tonight's files into the staging tables.
///
/// The calling thread reads the files block by block. Workers, each with its own connection,
/// convert blocks to rows and send the rows. With one connection, parsing and sending could not
/// overlap.
package struct Staging {
  /// The result of reading one file.
  package struct Result: Sendable {
    /// The file.
    package let file: InboxFile
    /// The number of the file in the staged rows.
    package let fileID: Int32
    /// Missing if the file could not be read to its end, because then its bytes are unknown.
    package var sha256: FileHash?
    var bytes: Int64 = 0
    /// The counts of its records.
    package var counts = FileCounts()
    /// The numbers of the earlier files out of which the file has grown.
    ///
    /// The file begins with all bytes of each of them.
    var grownFrom: [Int32] = []
  }

  let database: String
  let settings: IntakeSettings
  let connections: Int
  let stop: StopRequest

  /// Prepares to read.
  ///
  /// - Parameters:
  ///   - database: The libpq connection string for the workers' connections.
  ///   - connections: The maximum number of these connections.
  package init(
    database: String, settings: IntakeSettings, connections: Int, stop: StopRequest
  ) {
    self.database = database
    self.settings = settings
    self.connections = connections
    self.stop = stop
  }

  /// Empties the staging tables that are not empty.
  ///
  /// To truncate a table, the server creates new files and makes them durable, so empty tables are
  /// left out. A backup in progress can lock the tables for hours. Then their rows are deleted
  /// instead.
  ///
  /// - Parameter isLeftIfHeld: Whether the rows of locked tables are left to the next run instead.
  package static func empty(_ database: Connection, unlessHeld isLeftIfHeld: Bool = false) throws {
    let filled = try filledTables(in: database)
    guard !filled.isEmpty else { return }
    do {
      try database.run("begin; \(truncation(of: filled)); commit", step: "empty staging")
    } catch {
      guard error.sqlState == LockHolders.timedOut else { throw error }
      try database.run("rollback", step: "empty staging")
      guard !isLeftIfHeld else { return }
      for table in filled { try database.run("delete from \(table)", step: "empty staging") }
    }
  }

  /// Empties the staging tables at the end of a run that has stored nothing, and releases its lock.
  ///
  /// Without this, its records would stay in the database until the next run.
  ///
  /// - Throws: `PostgreSQLError`, also if another session holds a lock on one of the tables. Then all
  ///   of them stay as they are.
  package static func empty(releasing lock: RunLock) throws {
    try lock.release { database in
      let filled = try filledTables(in: database)
      if !filled.isEmpty { try database.run(truncation(of: filled), step: "empty staging") }
    }
  }

  /// The staging tables that are not empty.
  private static func filledTables(in database: Connection) throws -> [String] {
    // The size of a table is known at once. A query for one row would read the whole table if its
    // rows were deleted and not yet vacuumed.
    let tables = Table.allCases.map { "('tieout.\($0.rawValue)')" }.joined(separator: ", ")
    return try database.run(
      """
      select name
      from (values \(tables)) as staging (name)
      where pg_relation_size(name::regclass) > 0
      order by name
      """, step: "empty staging"
    ).records.compactMap { $0["name"] }
  }

  /// Truncates tables, with a limit to the wait for their locks.
  private static func truncation(of tables: [String]) -> String {
    "\(LockHolders.limitForStaging); truncate \(tables.joined(separator: ", "))"
  }

  /// Reads the files and fills the staging tables.
  ///
  /// - Parameters:
  ///   - fileID: Returns the number of the file at a place; numbers rise with places.
  ///   - progress: Called with the number of bytes that were read so far, and of all bytes.
  package func fill(
    _ files: [InboxFile], fileID: @escaping @Sendable (_ place: Int) -> Int32,
    progress: (_ done: Int64, _ all: Int64) -> Void
  ) throws -> [Result] {
    guard !files.isEmpty else { return [] }
    let queue = BoundedQueue<Block>(capacity: 2 * connections)
    let outcome = Outcome(of: files.count, fileID: fileID)
    let all = files.lazy.map(\.bytes).clampedSum
    // With little to read, an additional connection costs more time than it saves.
    let pieces = files.count + Int(all >> 16)
    var workers: [Worker] = []
    for _ in 0..<min(connections, pieces) {
      let connection = try Connection(database, applicationName: "tieout load")
      workers.append(Worker(connection: connection))
    }
    let finished = DispatchGroup()
    for worker in workers {
      finished.enter()
      worker.start(queue, outcome, finished)
    }
    let memory = ReadingMemory(settings)
    var done: Int64 = 0
    for file in files {
      let fileID = outcome.begin(file)
      let reader = FileReader(
        file.place, refusal: file.refusal, folder: file.folder, fileID: fileID,
        settings: settings, byteLimit: file.byteLimit, startBytes: file.earlier.map(\.bytes),
        passesOverOpenLine: file.passesOverOpenLine, memory: memory)
      while !stop.isMade, let block = reader.next(), queue.put(block) {
        progress([done, min(reader.byteCount, file.bytes)].clampedSum, all)
      }
      guard !stop.isMade, !outcome.hasFailed else { break }
      let starts = reader.startSHA256.compactMapValues { FileHash($0) }
      outcome.end(
        fileID, bytes: reader.byteCount, sha256: reader.wasRead ? FileHash(reader.sha256) : nil,
        grownFrom: file.earlier.filter { starts[$0.bytes] == $0.sha256 }.map(\.fileID))
      done = [done, file.bytes].clampedSum
      progress(done, all)
    }
    queue.close(discardingElements: stop.isMade)
    finished.wait()
    try stop.check()
    return try outcome.results()
  }
}

extension Staging {
  /// The staging tables, by the names in the SQL of the load.
  enum Table: String, CaseIterable {
    case document = "staging_document"
    case evidence = "staging_evidence"
    case delivery = "staging_delivery"
    case catalogue = "staging_catalogue"
    case clientTransaction = "staging_client_transaction"
    case clientInvalidProduct = "staging_client_invalid_product"
    case acknowledgement = "staging_acknowledgement"
    case appleReport = "staging_apple_report"
    case rejection = "staging_rejection"

    /// The table's columns, in the order in which a row's values are written.
    var columns: [String] {
      switch self {
      case .document: StagedRows.documentColumns
      case .evidence: StagedRows.evidenceColumns
      case .delivery: StagedRows.deliveryColumns
      case .catalogue: StagedRows.catalogueColumns
      case .clientTransaction: StagedRows.clientTransactionColumns
      case .clientInvalidProduct: StagedRows.clientInvalidProductColumns
      case .acknowledgement: StagedRows.acknowledgementColumns
      case .appleReport: StagedRows.appleReportColumns
      case .rejection: StagedRows.rejectionColumns
      }
    }
  }

  /// The results that the reader and the workers share.
  private final class Outcome: Sendable {
    private struct State {
      var results: [Result] = []
      var error: (any Error)?

      /// The place of a file's result; numbers rise with places.
      func place(of fileID: Int32) -> Int {
        var range = results.startIndex..<results.endIndex
        while range.count > 1 {
          let middle = range.lowerBound + range.count / 2
          if results[middle].fileID <= fileID {
            range = middle..<range.upperBound
          } else {
            range = range.lowerBound..<middle
          }
        }
        return range.lowerBound
      }
    }

    private let fileID: @Sendable (Int) -> Int32
    private let state = Mutex(State())

    init(of files: Int, fileID: @escaping @Sendable (Int) -> Int32) {
      self.fileID = fileID
      state.withLock { $0.results.reserveCapacity(files) }
    }

    /// Gives the next file its number.
    func begin(_ file: InboxFile) -> Int32 {
      state.withLock { state in
        let fileID = fileID(state.results.count)
        state.results.append(Result(file: file, fileID: fileID))
        return fileID
      }
    }

    func add(_ counts: [Int32: FileCounts]) {
      state.withLock { state in
        for (file, counts) in counts { state.results[state.place(of: file)].counts += counts }
      }
    }

    func end(_ fileID: Int32, bytes: Int64, sha256: FileHash?, grownFrom: [Int32]) {
      state.withLock { state in
        let place = state.place(of: fileID)
        state.results[place].grownFrom = sha256 == nil ? [] : grownFrom
        state.results[place].bytes = bytes
        state.results[place].sha256 = sha256
      }
    }

    /// Keeps the first error, because it is the cause of the others.
    func fail(_ error: any Error) {
      state.withLock { if $0.error == nil { $0.error = error } }
    }

    var hasFailed: Bool { state.withLock { $0.error != nil } }

    /// All results, after all workers have ended.
    func results() throws -> [Result] {
      try state.withLock { state in
        if let error = state.error { throw error }
        for index in state.results.indices where state.results[index].sha256 == nil {
          // The counts before the failure are dropped, because the next run reads the whole file.
          state.results[index].counts = FileCounts()
          state.results[index].counts.fileRejected = true
        }
        let results = state.results
        state.results = []
        return results
      }
    }
  }

  /// The work of one thread: it converts blocks to rows and sends the rows to the server.
  private final class Worker: @unchecked Sendable {
    // Only the worker's own thread uses these variables.
    private let connection: Connection
    private var rows = StagedRows()
    private let parser = RecordParser()

    init(connection: Connection) {
      self.connection = connection
    }

    /// Starts the worker in its own thread; an error ends the work of all workers.
    func start(_ queue: BoundedQueue<Block>, _ outcome: Outcome, _ finished: DispatchGroup) {
      let thread = Thread { [self] in
        do {
          try work(queue, outcome)
        } catch {
          outcome.fail(error)
          queue.close(discardingElements: true)
        }
        finished.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }

    private func work(_ queue: BoundedQueue<Block>, _ outcome: Outcome) throws {
      while let block = queue.take() {
        block.parse(with: parser, into: &rows)
        outcome.add(rows.counts)
        rows.counts.removeAll(keepingCapacity: true)
        try send(atLeast: 1 << 20)
      }
      try send(atLeast: 1)
    }

    private func send(atLeast bytes: Int) throws {
      try send(&rows.documents, to: .document, atLeast: bytes)
      try send(&rows.evidence, to: .evidence, atLeast: bytes)
      try send(&rows.deliveries, to: .delivery, atLeast: bytes)
      try send(&rows.catalogue, to: .catalogue, atLeast: bytes)
      try send(&rows.clientTransactions, to: .clientTransaction, atLeast: bytes)
      try send(&rows.clientInvalidProducts, to: .clientInvalidProduct, atLeast: bytes)
      try send(&rows.acknowledgements, to: .acknowledgement, atLeast: bytes)
      try send(&rows.appleReports, to: .appleReport, atLeast: bytes)
      try send(&rows.rejections, to: .rejection, atLeast: bytes)
    }

    private func send(_ buffer: inout CopyBuffer, to table: Table, atLeast bytes: Int) throws {
      guard buffer.bytes.count >= bytes else { return }
      try connection.copyIn(
        "tieout.\(table.rawValue)", columns: table.columns, rows: buffer.bytes,
        step: table.rawValue)
      buffer.removeAll()
    }
  }
}

extension FileReader {
  /// Whether all bytes of the file were read, even if none of them could be used.
  ///
  /// All empty files have the same bytes. So a compressed file without bytes counts as not read:
  /// otherwise it could be known by its bytes, and would not be rejected again.
  fileprivate var wasRead: Bool {
    switch fileRejection?.reason {
    case .truncatedCompression: byteCount > 0
    case .unreadable, .notAFile, .linkOutside, .pathTooLong, .misspelledFolder: false
    default: true
    }
  }
}
