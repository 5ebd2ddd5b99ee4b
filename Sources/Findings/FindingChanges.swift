package import PostgreSQL
import ReconciliationSQL
package import Runs

/// The changes that follow from tonight's findings; make them after findings_live.sql has run.
package struct FindingChanges {
  let database: Connection
  let steps: Steps

  /// Works in the night's transaction.
  package init(database: Connection, steps: Steps) {
    self.database = database
    self.steps = steps
  }

  /// Records why findings resolved, and reopens findings whose acknowledgement no longer holds.
  package func make() throws {
    let hasResolved = try database.run(SQLFile.findingsAnyResolved)
    let causes: [SQLFile] =
      hasResolved.first == "t"
      ? [
        .findingsThings, .findingsNames, .findingsRecords, .findingsApple, .findingsFeed,
        .findingsFirstRecord, .findingsRefund, .findingsInputs, .findingsResolved,
      ] : []
    let files = causes + [.findingsReturned]
    for file in files {
      try steps.run(file, in: database)
    }
  }
}
