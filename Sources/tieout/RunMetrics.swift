import Configuration
import Logging
import NightRun
import PrivateServer
import Reports
import Runs

/// Writes the outcome of a run to the metrics file, once.
final class RunMetrics {
  private let file: MetricsFile?
  private let logger: Logger
  private let log: LogPlace
  private var isTold = false
  /// Whether standard error has a line about a file that could not be written.
  private(set) var hasPrinted = false

  init(_ settings: Settings, logger: Logger, log: LogPlace) {
    // A dry run writes no metrics.
    file =
      settings.dryRun
      ? nil : settings.metricsFile.map { MetricsFile(path: $0, reports: settings.reports) }
    self.logger = logger
    self.log = log
  }

  /// Does the work and writes its outcome.
  func telling(
    _ status: (Summary) -> Int32, from database: String? = nil, _ work: () throws -> Summary
  ) throws -> Summary {
    do {
      let summary = try work()
      tell("done", status(summary), from: database, runID: summary.runID)
      return summary
    } catch {
      tell(Self.outcome(of: error), Ending.status(of: error), from: database)
      throw error
    }
  }

  private func tell(
    _ outcome: String?, _ status: Int32, from database: String?, runID: String? = nil
  ) {
    guard let file, let outcome, !isTold else { return }
    isTold = true
    // The outcome of the run does not depend on the metrics.
    do {
      let warnings = try file.write(
        outcome: outcome, exitStatus: Int(status), from: database, runID: runID)
      for warning in warnings { logger.warning("\(warning)") }
    } catch {
      logger.warning("\(error)")
      // Without a log, or if the log cannot be written either, this line on standard error is the only place for the
      // reason.
      guard !log.isReadable else { return }
      StandardError.writeLine("tieout: \(Visible.text("\(error)"))")
      hasPrinted = true
    }
  }

  /// The outcome of the run; nil if another run is at work, which writes its own metrics.
  private static func outcome(of error: any Error) -> String? {
    switch error {
    case let error as UnfinishedForgetting: outcome(of: error.cause)
    case let error as ReconciliationError where error.code == .locked: nil
    case let error as PrivateServerError where error.code == .stopped: "stopped"
    default: RunRecord.outcome(of: error)
    }
  }
}
