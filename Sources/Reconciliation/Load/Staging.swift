import CopyFormat
import Foundation
import Intake
import PostgreSQL
import Synchronization

/// Tonight's files into the staging tables.
///
/// The calling thread reads the files block by block; workers, each with a connection of its own, turn
/// blocks into rows and send them. One connection alone would parse and wait in turn.
struct Staging {
  /// What became of one file.
  struct Result: Sendable {
    let file: InboxFile
    let fileID: Int32
    /// Empty where the file could not be read to its end: its bytes are not known.
    var sha256: [UInt8] = []
    var bytes: Int64 = 0
    var counts = FileCounts()
  }

  let database: String
  let settings: IntakeSettings
  let connections: Int
  let stop: StopRequest

  /// Empties the staging tables.
  ///
  /// A backup under way can hold the tables for hours; then their rows are deleted instead.
  static func empty(_ database: Connection) throws {
    for table in Table.allCases {
      do {
        try database.run(
          "begin; set local lock_timeout = '2s'; truncate tieout.\(table.rawValue); commit",
          step: "empty staging")
      } catch {
        guard error.sqlState == "55P03" else { throw error }
        try database.run("rollback", step: "empty staging")
        try database.run("delete from tieout.\(table.rawValue)", step: "empty staging")
      }
    }
  }

  /// Reads the files and fills the staging tables; the files' numbers count from `firstFileID`.
  ///
  /// - Parameter progress: Told of the bytes read so far, of all.
  func fill(
    _ files: [InboxFile], firstFileID: Int32, progress: (_ done: Int64, _ all: Int64) -> Void
  ) throws -> [Result] {
    guard !files.isEmpty else { return [] }
    let queue = BoundedQueue<Block>(capacity: 2 * connections)
    let outcome = Outcome()
    var workers: [Worker] = []
    for _ in 0..<connections {
      let connection = try Connection(database, applicationName: "tieout load")
      stop.covers(connection)
      workers.append(Worker(connection: connection))
    }
    let finished = DispatchGroup()
    for worker in workers {
      finished.enter()
      worker.start(queue, outcome, finished)
    }
    var results: [Result] = []
    let all = files.reduce(0) { $0 + $1.bytes }
    var done: Int64 = 0
    for (index, file) in files.enumerated() {
      var result = Result(file: file, fileID: firstFileID + Int32(index))
      let reader = FileReader(
        path: file.location, folder: file.folder, fileID: result.fileID, settings: settings)
      while !stop.isMade, let block = reader.next(), queue.put(block) {
        progress(done + min(reader.byteCount, file.bytes), all)
      }
      guard !stop.isMade, !outcome.hasFailed else { break }
      result.sha256 = reader.wasRead ? reader.sha256 : []
      result.bytes = reader.byteCount
      done += file.bytes
      progress(done, all)
      results.append(result)
    }
    queue.close(discardingElements: stop.isMade)
    finished.wait()
    try stop.check()
    let counts = try outcome.counts()
    for index in results.indices {
      let counted = counts[results[index].fileID] ?? FileCounts()
      guard results[index].sha256.isEmpty else {
        results[index].counts = counted
        continue
      }
      // What was read of it before it broke off is dropped: the next run reads all of it.
      results[index].counts.fileRejected = true
    }
    return results
  }
}

extension Staging {
  /// The staging tables, in the names that the load statements use.
  enum Table: String, CaseIterable {
    case document = "staging_document"
    case evidence = "staging_evidence"
    case delivery = "staging_delivery"
    case catalogue = "staging_catalogue"
    case clientTransaction = "staging_client_transaction"
    case clientInvalidProduct = "staging_client_invalid_product"
    case rejection = "staging_rejection"
  }

  /// What the workers bring together.
  private final class Outcome: Sendable {
    private struct State {
      var counts: [Int32: FileCounts] = [:]
      var error: (any Error)?
    }

    private let state = Mutex(State())

    func add(_ more: [Int32: FileCounts]) {
      state.withLock { state in
        for (file, counts) in more { state.counts[file, default: FileCounts()] += counts }
      }
    }

    /// The first error is the cause, the others follow from it.
    func fail(_ error: any Error) {
      state.withLock { if $0.error == nil { $0.error = error } }
    }

    var hasFailed: Bool { state.withLock { $0.error != nil } }

    func counts() throws -> [Int32: FileCounts] {
      try state.withLock { state in
        if let error = state.error { throw error }
        return state.counts
      }
    }
  }

  /// One thread's part: blocks into rows, rows to the server.
  private final class Worker: @unchecked Sendable {
    // Used by its own thread alone.
    private let connection: Connection
    private var rows = StagedRows()
    private let parser = RecordParser()

    init(connection: Connection) {
      self.connection = connection
    }

    /// Works on a thread of its own; an error ends the work of all.
    func start(_ queue: BoundedQueue<Block>, _ outcome: Outcome, _ finished: DispatchGroup) {
      let thread = Thread { [self] in
        do {
          outcome.add(try work(queue))
        } catch {
          outcome.fail(error)
          queue.close(discardingElements: true)
        }
        finished.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }

    private func work(_ queue: BoundedQueue<Block>) throws -> [Int32: FileCounts] {
      while let block = queue.take() {
        block.parse(with: parser, into: &rows)
        try send(atLeast: 1 << 20)
      }
      try send(atLeast: 1)
      return rows.counts
    }

    private func send(atLeast bytes: Int) throws {
      try send(&rows.documents, to: .document, atLeast: bytes)
      try send(&rows.evidence, to: .evidence, atLeast: bytes)
      try send(&rows.deliveries, to: .delivery, atLeast: bytes)
      try send(&rows.catalogue, to: .catalogue, atLeast: bytes)
      try send(&rows.clientTransactions, to: .clientTransaction, atLeast: bytes)
      try send(&rows.clientInvalidProducts, to: .clientInvalidProduct, atLeast: bytes)
      try send(&rows.rejections, to: .rejection, atLeast: bytes)
    }

    private func send(_ buffer: inout CopyBuffer, to table: Table, atLeast bytes: Int) throws {
      guard buffer.bytes.count >= bytes else { return }
      try connection.copyIn("tieout.\(table.rawValue)", rows: buffer.bytes, step: table.rawValue)
      buffer.removeAll()
    }
  }
}

extension FileReader {
  /// Whether all bytes of the file were read, whatever they are worth.
  fileprivate var wasRead: Bool {
    fileRejection?.reason != .unreadable && fileRejection?.reason != .notAFile
  }
}
