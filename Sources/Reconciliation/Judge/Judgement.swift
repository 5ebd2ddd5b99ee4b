import PostgreSQL
import ReconciliationSQL

/// What a night considers, and what its rules find in it.
///
/// A night judges what it reaches: tonight's records with all that shares a name with them, and what has
/// fallen due. It does so twice, as they stood before the load and as they stand after it, and changes
/// what was carried forward by the difference. So its cost is that of what it brings, not of the
/// history. Everything is judged on a first night, after settings or statements have changed, when a
/// past day is rebuilt, and when somebody asks for it.
final class Judgement {
  private let database: Connection
  private let record: RunRecord
  private let step: Steps
  private let relations: JudgedRelations
  private let reach: Reach
  private let silentHours: SilentHours
  private var before: Before?
  /// How many rows of what was carried forward were wrong: known where everything was judged as of the
  /// night that they speak of, by its settings.
  private(set) var corrections: Int?

  /// What has to be the same before and after for the difference to be all that changes.
  private struct Before: Equatable {
    let booksBegin: String?
    let hasCatalogue: Bool
  }

  init(database: Connection, record: RunRecord, step: Steps) {
    self.database = database
    self.record = record
    self.step = step
    relations = JudgedRelations(database: database)
    reach = Reach(database: database)
    silentHours = SilentHours(database: database)
  }

  /// Judges what tonight reaches as it stood; to be called when tonight's files are staged and not loaded.
  ///
  /// Does nothing where everything has to be judged.
  func asItStood() throws {
    guard let last = try comparableNight() else { return }
    guard !record.judgesEverything else {
      corrections = last.isOfSameAsOf ? 0 : nil
      return
    }
    guard try step.measure("reach", reach.find) else { return }
    try database.run(.lookUpCheaply, step: "reach")
    try step.measure("judge as it stood") {
      try setNight(last.runID)
      try reach.hideTheRest()
      let quiet = step.silent
      try relations.make(step: quiet) { name in
        if let relation = CarriedRelation.judged.first(where: { $0.name == name }) {
          try keepAside(relation, as: "before")
        }
        try silentHours.asTheyStood(after: name)
      }
      try relations.apply(Rule.all.filter(\.isOfPurchases), step: quiet)
      try make("found_before", by: JudgingStatement.foundAsItStood.rawValue, step: "found before")
      for relation in CarriedRelation.found {
        try make("before_\(relation.name)", by: relation.query)
      }
      before = try stand()
      try relations.drop()
      try reach.showTheRest()
      try setNight(record.runID)
    }
    guard before?.hasCatalogue == true else { return try startOver() }
  }

  /// Judges what tonight reaches, or everything, as it stands after the load.
  ///
  /// Leaves behind the relations of judge/, `found`, `found_before` and what is carried forward.
  func asItStands() throws {
    if record.isRebuild {
      // A past day's statements are of that day alone.
      for relation in CarriedRelation.found { try relation.hide(in: database) }
      try ClosestIdentifiers(database: database).hide()
    }
    guard let before else { return try everything() }
    try step.measure("reach", reach.hideTheRest)
    try relations.make(step: step) { name in
      if let relation = CarriedRelation.judged.first(where: { $0.name == name }) {
        try keepAside(relation, as: "after")
      }
      try silentHours.asTheyStand(after: name)
    }
    guard try stand() == before else {
      // What the books owe, or whether anything can be said of products, is another question now.
      try relations.drop()
      try reach.showTheRest()
      try startOver()
      return try everything()
    }
    try relations.apply(Rule.all.filter(\.isOfPurchases), step: step)
    for relation in CarriedRelation.found {
      try step.measure(relation.query.name) {
        try make("after_\(relation.name)", by: relation.query)
        try relation.change(
          from: "before_\(relation.name)", to: "after_\(relation.name)", in: database)
      }
    }
    try dropPast()
    _ = try step.measure(SQLFile.reachedSilence.name, silentHours.follow)
    try step.measure(SQLFile.reachedNearMiss.name) {
      try database.run(SQLFile.reachedNearMiss.text, step: SQLFile.reachedNearMiss.name)
    }
    let overall = Rule.all.filter { !$0.isOfPurchases }.map(\.name)
    try database.run(
      .addOpenFindings, with: [PostgreSQLArray.text(overall)], step: "found before")
    try finish()
  }

  /// Notes that the next night can build on this one; the findings have their lives by now.
  ///
  /// From here on `found` is what is open, of this night and of those before it.
  func carryForward() throws {
    if before != nil { try reach.showTheRest() }
    try database.run(.dropTable, ["table": "found"], step: "carry forward")
    try database.run(
      .noteJudged, with: [record.runID, JudgingProgram.fingerprint], step: "carry forward")
  }

  /// Puts away what outlives a transaction; to be called when the reports are written.
  func end() throws {
    if before != nil { try relations.dropViews() }
    guard record.isRebuild else { return }
    // A past day's run can load what it finds: then nothing that was carried forward knows of it.
    try database.run(.forgetJudged, with: [record.runID], step: "end")
  }

  /// Judges everything as of a past run, and carries nothing forward.
  static func ofPast(_ runID: String, database: Connection, step: Steps) throws {
    let judgement = Judgement(
      database: database, record: RunRecord(runID: runID, asOf: "", day: "", isRebuild: true),
      step: step)
    try judgement.setNight(runID)
    try judgement.asItStands()
  }

  private func everything() throws {
    try relations.make(step: step)
    try relations.apply(Rule.all.filter(\.isOfPurchases), step: step)
    try ClosestIdentifiers(database: database).startOver()
    if !record.isRebuild {
      for relation in CarriedRelation.whole {
        let rows = try step.measure("carried_\(relation.name)") {
          try relation.replace(by: relation.name, in: database)
        }
        if let sum = corrections { corrections = sum + rows }
      }
    }
    for relation in CarriedRelation.found {
      let file = relation.query
      let rows = try step.measure(file.name) {
        try make("fresh_\(relation.name)", by: file)
        let rows = try relation.replace(by: "fresh_\(relation.name)", in: database)
        try database.run(.dropTable, ["table": "fresh_\(relation.name)"], step: file.name)
        return rows
      }
      if let sum = corrections { corrections = sum + rows }
    }
    try make("found_before", by: JudgingStatement.openFindings.rawValue, step: "found before")
    try finish()
  }

  private func finish() throws {
    try relations.apply(Rule.all.filter { !$0.isOfPurchases }, step: step)
    try step.measure(SQLFile.carriedClosest.name, ClosestIdentifiers(database: database).update)
    try database.run(
      .analyze, ["table": "found_before", "columns": ""], step: "found before")
    try relations.assertClosed()
    try step.measure(SQLFile.judgeCause.name) {
      try make(SQLFile.judgeCause.subject, by: SQLFile.judgeCause)
    }
  }

  /// The night that was judged last, if what is carried forward from it is of use tonight.
  private func comparableNight() throws -> (runID: String, isOfSameAsOf: Bool)? {
    guard !record.isRebuild else { return nil }
    let rows = try database.run(
      .comparableNight,
      with: [
        record.runID, JudgingProgram.fingerprint, PostgreSQLArray.text(Self.settingsOfReading),
      ], step: "last night")
    guard let row = rows.values.first, let last = row[0] else { return nil }
    // Days that the statement of revenue told of no longer are dropped; earlier ones are not there.
    try setNight(last)
    let first = try database.run(.revenueSince, step: "last night").first
    try setNight(record.runID)
    guard let first, let now = try database.run(.revenueSince, step: "last night").first,
      first <= now
    else { return nil }
    return (last, row[1] == "t")
  }

  /// The settings that say what is read and where, and nothing of how it is judged.
  static let settingsOfReading = [
    "inbox", "bundle_ids", "delivery_columns", "receipt_columns", "document_limit", "trusted_roots",
    "revenue_since", "keep_closed_days",
  ]

  private func stand() throws -> Before {
    let row = try database.run(.stand, step: "books").values.first ?? []
    return Before(booksBegin: row.first ?? nil, hasCatalogue: row.last == "t")
  }

  /// Puts what was judged of what is reached aside, and shows what it is of all in its place.
  private func keepAside(_ relation: CarriedRelation, as time: String) throws {
    let name = relation.name
    try database.run(.renameTable, ["table": name, "name": "\(time)_\(name)"], step: name)
    if time == "after" {
      try relation.change(from: "before_\(name)", to: "after_\(name)", in: database)
    }
    let whole = JudgingStatement.whole.text(["relation": name])
    try database.run(.makeView, ["view": name, "query": whole], step: name)
  }

  private func make(_ table: String, by file: SQLFile) throws {
    try make(table, by: file.text, step: file.name)
  }

  private func make(_ table: String, by query: String, step: String) throws {
    try database.run(.makeTable, ["table": table, "query": query], step: step)
  }

  /// What lies before the first day or hour that its statement tells of is history.
  private func dropPast() throws {
    try database.run(.dropPast, step: "past sums")
  }

  /// Forgets what was judged as it stood, so that everything can be judged.
  private func startOver() throws {
    before = nil
    try database.run(.lookUpAsUsual, step: "start over")
    try reach.forget()
    for relation in CarriedRelation.whole + CarriedRelation.found {
      for time in ["before", "after", "difference"] {
        try database.run(.dropTable, ["table": "\(time)_\(relation.name)"], step: "start over")
      }
    }
    try database.run(.dropTable, ["table": "found_before"], step: "start over")
  }

  private func setNight(_ runID: String) throws {
    try database.run(.setNight, with: [runID], step: "night")
  }
}
