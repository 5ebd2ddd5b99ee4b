import PostgreSQL
import ReconciliationSQL
import Runs

extension Ledger {
  /// Runs a file of `SQLFile.load` as a step.
  ///
  /// On a cluster, load_key.sql does not analyze the tables that grew much; this does.
  func run(_ file: SQLFile, steps: Steps) throws {
    guard file == .loadKey else {
      try steps.run(file, in: database)
      return
    }
    try steps.measure(file.name, size: StepSize.written) {
      try database.samplingFewRows(step: file.name) {
        let rows = try database.run(file)
        if try LedgerCluster.isDistributed(database, step: file.name),
          try database.run(SQLFile.clusterGrown).isTrue
        {
          try database.analyzeOnWorkers(step: file.name)
        }
        return rows
      }
    }
  }
}
