import Dispatch
package import Inbox
package import Intake
import PostgreSQL
import Runs
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
  /// The size of the stack of each worker's thread.
  var stackBytes = 8 << 20

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
      worker.start(queue, outcome, finished, stackBytes: stackBytes)
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
