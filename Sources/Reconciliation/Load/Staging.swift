import CopyFormat
import Foundation
import Intake
import PostgreSQL
import Synchronization
import Waiting

/// Tonight's files into the staging tables.
///
/// The calling thread reads the files block by block; workers, each with a connection of its own, turn
/// blocks into rows and send them. One connection alone would parse and wait in turn.
struct Staging {
  /// What became of one file.
  struct Result: Sendable {
    let file: InboxFile
    let fileID: Int32
    /// Missing where the file could not be read to its end: its bytes are not known.
    var sha256: FileHash?
    var bytes: Int64 = 0
    var counts = FileCounts()
    /// Whether the file begins with all bytes of the earlier one.
    var hasGrown = false
  }

  let database: String
  let settings: IntakeSettings
  let connections: Int
  let stop: StopRequest

  /// Empties the staging tables, those that take room: each costs the server new files, made durable.
  ///
  /// A backup under way can hold the tables for hours; then their rows are deleted instead, or left to the next
  /// run where that is soon enough.
  static func empty(_ database: Connection, unlessHeld isLeftIfHeld: Bool = false) throws {
    // Looking for a row would read all of a table whose rows were deleted; its size is known at once.
    let tables = Table.allCases.map { "('tieout.\($0.rawValue)')" }.joined(separator: ", ")
    let filled = try database.run(
      """
      select name
      from (values \(tables)) as staging (name)
      where pg_relation_size(name::regclass) > 0
      order by name
      """, step: "empty staging"
    ).values.compactMap { $0[0] }
    guard !filled.isEmpty else { return }
    do {
      try database.run(
        """
        begin; set local lock_timeout = '2s'; truncate \(filled.joined(separator: ", ")); commit
        """, step: "empty staging")
    } catch {
      guard error.sqlState == "55P03" else { throw error }
      try database.run("rollback", step: "empty staging")
      guard !isLeftIfHeld else { return }
      for table in filled { try database.run("delete from \(table)", step: "empty staging") }
    }
  }

  /// Reads the files and fills the staging tables.
  ///
  /// - Parameters:
  ///   - fileID: Gives the files their numbers, which rise with their places.
  ///   - progress: Told of the bytes read so far, of all.
  func fill(
    _ files: [InboxFile], fileID: @escaping @Sendable (_ place: Int) -> Int32,
    progress: (_ done: Int64, _ all: Int64) -> Void
  ) throws -> [Result] {
    guard !files.isEmpty else { return [] }
    let queue = BoundedQueue<Block>(capacity: 2 * connections)
    let outcome = Outcome(of: files.count, fileID: fileID)
    let all = files.lazy.map(\.bytes).clampedSum
    // A connection costs more than it is worth where there is hardly anything to read.
    let pieces = files.count + Int(all >> 16)
    var workers: [Worker] = []
    for _ in 0..<min(connections, pieces) {
      let connection = try Connection(database, applicationName: "tieout load")
      stop.covers(connection)
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
        settings: settings, byteLimit: file.byteLimit, startBytes: file.earlier?.bytes,
        passesOverOpenLine: file.passesOverOpenLine, memory: memory)
      while !stop.isMade, let block = reader.next(), queue.put(block) {
        progress([done, min(reader.byteCount, file.bytes)].clampedSum, all)
      }
      guard !stop.isMade, !outcome.hasFailed else { break }
      let start = reader.startSHA256.flatMap { FileHash($0) }
      outcome.end(
        fileID, bytes: reader.byteCount, sha256: reader.wasRead ? FileHash(reader.sha256) : nil,
        hasGrown: start != nil && start == file.earlier?.sha256)
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
  /// The staging tables, in the names that the load statements use.
  enum Table: String, CaseIterable {
    case document = "staging_document"
    case evidence = "staging_evidence"
    case delivery = "staging_delivery"
    case catalogue = "staging_catalogue"
    case clientTransaction = "staging_client_transaction"
    case clientInvalidProduct = "staging_client_invalid_product"
    case acknowledgement = "staging_acknowledgement"
    case rejection = "staging_rejection"

    /// Its columns, in the order in which a row's values are written.
    var columns: [String] {
      switch self {
      case .document: StagedRows.documentColumns
      case .evidence: StagedRows.evidenceColumns
      case .delivery: StagedRows.deliveryColumns
      case .catalogue: StagedRows.catalogueColumns
      case .clientTransaction: StagedRows.clientTransactionColumns
      case .clientInvalidProduct: StagedRows.clientInvalidProductColumns
      case .acknowledgement: StagedRows.acknowledgementColumns
      case .rejection: StagedRows.rejectionColumns
      }
    }
  }

  /// What the reader and the workers bring together.
  private final class Outcome: Sendable {
    private struct State {
      var results: [Result] = []
      var error: (any Error)?

      /// Where a file's result stands; numbers rise with places.
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

    func end(_ fileID: Int32, bytes: Int64, sha256: FileHash?, hasGrown: Bool) {
      state.withLock { state in
        let place = state.place(of: fileID)
        state.results[place].hasGrown = hasGrown && sha256 != nil
        state.results[place].bytes = bytes
        state.results[place].sha256 = sha256
      }
    }

    /// The first error is the cause, the others follow from it.
    func fail(_ error: any Error) {
      state.withLock { if $0.error == nil { $0.error = error } }
    }

    var hasFailed: Bool { state.withLock { $0.error != nil } }

    /// All results, when all workers have ended.
    func results() throws -> [Result] {
      try state.withLock { state in
        if let error = state.error { throw error }
        for index in state.results.indices where state.results[index].sha256 == nil {
          // What was read of it before it broke off is dropped: the next run reads all of it.
          state.results[index].counts = FileCounts()
          state.results[index].counts.fileRejected = true
        }
        let results = state.results
        state.results = []
        return results
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
  /// Whether all bytes of the file were read, whatever they are worth.
  fileprivate var wasRead: Bool {
    switch fileRejection?.reason {
    case .unreadable, .notAFile, .linkOutside, .pathTooLong: false
    default: true
    }
  }
}
