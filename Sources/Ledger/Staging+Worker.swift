import CopyFormat
import Dispatch
import Intake
import PostgreSQL
import Waiting

extension Staging {
  /// The work of one thread: it converts blocks to rows and sends the rows to the server.
  final class Worker: @unchecked Sendable {
    // Only the worker's own thread uses these variables.
    private let connection: Connection
    private var rows = StagedRows()
    private let parser = RecordParser()

    init(connection: Connection) {
      self.connection = connection
    }

    /// Starts the worker in its own thread; an error ends the work of all workers.
    func start(
      _ queue: BoundedQueue<Block>, _ outcome: Outcome, _ finished: DispatchGroup, stackBytes: Int
    ) {
      finished.enter()
      do {
        try startThread(stackBytes: stackBytes) { [self] in
          do { try work(queue, outcome) } catch { outcome.fail(error, closing: queue) }
          finished.leave()
        }
      } catch {
        outcome.fail(error, closing: queue)
        finished.leave()
      }
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
