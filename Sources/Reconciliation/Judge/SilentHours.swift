import PostgreSQL
import ReconciliationSQL

/// Which hours of which source are silent, on a night that judges a part of all.
///
/// An hour is measured by the fourteen days before it. So a night looks at the hours that it makes whole,
/// those in which it changes what was sent, and those that are measured by them; of all others the
/// night before knows. What is missing and cannot be known for silence follows, wherever it is.
struct SilentHours {
  let database: Connection

  /// Shows the silent hours as the last night left them.
  ///
  /// - Parameter name: The relation of judge/ that was made last.
  func asTheyStood(after name: String) throws {
    switch name {
    case "source_hour":
      // What was sent is looked at when all of it is known.
      try show("source_hour", as: .nothing)
    case "silent_hour":
      try database.run(.dropTable, ["table": name], step: name)
      try showWhole()
    default: break
    }
  }

  /// Judges the hours that tonight can change, and shows all as they stand.
  ///
  /// - Parameter name: The relation of judge/ that was made last.
  func asTheyStand(after name: String) throws {
    switch name {
    case "source_hour":
      // By key, however large the history.
      try database.run(.joinByKey, step: name)
      try database.run(SQLFile.reachedSilentHour.text, step: SQLFile.reachedSilentHour.name)
      try database.run(.joinByHash, step: name)
      try show("source_hour", as: .nearSourceHours)
    case "silent_hour":
      try change()
      try showWhole()
    default: break
    }
  }

  /// Lets the reasons of what is missing follow, wherever it is.
  func follow() throws -> Rows {
    let step = SQLFile.reachedSilence.name
    try database.run(.changedInstants, step: step)
    try database.run(.unheardMissing, ["query": SQLFile.judgeUnheard.text], step: step)
    return try database.run(SQLFile.reachedSilence.text, step: step)
  }

  /// Takes out what is silent no longer and puts in what has fallen silent.
  ///
  /// Of an hour that is no candidate not all is known here: what was judged of it is left aside.
  private func change() throws {
    try database.run(
      .renameTable, ["table": "silent_hour", "name": "near_silent_hour"], step: "silent_hour")
    try database.run(.changedSilentHours, step: "silent_hour")
  }

  private func showWhole() throws {
    try show("silent_hour", as: .whole)
    try show("source_hour", as: .whole)
  }

  private func show(_ relation: String, as query: JudgingStatement) throws {
    try database.run(
      .makeView, ["view": relation, "query": query.text(["relation": relation])], step: relation)
  }
}
