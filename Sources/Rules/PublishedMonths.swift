import PostgreSQL
import ReconciliationSQL
import Runs

/// The ended months that are published: how a night changes what was published about them.
package struct PublishedMonths {
  let database: Connection
  let steps: Steps
  /// Whether a run that judges everything corrects what was published wrong.
  ///
  /// Otherwise such a month stops the run when it changes.
  let areCorrected: Bool

  /// Whether an edition was published that stands for an ended month.
  func exist() throws -> Bool {
    try database.run(SQLFile.restatedHasPublished, [nil]).isTrue
  }

  /// Records how a night that judges the affected records has changed them.
  ///
  /// The tables `changed_…` of the relations that are ``CarriedRelation/isRestated`` have the
  /// changes.
  func restateAffected() throws {
    try recordChanges()
    try steps.run(.restatedSilence, in: database)
    try assertBalanced()
  }

  /// Records how a night that judges everything has changed them, and corrects them if they
  /// ``areCorrected``.
  ///
  /// - Parameter hasChanges: Whether the tables `changed_…` have changes by records or settings.
  ///   Otherwise they have only errors of the carried data, which changed nothing that was
  ///   published.
  /// - Returns: the number of sums that are corrected.
  func restateAll(hasChanges: Bool) throws -> Int {
    if hasChanges { try recordChanges() }
    let corrected = try areCorrected ? correct() : 0
    try assertBalanced()
    return corrected
  }

  /// The closed periods whose numbers are wrong; empty if months are not corrected.
  package func wrongPeriods() throws -> [String] {
    guard areCorrected else { return [] }
    return try steps.measure(SQLFile.periodWrong.name) {
      try database.run(SQLFile.periodWrong).records.map { $0.text("period") }
    }
  }

  /// Records each transaction that tonight changed, with the cause.
  private func recordChanges() throws {
    let files = [SQLFile.restatedStart, .restatedMissing, .restatedRow, .restatedChange]
    for file in files { try steps.run(file, in: database) }
  }

  /// Corrects what was published wrong although no record has changed it.
  ///
  /// - Returns: the number of sums that are corrected.
  private func correct() throws -> Int {
    try steps.measure(SQLFile.restatedCorrection.name) {
      try compare(JudgingCommand.rows.text(["table": "standing_month"]))
      return try database.run(SQLFile.restatedCorrection).number
    }
  }

  /// What has happened, and what to do, if a month does not add up.
  private var otherwise: String {
    if areCorrected {
      return "Nothing was published. Keep the log and the inbox, and report this message."
    }
    return """
      Nothing was published. Run tieout recompute, which corrects what earlier nights carried forward, and then this \
      command again.
      """
  }

  /// Checks that what was published and the recorded changes add up to what is known now.
  private func assertBalanced() throws {
    try steps.measure(SQLFile.restatedBalance.name) {
      try compare(SQLFile.restatedMoved.text)
      try database.runCheck(.restatedBalance, otherwise: otherwise)
    }
  }

  /// Makes `restated_line` for the months that the query returns.
  private func compare(_ months: String) throws {
    let step = SQLFile.restatedLine.name
    try database.drop(tables: ["compared_month", "restated_line"], step: step)
    try database.run(.makeTable, ["table": "compared_month", "query": months], step: step)
    // There are few months. Without knowing that, the planner would read all changes of all months.
    try database.analyze("compared_month", step: step)
    let line = SQLFile.restatedLine.text
    try database.run(.makeTable, ["table": "restated_line", "query": line], step: step)
  }
}
