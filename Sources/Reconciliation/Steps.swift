import Logging
import PostgreSQL

/// The steps of a run, timed; kept with the run's record.
final class Steps {
  private(set) var taken: [(name: String, milliseconds: Int64, rows: Int?)] = []
  private let logger: Logger
  private let stop: StopRequest
  private let began: @Sendable (String) -> Void

  init(logger: Logger, stop: StopRequest, began: @escaping @Sendable (String) -> Void) {
    self.logger = logger
    self.stop = stop
    self.began = began
  }

  /// Steps that are parts of one that is being taken: neither told of nor kept.
  var silent: Steps { Steps(logger: logger, stop: stop) { _ in } }

  /// Takes a step, unless the run was told to stop.
  @discardableResult
  func measure<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    try stop.check()
    began(name)
    let start = ContinuousClock.now
    let result = try body()
    let duration = ContinuousClock.now - start
    let milliseconds =
      duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    let rows = (result as? Rows)?.affected ?? (result as? Int)
    taken.append((name, milliseconds, rows))
    logger.debug("step", metadata: ["step": "\(name)", "ms": "\(milliseconds)"])
    return result
  }

  /// Keeps what was taken so far with the run.
  func keep(in database: Connection, runID: String) throws {
    for (index, step) in taken.enumerated() {
      try database.run(
        """
        insert into run_step (run_id, step_number, step, milliseconds, row_count)
        values ($1::bigint, $2::integer, $3, $4::bigint, $5::bigint)
        """,
        [
          runID, "\(index + 1)", step.name, "\(step.milliseconds)", step.rows.map { "\($0)" },
        ], step: "steps")
    }
  }
}
