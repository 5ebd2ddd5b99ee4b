import PostgreSQL
import ReconciliationSQL
import Runs

/// The silent hours of each server, on a night that judges only a part of the ledger.
///
/// An hour is compared with the same hour of the days before it (`silence_days` in
/// sql/schema/schema_policy.sql). So a night judges three kinds of hours: those that have ended
/// since the last night, those whose deliveries it changes, and those that are compared with such
/// hours. For all other hours it keeps the result of the night before. Then it updates the missing
/// deliveries that are uncertain because of a silent hour, even if they are not affected.
struct SilentHours {
  let database: Connection

  /// Shows the silent hours as the last night left them.
  ///
  /// - Parameter file: The relation of judge/ that was made last.
  func showBeforeLoad(after file: SQLFile) throws {
    switch file {
    case .judgeSourceHour:
      // The table is empty at this point; the hours are judged when all deliveries are known.
      try show("source_hour", as: .noRows, of: "tieout.carried_source_hour")
    case .judgeSilentHour:
      try database.drop(tables: [file.subject], step: file.subject)
      try showWhole()
    default: break
    }
  }

  /// Judges the hours that tonight can change, and shows all silent hours in their new state.
  ///
  /// - Parameter file: The relation of judge/ that was made last.
  func showAfterLoad(after file: SQLFile) throws {
    switch file {
    case .judgeSourceHour:
      // Joins by key, which is fast for any length of the history.
      try database.run(.joinByKey, step: file.subject)
      try database.run(SQLFile.affectedSilentHour)
      try database.run(.joinByHash, step: file.subject)
      try show("source_hour", as: .rows, of: "near_source_hour")
    case .judgeSilentHour:
      try change()
      try showWhole()
    default: break
    }
  }

  /// Updates the reasons of missing deliveries, even of those that are not affected.
  func updateReasons() throws -> Rows {
    let step = SQLFile.affectedSilence.name
    try database.run(SQLFile.affectedTouched.text, step: step)
    for file in [SQLFile.judgeUnheard, .judgeUnrecorded] {
      let table = "\(file.subject)_missing"
      let query = JudgingCommand.withQuery.text([
        "name": "obligation", "query": SQLFile.affectedUnheard.text,
        "text": JudgingCommand.subquery.text(["query": file.text]),
      ])
      try database.run(.makeTable, ["table": table, "query": query], step: step)
      try database.analyze(table, step: step)
    }
    return try database.run(SQLFile.affectedSilence.text, step: step)
  }

  /// Removes hours that are no longer silent, and inserts hours that have become silent.
  private func change() throws {
    try database.run(
      .renameTable, ["table": "silent_hour", "name": "near_silent_hour"], step: "silent_hour")
    try database.run(SQLFile.affectedChangedHour)
  }

  private func showWhole() throws {
    for relation in ["silent_hour", "source_hour"] {
      try show(relation, as: .rows, of: "tieout.carried_\(relation)")
    }
  }

  private func show(_ relation: String, as query: JudgingCommand, of table: String) throws {
    try database.run(
      .makeView, ["view": relation, "query": query.text(["table": table])], step: relation)
  }
}
