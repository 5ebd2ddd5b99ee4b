import Intake
import Logging
import PostgreSQL
import Waiting

/// What a step tells of its size.
protocol StepResult {
  /// Rows that its statements wrote, or records that it read.
  var stepRows: Int? { get }
  /// Bytes that it read from files or wrote into them.
  var stepBytes: Int64? { get }
}

/// The steps of a run, timed; kept with the run's record.
final class Steps {
  /// One step that is over, also where it failed or was stopped.
  struct Taken {
    let name: String
    let milliseconds: Int64
    var rows: Int?
    var bytes: Int64?
  }

  private(set) var taken: [Taken] = []
  /// How many of them stand in the run's record.
  private var kept = 0
  private var usual = UsualSteps()
  /// The step under way.
  private(set) var current = RunProgress(step: "begin")
  private let logger: Logger
  private let stop: StopRequest
  private let shows: @Sendable (RunProgress) -> Void

  /// Takes no step yet; `shows` is told where the run is.
  init(logger: Logger, stop: StopRequest, shows: @escaping @Sendable (RunProgress) -> Void) {
    self.logger = logger
    self.stop = stop
    self.shows = shows
  }

  /// Tells how long the steps to come usually take.
  func expect(_ usual: UsualSteps) {
    self.usual = usual
  }

  /// Steps that are parts of one that is being taken: neither told of nor kept.
  var silent: Steps { Steps(logger: logger, stop: stop) { _ in } }

  /// Takes a step, unless the run was told to stop.
  @discardableResult
  func measure<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    try stop.check()
    current = RunProgress(step: name, usual: usual.enter(name))
    shows(current)
    let start = ContinuousClock.now
    let result: Result
    do { result = try body() } catch {
      // The step that a run ended in is the one that somebody looks for.
      note(name, since: start, size: nil)
      throw error
    }
    note(name, since: start, size: result as? any StepResult)
    return result
  }

  /// Tells how many bytes the step under way has come to, and of how many where that is known.
  func advance(to done: Int64, of all: Int64? = nil) {
    current.done = done
    current.all = all
    shows(current)
  }

  private func note(
    _ name: String, since start: ContinuousClock.Instant, size: (any StepResult)?
  ) {
    let duration = (ContinuousClock.now - start).components
    let step = Taken(
      name: name,
      milliseconds: duration.seconds * 1000 + duration.attoseconds / 1_000_000_000_000_000,
      rows: size?.stepRows, bytes: size?.stepBytes)
    taken.append(step)
    var facts: Logger.Metadata = ["step": "\(name)", "ms": "\(step.milliseconds)"]
    facts["rows"] = step.rows.map { "\($0)" }
    facts["size"] = step.bytes.map { "\($0)" }
    logger.debug("step", metadata: facts)
  }

  /// Keeps with the run what was taken since it was last asked to.
  func keep(in database: Connection, runID: String) throws(PostgreSQLError) {
    try keep(from: kept, in: database, runID: runID)
    kept = taken.count
  }

  /// Keeps all that was taken, also what was kept in a transaction that has been rolled back.
  func keepAll(in database: Connection, runID: String) throws(PostgreSQLError) {
    try keep(from: 0, in: database, runID: runID)
  }

  private func keep(
    from first: Int, in database: Connection, runID: String
  ) throws(PostgreSQLError) {
    let steps = taken[first...]
    try database.run(
      """
      insert into tieout.run_step (run_id, step_number, step, milliseconds, row_count, byte_count)
      select $1::bigint, taken.step_number, taken.step, taken.milliseconds, taken.row_count, taken.byte_count
      from
          unnest(
              $2::integer[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[]
          ) as taken (step_number, step, milliseconds, row_count, byte_count)
      """,
      [
        runID, Self.array(steps.indices.map { "\($0 + 1)" }),
        // Names are ours and hold no quote.
        Self.array(steps.map { "\"\($0.name)\"" }), Self.array(steps.map { "\($0.milliseconds)" }),
        Self.array(steps.map { $0.rows.map { "\($0)" } ?? "null" }),
        Self.array(steps.map { $0.bytes.map { "\($0)" } ?? "null" }),
      ], step: "steps")
  }

  private static func array(_ values: [String]) -> String {
    "{\(values.joined(separator: ","))}"
  }
}

extension Rows: StepResult {
  var stepRows: Int? { affected }
  var stepBytes: Int64? { nil }
}

extension Array: StepResult where Element == Staging.Result {
  var stepRows: Int? {
    let read = reduce(Int64(0)) { sum, file in
      let counts = file.counts
      return sum + counts.documents.read + counts.transactions.read + counts.deliveries.read
        + counts.catalogueEntries.read + counts.clientRecords.read + counts.acknowledgements.read
    }
    return Int(read)
  }
  var stepBytes: Int64? { lazy.map(\.file.bytes).clampedSum }
}
