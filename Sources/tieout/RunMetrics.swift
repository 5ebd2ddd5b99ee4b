import Configuration
import Logging
import Reconciliation

/// Tells the metrics file how a run ended, once, as near to the database as it got.
final class RunMetrics {
  private let file: MetricsFile?
  private let logger: Logger
  private var isTold = false

  init(_ settings: Settings, logger: Logger) {
    // A dry run is nobody's night.
    file = settings.dryRun ? nil : settings.metricsFile.map { MetricsFile(path: $0) }
    self.logger = logger
  }

  /// Does the work and tells how it ended.
  func telling(
    _ status: (Summary) -> Int32, from database: String? = nil, _ work: () throws -> Summary
  ) throws -> Summary {
    do {
      let summary = try work()
      tell("done", status(summary), from: database)
      return summary
    } catch {
      tell(Self.outcome(of: error), Ending.status(of: error), from: database)
      throw error
    }
  }

  private func tell(_ outcome: String?, _ status: Int32, from database: String?) {
    guard let file, let outcome, !isTold else { return }
    isTold = true
    // The night is what it is, whether it can be told of or not.
    do { try file.write(outcome: outcome, exitStatus: Int(status), from: database) } catch {
      logger.warning("\(error)")
    }
  }

  /// How the run ended; nil where there was none, as another run is under way that tells of itself.
  private static func outcome(of error: any Error) -> String? {
    switch (error as? ReconciliationError)?.code {
    case .locked: nil
    case .stopped: "stopped"
    case .tooMuchRejected: "rejected"
    default: "failed"
    }
  }
}
