import Inbox
import Intake
import Synchronization

extension Staging {
  /// The results that the reader and the workers share.
  final class Outcome: Sendable {
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

    /// Ends the work of all workers.
    ///
    /// The first error is kept, because it is the cause of the others.
    func fail(_ error: any Error, closing queue: BoundedQueue<Block>) {
      state.withLock { if $0.error == nil { $0.error = error } }
      queue.close(discardingElements: true)
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
}
