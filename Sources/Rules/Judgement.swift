package import PostgreSQL
import ReconciliationSQL
package import Runs

/// Judges the records that a night considers, and applies the rules to them.
///
/// A night judges the affected records: tonight's records, all records that share a name
/// with them, and records that have become due. It judges them twice, in their state before the
/// load and in their state after it. Then it applies the difference to the relations that were
/// carried forward. So the cost of a night depends on its new records, not on the history.
/// Everything is judged on a first night, after settings or SQL texts have changed, when a
/// past day is run again, and when a user asks for it.
///
/// If many records are judged, the chains that match are counted and summed, and the rules judge
/// the others.
package final class Judgement {
  /// What a run judges.
  package enum Extent {
    /// The affected records; everything, as ``inBulk``, if nothing that fits was carried forward.
    case affected
    /// Everything; if that is much, the chains that match are counted and summed.
    case inBulk
    /// Everything, and the rules judge every chain.
    case inFull
    /// Everything, as ``inBulk``, but as of an earlier instant than that of the newest night;
    /// nothing is carried forward.
    case pastDay
  }

  let database: Connection
  private let runID: String
  let extent: Extent
  let steps: Steps
  let relations: JudgedRelations
  let carriedTables: CarriedTables
  let affected: AffectedRecords
  private let silentHours: SilentHours
  let matching: Matching
  package let months: PublishedMonths
  /// The premises before the load; nil if everything is judged.
  private var premisesBeforeLoad: Premises?
  /// Whether the ledger had none of the affected records.
  private var isEmptyBefore = false
  /// The relations that are shown whole on a night that judges everything.
  var shown: [String] = []
  /// How many rows the carried relations get on a night that judges everything.
  var size = AffectedSize.little
  /// How many rows were removed, inserted or changed in each table that was carried forward,
  /// because it was wrong.
  ///
  /// It is known only if everything was judged with the as-of and the settings of the night that
  /// carried the tables forward.
  package internal(set) var correctedTables: [String: Int]?
  /// How many sums that were published about ended months were wrong and are corrected in the
  /// restatement.
  package internal(set) var correctedSums = 0
  /// The transactions that match and are only counted and summed, and the chains among them that
  /// the rules judged too.
  ///
  /// Nil if the rules judge all transactions.
  private(set) var matched: Matching.Counts?
  /// The number of transactions that the rules judged.
  private var judgedByRules = 0
  /// Whether temporary tables with the whole ledger hide it, because it is distributed.
  var isWholeHidden = false

  /// The values on which every judgement can depend.
  ///
  /// If the load changes one of them, everything is judged.
  private struct Premises: Equatable {
    let booksBegin: String?
    let hasCatalogue: Bool
    /// Whether there is a report of Apple, without which ``CarriedRelation/isOfReports`` is empty.
    let hasReports: Bool

    /// The relations that the night changes.
    var relations: [CarriedRelation] {
      CarriedRelation.found.filter { hasReports || !$0.isOfReports }
    }
  }

  /// Prepares to judge.
  ///
  /// - Parameters:
  ///   - runID: The number of the run.
  ///   - extent: What the run judges.
  ///   - correctsMonths: Whether to correct what was published wrong about ended months, if
  ///     everything is judged.
  ///   - mostCoordinatorRows: The maximum number of rows that the coordinator of a cluster may
  ///     judge; 0: no limit.
  package init(
    runID: String, extent: Extent, database: Connection, steps: Steps,
    correctsMonths: Bool = false, mostCoordinatorRows: Int
  ) {
    self.database = database
    self.runID = runID
    self.extent = extent
    self.steps = steps
    relations = JudgedRelations(database: database)
    carriedTables = CarriedTables(database: database)
    affected = AffectedRecords(database: database, mostCoordinatorRows: mostCoordinatorRows)
    silentHours = SilentHours(database: database)
    matching = Matching(database: database)
    months = PublishedMonths(database: database, steps: steps, areCorrected: correctsMonths)
  }

  /// Judges the affected records in their state before the load.
  ///
  /// Call this when tonight's files are staged and not yet loaded. It does nothing if everything
  /// has to be judged.
  package func judgeBeforeLoad() throws {
    guard let last = try comparableNight() else { return }
    guard extent == .affected else {
      correctedTables = last.mustAgree ? [:] : nil
      return
    }
    guard try steps.measure("affected records", affected.find) else { return }
    try database.run(.lookUpCheaply, step: "affected records")
    try steps.measure("judge before load") {
      try setNight(last.runID)
      let size = try affected.hideTheRest(isLoaded: false)
      let inner = steps.silent
      var isSeparated = false
      try relations.make(steps: inner, of: size) { file in
        if file == .judgeRefund, try matching.isWorthwhile() {
          isSeparated = try matching.separate(isPart: true, isSampled: false, steps: inner) != nil
        }
        if let relation = CarriedRelation.judged.first(where: { $0.query == file }) {
          try keepAside(relation, as: "before")
        }
        try silentHours.showBeforeLoad(after: file)
      }
      if size != .nothing { try relations.apply(Rule.ofPurchases, steps: inner) }
      try make("found_before", by: .nightFoundBefore)
      let premises = try premises()
      for relation in premises.relations {
        try database.run(
          size == .nothing ? .makeEmptyTable : .makeTable,
          ["table": "before_\(relation.name)", "query": relation.query.text],
          step: relation.query.name)
      }
      premisesBeforeLoad = premises
      isEmptyBefore = size == .nothing
      try relations.drop()
      if isSeparated { try matching.end(isPart: true) }
      try affected.showTheRest()
      try setNight(runID)
    }
    guard premisesBeforeLoad?.hasCatalogue == true else { return try startOver() }
  }

  /// Judges the affected records, or everything, in the state after the load.
  ///
  /// Afterwards the relations of judge/, `found`, `found_before` and the carried relations are
  /// complete.
  package func judgeAfterLoad() throws {
    if extent == .pastDay {
      // The statements of a past day are about that day only.
      for relation in CarriedRelation.found { try relation.hide(in: database) }
      try ClosestIdentifiers(database: database).hide()
    }
    guard let premisesBeforeLoad else { return try everything() }
    let size = try steps.measure("affected records") { try affected.hideTheRest(isLoaded: true) }
    try relations.make(steps: steps, of: size) { file in
      if file == .judgeRefund, try matching.isWorthwhile() { try separate(isPart: true) }
      if let relation = CarriedRelation.judged.first(where: { $0.query == file }) {
        try keepAside(relation, as: "after")
      }
      try silentHours.showAfterLoad(after: file)
      try indexSales(after: file)
    }
    guard try premises() == premisesBeforeLoad else {
      // The load has changed when the books begin, or it has brought the first catalogue or the
      // first report of Apple, so every judgement can change.
      try relations.drop()
      if matched != nil { try matching.end(isPart: true) }
      matched = nil
      try affected.showTheRest()
      try startOver()
      return try everything()
    }
    if size != .nothing {
      try relations.apply(Rule.ofPurchases, steps: steps)
      try relations.price()
    }
    // The restatement reads the tables `changed_…` of its relations, so they are made even if they
    // are empty.
    let isIdle = isEmptyBefore && size == .nothing
    for relation in premisesBeforeLoad.relations where !isIdle || relation.isRestated {
      try steps.measure(relation.query.name) {
        try relation.applyDifference(before: "before_\(relation.name)", in: carriedTables)
      }
    }
    if matched != nil {
      try matching.assertSample(steps)
      try matching.end(isPart: true)
    }
    try database.run(SQLFile.nightDropEarlier)
    try steps.measure(
      SQLFile.affectedSilence.name, size: StepSize.written, silentHours.updateReasons)
    if try months.exist() { try months.restateAffected() }
    _ = try steps.measure(SQLFile.carriedPossibleMatch.name) {
      try PossibleMatches(database: database).update(of: SQLFile.affectedPossibleMatch.text)
    }
    let overall = Rule.ofTheNight.map(\.name)
    try database.run(SQLFile.nightFoundBeforeRules, [PostgreSQLArray.text(overall)])
    try finish()
  }

  /// Records that the next night can build on this one; the findings must be updated already.
  ///
  /// After this call, `found` shows the open findings of this night and of earlier nights.
  package func carryForward() throws {
    if premisesBeforeLoad != nil || isWholeHidden { try affected.showTheRest() }
    try database.drop(tables: ["found"], step: "carry forward")
    try database.run(SQLFile.nightCarryForward, [runID, JudgingProgram.fingerprint])
  }

  /// Records how many transactions matched, and how many the rules judged, for the control totals.
  package func noteCounts() throws {
    try RunRecord.keepCounts(
      [
        ("judged", "matched", Int64(matched?.transactions ?? 0)),
        ("judged", "by_rules", Int64(judgedByRules)),
        ("judged", "sampled_chains", Int64(matched?.sampledChains ?? 0)),
      ], of: runID, in: database)
  }

  /// Drops the views that outlive the transaction; call this when the reports are written.
  package func end() throws {
    try relations.dropViews(
      premisesBeforeLoad == nil ? shown : CarriedRelation.whole.map(\.name))
    guard extent == .pastDay else { return }
    // A past day's run can load new files. The carried relations do not contain them.
    try database.run(SQLFile.nightUnjudged, [runID])
  }

  /// Judges everything as of a past run, and carries nothing forward.
  package static func ofPast(
    _ runID: String, database: Connection, steps: Steps, mostCoordinatorRows: Int
  ) throws {
    let judgement = Judgement(
      runID: runID, extent: .pastDay, database: database, steps: steps,
      mostCoordinatorRows: mostCoordinatorRows)
    try judgement.setNight(runID)
    try judgement.judgeAfterLoad()
  }

  /// Separates the chains that match; the relations that follow read the ledger.
  func separate(isPart: Bool) throws {
    matched = try matching.separate(isPart: isPart, isSampled: true, steps: steps)
  }

  /// Makes an index of the exceptions' sales, if the sales of matched chains are in the same table.
  func indexSales(after file: SQLFile) throws {
    guard file == .judgeSale, matched != nil else { return }
    try database.run(.indexSales, step: file.name)
  }

  /// Judges what depends on the whole night, and checks that the sums agree.
  func finish() throws {
    // Without a report of Apple there is no row, and the view is enough.
    if try premises().hasReports {
      try steps.measure(SQLFile.judgeTieOutRow.name) {
        try make(SQLFile.judgeTieOutRow.subject, by: SQLFile.judgeTieOutRow)
      }
    }
    try relations.apply(Rule.ofTheNight, steps: steps)
    try steps.measure(
      SQLFile.carriedClosest.name, size: StepSize.written,
      ClosestIdentifiers(database: database).update)
    try database.analyze("found_before", step: "found before")
    try steps.measure(SQLFile.judgeCompared.name) {
      try make(SQLFile.judgeCompared.subject, by: SQLFile.judgeCompared)
    }
    judgedByRules = try relations.assertBalanced()
    try steps.measure(SQLFile.judgeCause.name) {
      try make(SQLFile.judgeCause.subject, by: SQLFile.judgeCause)
    }
  }

  /// The night that was judged last, if tonight can use what it carried forward; otherwise nil.
  ///
  /// With the same as-of and the same first day of revenue, everything must come out the same.
  private func comparableNight() throws -> (runID: String, mustAgree: Bool)? {
    guard extent != .pastDay else { return nil }
    let rows = try database.run(
      SQLFile.nightLast, [runID, JudgingProgram.fingerprint])
    guard let row = rows.records.first, let last = row["run_id"] else { return nil }
    // If tonight's revenue begins on an earlier day, everything has to be judged.
    try setNight(last)
    let first = try database.run(SQLFile.nightFirstDay).first
    try setNight(runID)
    guard let first, let now = try database.run(SQLFile.nightFirstDay).first, first <= now
    else { return nil }
    return (last, row.flag("is_of_same_as_of") && first == now)
  }

  private func premises() throws -> Premises {
    let row = try database.run(SQLFile.nightPremises).records.first
    return Premises(
      booksBegin: row?["books_begin"], hasCatalogue: row?.flag("has_catalogue") == true,
      hasReports: row?.flag("has_reports") == true)
  }

  /// Renames the judged part of a relation, and shows the whole relation under its name.
  private func keepAside(_ relation: CarriedRelation, as time: String) throws {
    let name = relation.name
    try database.run(.renameTable, ["table": name, "name": "\(time)_\(name)"], step: name)
    if time == "after" {
      try relation.applyDifference(
        before: "before_\(name)", after: "after_\(name)", in: carriedTables)
    }
    try relation.show(in: database)
  }

  private func make(_ table: String, by file: SQLFile) throws {
    try database.run(.makeTable, ["table": table, "query": file.text], step: file.name)
  }

  /// Drops the judgement of the state before the load, so that everything can be judged.
  private func startOver() throws {
    premisesBeforeLoad = nil
    try database.run(.lookUpAsUsual, step: "start over")
    try affected.drop()
    let tables = (CarriedRelation.whole + CarriedRelation.found).flatMap { relation in
      ["before", "after", "difference", "changed"].map { "\($0)_\(relation.name)" }
    }
    try database.drop(tables: tables + ["found_before"], step: "start over")
  }

  private func setNight(_ runID: String) throws {
    try database.select(run: runID, step: "night")
  }
}
