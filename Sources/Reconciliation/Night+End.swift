import Logging
import PostgreSQL

extension Night {
  /// Commits the night's one transaction.
  ///
  /// A connection that breaks at this moment leaves open what the server did, so it is asked.
  /// - Returns: a connection that works.
  func commit(
    _ record: RunRecord, on database: Connection, steps: Steps
  ) throws -> Connection {
    do {
      try steps.measure("commit") { try database.run("commit", step: "commit") }
      return database
    } catch {
      guard (error as? PostgreSQLError)?.code == .connectionFailed,
        let living = record.foundDone(after: error, having: steps, in: self.database)
      else { throw error }
      logger.notice("The connection broke while the night was committed; the server has done it.")
      return living
    }
  }

  /// What comes when all is done and shown; it fails nothing, as the next run does it where this one cannot.
  func tidyUp(after record: RunRecord, on database: Connection, steps: Steps) {
    do {
      try record.isShown(in: database)
      // What a first night staged would lie around all day, and its removal would be the next night's to pay.
      try steps.measure("empty staging") { try Staging.empty(database, unlessHeld: true) }
      try steps.measure("vacuum") { Vacuum(database: database, logger: logger).pass() }
      try steps.keep(in: database, runID: record.runID)
    } catch {
      logger.warning(
        """
        The night is done and its reports are shown, but the database could not note all of it; the next \
        run does what is missing: \(error)
        """)
    }
  }
}
