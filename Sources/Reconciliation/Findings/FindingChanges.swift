import PostgreSQL
import ReconciliationSQL

/// What follows from tonight's findings having resolved or not; to be made when findings_live.sql has run.
struct FindingChanges {
  let database: Connection
  let step: Steps

  /// Notes why findings resolved, and brings back what was acknowledged until a day that has passed.
  func make() throws {
    let isNews = try database.run(
      "select exists (select from resolved_tonight)", step: SQLFile.findingsResolved.name)
    let files =
      (isNews.first == "t" ? [SQLFile.findingsResolved] : []) + [SQLFile.findingsReturned]
    for file in files {
      try step.measure(file.name) { try database.run(file.text, step: file.name) }
    }
  }
}
