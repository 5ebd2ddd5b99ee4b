import ExactText
import Logging
import PostgreSQL
import ReconciliationSQL
import Rules
import Runs
import Waiting

/// The records that share a name with those that are asked for, judged as of the newest night.
///
/// It takes no lock and changes nothing: everything happens in one transaction with one snapshot,
/// which is rolled back. A night can run at the same time. The night's own queries judge
/// this part, so a rule gives the same result here as in the night.
struct AffectedPart {
  let database: Connection
  let script: QueryScript
  let runID: Int
  let asOf: String
  /// Whether so many records were judged that the planner needs statistics.
  private var isLarge = false

  private init(database: Connection, script: QueryScript, runID: Int, asOf: String) {
    self.database = database
    self.script = script
    self.runID = runID
    self.asOf = asOf
  }

  /// Judges this part, asks `questions` about it, and rolls everything back.
  ///
  /// - Parameter first: Called before anything is judged. If it returns an answer, nothing is
  ///   judged.
  /// - Throws: ``ReconciliationError`` with `configuration` if no night is done yet, or
  ///   `PostgreSQLError`.
  static func of<Answer>(
    _ names: [String], in database: String, first: (AffectedPart) throws -> Answer? = { _ in nil },
    _ questions: (AffectedPart) throws -> Answer
  ) throws -> Answer {
    let connection = try Connection.toLedger(database, as: "tieout explain")
    let script = QueryScript()
    script.listen(to: connection)
    return try connection.inTransaction(
      "begin isolation level repeatable read", endingWith: .rollback
    ) {
      try connection.run(Schema.judgingSettings, step: "begin")
      let newest = try connection.run(SQLFile.runNewestNight).records.first
      guard let newest, let runID = newest.number("run_id"), let asOf = newest["as_of"] else {
        throw ReconciliationError(
          .configuration, RunRecord.wordsBeforeFirstNight(in: connection))
      }
      var part = AffectedPart(database: connection, script: script, runID: runID, asOf: asOf)
      try part.set(names)
      if let known = try first(part) { return known }
      try part.judge()
      return try questions(part)
    }
  }

  /// The rows of an SQL file, which the script shows under the file's name.
  func ask(_ file: SQLFile) throws -> [Row] {
    try script.show(file.subject.replacing("_", with: " ")) { try database.run(file) }.records
  }

  /// The facts that an SQL file returns, with each list cut at its length.
  func askCut(_ file: SQLFile) throws -> [Row] {
    try make("overview_fact", by: file)
    let rows = try script.show(file.subject.replacing("_", with: " ")) {
      try database.run(SQLFile.explainCut)
    }
    try database.run("drop table overview_fact", step: file.name)
    return rows.records
  }

  /// The rows that ``make(_:)`` stored, in the order of some columns, which the script shows like
  /// those of ``ask(_:)``.
  func askTable(of file: SQLFile, order: String) throws -> [Row] {
    try script.show(file.subject.replacing("_", with: " ")) {
      try rows(of: file, order: order)
    }.records
  }

  /// The rows that ``make(_:)`` stored, in the order of some columns.
  func rows(of file: SQLFile, order: String) throws -> Rows {
    try database.run("select * from \(file.subject) order by \(order)", step: file.name)
  }

  /// Stores the rows of an SQL file, for later queries, in a temporary table with the name of its
  /// subject.
  ///
  /// - Returns: the number of rows.
  @discardableResult
  func make(_ file: SQLFile) throws -> Int { try make(file.subject, by: file) }

  /// Stores the rows of an SQL file in a temporary table with another name, because several files
  /// give that table or because the name has the layer.
  ///
  /// - Returns: the number of rows.
  @discardableResult
  func make(_ table: String, by file: SQLFile) throws -> Int {
    let rows = try database.run(
      "create temporary table \(table) on commit drop as\n\(file.text)", step: file.name
    ).affected
    if isLarge { try analyze(table) }
    return rows
  }

  /// Gives the planner statistics of a stored table.
  ///
  /// Without statistics, the planner expects many rows in the table, and reads the whole history to
  /// join them.
  func analyze(_ table: String) throws {
    try database.run("analyze \(table)", step: table)
  }

  /// Asks about the delivery records that an SQL file returns, each with its environment and
  /// whether it applies: while `questions` runs, they are in `placed_record`.
  func withPlacedRecords<Answer>(
    _ file: SQLFile, _ questions: () throws -> Answer
  ) throws -> Answer {
    try make("named_record", by: file)
    try database.run(SQLFile.carriedPlacedRecord)
    let answer = try questions()
    try database.run("drop table known_transaction, placed_record", step: file.name)
    return answer
  }

  /// Leaves the possible matches of the missing deliveries of this part in `ranked_match`.
  func findPossibleMatches() throws {
    // Without hash joins, thousands of purchases of one account would be compared one by one.
    try database.run("set local enable_hashjoin = on", step: "possible matches")
    try PossibleMatches(database: database).find(for: "select * from carried_missing_delivery")
    if !isLarge {
      try database.run("set local enable_hashjoin = off", step: "possible matches")
    }
    // While `enable_seqscan` is off, a sequential scan costs so much that the planner sees no
    // difference between looking up a few deliveries and reading the whole index.
    try analyze("possible_match")
    try database.run("set local enable_seqscan = on", step: "possible matches")
    try make(.explainRankedMatch)
    try database.run("set local enable_seqscan = off", step: "possible matches")
  }

  /// Sets the transactions that can be part of a row of `tie_out.csv` as the names for the queries.
  ///
  /// - Returns: false if there is no such row.
  func find(cell name: String) throws -> Bool {
    try database.run(
      "select set_config('tieout.explained_name', $1, true)", [name], step: "names")
    guard try make(.explainCellRow) > 0 else { return false }
    let transactions = try ask(.explainCellTransaction)
    try set(transactions.map { $0.text("transaction_id") })
    return true
  }

  /// Sets the night and the names for the queries.
  func set(_ names: [String]) throws {
    try database.select(run: "\(runID)", step: "newest night")
    // A line end separates two names, so a line end in a name becomes a space. No identifier
    // contains one.
    let asked = names.map { $0.replacingScalars { $0 == "\n" ? " " : nil } }.joined(separator: "\n")
    try database.run(
      "select set_config('tieout.explained', $1, true)", [asked], step: "names")
  }

  private mutating func judge() throws {
    let affected = AffectedRecords(database: database)
    // The planner expects few new names. If there are thousands and the history is small, it would
    // read the history once for each name.
    try database.run("set local enable_seqscan = off", step: "names")
    try affected.find(.explainSeed)
    try database.run("set local enable_seqscan = on", step: "names")
    isLarge = try affected.hideTheRest(isLoaded: false) == .much
    let relations = JudgedRelations(database: database)
    let steps = Steps(logger: Logger(label: "explain"), stop: .ofProcess) { _ in }
    try relations.make(steps: steps, of: isLarge ? .much : .little, instead: showWhole)
    try relations.apply(Rule.ofPurchases, steps: steps)
    for file in [SQLFile.carriedMissingDelivery, .carriedSharedFamily] {
      try make(file.name, by: file)
    }
    // The remaining queries read only what was affected, and rows that are looked up by it. Without
    // hash joins, thousands of affected records would be compared one by one.
    if !isLarge { try database.run("set local enable_hashjoin = off", step: "questions") }
    try database.run("set local enable_seqscan = off", step: "questions")
  }

  /// Shows a relation that the nights carried forward, instead of judging it.
  ///
  /// - Returns: whether the relation does not have to be judged.
  private func showWhole(_ file: SQLFile) throws -> Bool {
    guard let relation = CarriedRelation.whole.first(where: { $0.query == file }) else {
      return false
    }
    try relation.show(in: database)
    return true
  }
}
