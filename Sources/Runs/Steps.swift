package import Logging
package import PostgreSQL
import ReconciliationSQL
package import Waiting

/// The size of a step.
package struct StepSize: Sendable {
  /// Rows that the step's SQL wrote, or records that the step read.
  let rows: Int?
  /// Bytes that the step read from files or wrote to files.
  let bytes: Int64?

  /// The size of a step that reads or writes files.
  package init(rows: Int? = nil, bytes: Int64?) {
    self.rows = rows
    self.bytes = bytes
  }

  /// The size of a step that only runs SQL commands: the number of rows that they wrote.
  package static func written(_ rows: Rows) -> StepSize {
    StepSize(rows: rows.affected, bytes: nil)
  }
}

/// The steps of a run with their durations; the run's record keeps them.
package final class Steps {
  /// One step that has ended, successfully or not.
  struct Taken {
    let name: String
    let milliseconds: Int64
    var rows: Int?
    var bytes: Int64?
  }

  private(set) var taken: [Taken] = []
  /// The number of steps that are already in the run's record.
  private var kept = 0
  private var usual = UsualSteps()
  /// The current step.
  private(set) var current = RunProgress(step: "begin")
  private let logger: Logger
  private let stop: StopRequest
  private let shows: @Sendable (RunProgress) -> Void

  /// Begins without a step; `shows` is called with the progress of the run.
  package init(logger: Logger, stop: StopRequest, shows: @escaping @Sendable (RunProgress) -> Void)
  {
    self.logger = logger
    self.stop = stop
    self.shows = shows
  }

  /// Sets the usual duration of the coming steps.
  package func expect(_ usual: UsualSteps) {
    self.usual = usual
  }

  /// Steps for the parts of the current step; they are neither shown nor recorded.
  package var silent: Steps { Steps(logger: logger, stop: stop) { _ in } }

  /// Runs a step and measures its duration, unless the run was told to stop.
  @discardableResult
  package func measure<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    try measure(name, size: { _ in nil }, body)
  }

  /// Runs a step and measures its duration and its size, unless the run was told to stop.
  @discardableResult
  package func measure<Result>(
    _ name: String, size: (Result) -> StepSize?, _ body: () throws -> Result
  ) throws -> Result {
    try stop.check()
    current = RunProgress(step: name, usual: usual.enter(name))
    shows(current)
    let start = ContinuousClock.now
    let result: Result
    do { result = try body() } catch {
      // The step in which a run failed is the step that people look for.
      note(name, since: start, size: nil)
      throw error
    }
    note(name, since: start, size: size(result))
    return result
  }

  /// Sets how many bytes of the current step are finished, and the total where it is known.
  package func advance(to done: Int64, of all: Int64? = nil) {
    current.done = done
    current.all = all
    shows(current)
  }

  private func note(_ name: String, since start: ContinuousClock.Instant, size: StepSize?) {
    let duration = (ContinuousClock.now - start).components
    let step = Taken(
      name: name,
      milliseconds: duration.seconds * 1000 + duration.attoseconds / 1_000_000_000_000_000,
      rows: size?.rows, bytes: size?.bytes)
    taken.append(step)
    var facts: Logger.Metadata = ["step": "\(name)", "ms": .stringConvertible(step.milliseconds)]
    facts["rows"] = step.rows.map { .stringConvertible($0) }
    facts["size"] = step.bytes.map { .stringConvertible($0) }
    logger.debug("step", metadata: facts)
  }

  /// Adds the steps since the last call to the run's record.
  package func keep(in database: Connection, runID: String) throws(PostgreSQLError) {
    try keep(from: kept, in: database, runID: runID)
    kept = taken.count
  }

  /// Adds all steps to the run's record, including steps that a rollback has removed from it.
  func keepAll(in database: Connection, runID: String) throws(PostgreSQLError) {
    try keep(from: 0, in: database, runID: runID)
  }

  private func keep(
    from first: Int, in database: Connection, runID: String
  ) throws(PostgreSQLError) {
    let steps = taken[first...]
    try database.run(
      SQLFile.runStep,
      [
        runID, PostgreSQLArray.text(steps.indices.map { "\($0 + 1)" }),
        PostgreSQLArray.text(steps.map { $0.name }),
        PostgreSQLArray.text(steps.map { "\($0.milliseconds)" }),
        PostgreSQLArray.text(steps.map { $0.rows.map { "\($0)" } }),
        PostgreSQLArray.text(steps.map { $0.bytes.map { "\($0)" } }),
      ])
  }
}
