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
    try database.run(Self.lookingUpIsCheap, step: "reach")
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
      try database.run(
        """
        create temporary table found_before on commit drop as
        select rule, environment, sha256(convert_to(subject, 'UTF8')) as subject_hash from found
        """, step: "found before")
      for (relation, file) in zip(CarriedRelation.found, SQLFile.carried) {
        try make("before_\(relation.name)", by: file)
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
    for (relation, file) in zip(CarriedRelation.found, SQLFile.carried) {
      try step.measure(file.name) {
        try make("after_\(relation.name)", by: file)
        try relation.change(
          from: "before_\(relation.name)", to: "after_\(relation.name)", in: database)
      }
    }
    try dropPast()
    _ = try step.measure(SQLFile.reachedSilence.name, silentHours.follow)
    try step.measure(SQLFile.reachedNearMiss.name) {
      try database.run(SQLFile.reachedNearMiss.text, step: SQLFile.reachedNearMiss.name)
    }
    try database.run(
      """
      insert into found_before (rule, environment, subject_hash)
      select rule, environment, subject_hash
      from finding
      where
          status <> 'resolved'
          and rule = any(array[\(Rule.all.filter { !$0.isOfPurchases }.map { "'\($0.name)'" }
            .joined(separator: ", "))])
      """, step: "found before")
    try finish()
  }

  /// Notes that the next night can build on this one; the findings have their lives by now.
  ///
  /// From here on `found` is what is open, of this night and of those before it.
  func carryForward() throws {
    if before != nil { try reach.showTheRest() }
    try database.run("drop table pg_temp.found", step: "carry forward")
    try database.run(
      """
      insert into judged (run_id, statements) values ($1::bigint, $2)
      on conflict (is_the_only_one) do update
          set run_id = excluded.run_id, statements = excluded.statements
      """, [record.runID, Self.statements], step: "carry forward")
  }

  /// Puts away what outlives a transaction; to be called when the reports are written.
  func end() throws {
    if before != nil { try relations.dropViews() }
    guard record.isRebuild else { return }
    // A past day's run can load what it finds: then nothing that was carried forward knows of it.
    try database.run(
      """
      delete from judged
      using run as earlier, run as tonight
      where
          judged.run_id = earlier.run_id
          and tonight.run_id = $1::bigint
          and (
              tonight.settings -> 'trust' is distinct from earlier.settings -> 'trust'
              or exists (select from input_file where input_file.run_id = tonight.run_id)
          )
      """, [record.runID], step: "end")
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
    if !record.isRebuild {
      for relation in CarriedRelation.whole {
        let rows = try step.measure("carried_\(relation.name)") {
          try relation.replace(by: relation.name, in: database)
        }
        if let sum = corrections { corrections = sum + rows }
      }
    }
    for (relation, file) in zip(CarriedRelation.found, SQLFile.carried) {
      let rows = try step.measure(file.name) {
        try make("fresh_\(relation.name)", by: file)
        let rows = try relation.replace(by: "fresh_\(relation.name)", in: database)
        try database.run("drop table fresh_\(relation.name)", step: file.name)
        return rows
      }
      if let sum = corrections { corrections = sum + rows }
    }
    try database.run(
      """
      create temporary table found_before on commit drop as
      select rule, environment, subject_hash from finding where status <> 'resolved'
      """, step: "found before")
    try finish()
  }

  private func finish() throws {
    try relations.apply(Rule.all.filter { !$0.isOfPurchases }, step: step)
    try database.run("analyze found_before", step: "found before")
    try relations.assertClosed()
    try step.measure(SQLFile.judgeCause.name) {
      try make(SQLFile.judgeCause.subject, by: SQLFile.judgeCause)
    }
  }

  /// The night that was judged last, if what is carried forward from it is of use tonight.
  private func comparableNight() throws -> (runID: String, isOfSameAsOf: Bool)? {
    guard !record.isRebuild else { return nil }
    let rows = try database.run(
      """
      select judged.run_id, earlier.as_of = tonight.as_of
      from judged
      inner join run as earlier on judged.run_id = earlier.run_id
      inner join run as tonight on tonight.run_id = $1::bigint
      where
          judged.statements = $2
          and earlier.as_of <= tonight.as_of
          and earlier.settings - \(Self.settingsOfReading) = tonight.settings - \(Self.settingsOfReading)
      """, [record.runID, Self.statements], step: "last night")
    guard let row = rows.values.first, let last = row[0] else { return nil }
    // Days that the statement of revenue told of no longer are dropped; earlier ones are not there.
    let since = "select revenue_since from night"
    try setNight(last)
    let first = try database.run(since, step: "last night").first
    try setNight(record.runID)
    guard let first, let now = try database.run(since, step: "last night").first, first <= now
    else { return nil }
    return (last, row[1] == "t")
  }

  /// What looking a key up costs beside reading a row.
  ///
  /// By the server's own setting, which is that of a disk, the planner reads a whole table rather than look
  /// up a twentieth of it, and that took longer.
  private static let lookingUpIsCheap = "set local random_page_cost = 0.1"

  /// The settings that say what is read and where, and nothing of how it is judged.
  private static let settingsOfReading = """
    array['inbox', 'bundle_ids', 'delivery_columns', 'document_limit', 'trusted_roots', 'revenue_since',
        'keep_closed_days'
    ]
    """

  private static let statements = Schema.fingerprint(
    SQLFile.judge + SQLFile.carried + SQLFile.rules)

  private func stand() throws -> Before {
    let row =
      try database.run(
        "select (select begin_at from books), exists (select from product)", step: "books"
      ).values.first ?? []
    return Before(booksBegin: row.first ?? nil, hasCatalogue: row.last == "t")
  }

  /// Puts what was judged of what is reached aside, and shows what it is of all in its place.
  private func keepAside(_ relation: CarriedRelation, as time: String) throws {
    try database.run(
      "alter table pg_temp.\(relation.name) rename to \(time)_\(relation.name)", step: relation.name
    )
    if time == "after" {
      try relation.change(
        from: "before_\(relation.name)", to: "after_\(relation.name)", in: database)
    }
    try database.run(
      """
      create temporary view \(relation.name) as
      select * from carried_\(relation.name)
      """, step: relation.name)
  }

  private func make(_ table: String, by file: SQLFile) throws {
    try database.run(
      "create temporary table \(table) on commit drop as\n\(file.text)", step: file.name)
  }

  /// What lies before the first day or hour that its statement tells of is history.
  private func dropPast() throws {
    try database.run(
      """
      delete from carried_revenue where day < (select revenue_since from night);
      delete from carried_served
      where due_hour < (
          select date_bin('1 hour', as_of, '2000-01-01T00:00:00Z') - interval '336 hours' from night
      )
      """, step: "past sums")
  }

  /// Forgets what was judged as it stood, so that everything can be judged.
  private func startOver() throws {
    before = nil
    try database.run("set local random_page_cost to default", step: "start over")
    try reach.forget()
    for relation in CarriedRelation.whole + CarriedRelation.found {
      for time in ["before", "after", "difference"] {
        try database.run(
          "drop table if exists pg_temp.\(time)_\(relation.name)", step: "start over")
      }
    }
    try database.run("drop table if exists pg_temp.found_before", step: "start over")
  }

  private func setNight(_ runID: String) throws {
    try database.run(
      "select set_config('tieout.run_id', $1, true)", [runID], step: "night")
  }
}
