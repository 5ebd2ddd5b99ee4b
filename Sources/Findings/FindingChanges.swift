package import PostgreSQL
import ReconciliationSQL
import Rules
package import Runs

/// The changes of the findings that follow from tonight's judgement.
package struct FindingChanges {
  let database: Connection
  let steps: Steps

  /// Works in the night's transaction.
  package init(database: Connection, steps: Steps) {
    self.database = database
    self.steps = steps
  }

  /// Opens, keeps and resolves findings, records why they resolved, and reopens findings whose
  /// acknowledgement no longer holds.
  package func update() throws {
    try steps.run(SQLFile.findingsLive, in: database)
    let hasResolved = try database.run(SQLFile.findingsAnyResolved).isTrue
    if hasResolved { try Rule.makeTable(in: database) }
    let causes: [SQLFile] =
      hasResolved
      ? [
        .findingsThings, .findingsNames, .findingsNewRecord, .findingsRecords, .findingsShared,
        .findingsReversal,
        .findingsApple, .findingsFeed, .findingsFirstRecord, .findingsRefund, .findingsInputs,
        .findingsChangedSetting, .findingsResolved,
      ] : []
    for file in causes + [.findingsReturned] {
      // A small table would be read whole; the planner expects no gain from an index of files.
      let usesIndexes = file == .findingsNewRecord
      if usesIndexes { try database.run("set local enable_seqscan = off", step: file.name) }
      try steps.run(file, in: database)
      if usesIndexes { try database.run("set local enable_seqscan to default", step: file.name) }
    }
  }

  /// Stores the night's counts of findings; later nights are compared with them.
  package func count() throws {
    try steps.run(SQLFile.findingsCount, in: database)
    try steps.run(SQLFile.findingsRolled, in: database)
  }
}
