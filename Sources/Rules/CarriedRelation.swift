package import PostgreSQL
package import ReconciliationSQL
import Runs

/// A relation that one night carries forward to the next.
///
/// It consists of a table `carried_…` and the query that makes the table from the judged relations.
/// Each row depends only on records that are affected together. A row with sums adds up parts, and
/// each part depends only on such records. So a night that judges only the affected records, before
/// and after the load, knows which rows to change.
///
/// The functions that change the table:
///
/// | the night | ``judged`` relations | ``found`` relations |
/// | --- | --- | --- |
/// | is the first one | `fillEmptyTableAndShow` | `makeEqualToQuery` |
/// | judges everything again | `makeEqual(to:)` | `makeEqualToQuery` |
/// | judges the affected records | `applyDifference(before:after:)` | `applyDifference(before:)` |
///
/// To apply a difference, `addSums` adds to the sums of the rows, ``addition`` adds to their lists,
/// and `writeDifference` removes and inserts the rows of all other relations.
package struct CarriedRelation {
  /// The query that makes the table; the relation has the query's name.
  package let query: SQLFile
  /// The column that counts the parts of a row, if all columns outside the key are sums over
  /// purchases.
  ///
  /// Without it, each row belongs to records that are affected together.
  let count: String?
  /// Adds the difference between two judgements of the same records to the table, if rows contain
  /// lists to which such records add their parts.
  let addition: SQLFile?
  /// Whether it is empty while the ledger contains no report of Apple.
  let isOfReports: Bool
  /// The columns that the query does not return, because a later step fills them.
  let filledLater: Set<String>

  private init(
    _ query: SQLFile, counting count: String? = nil, addition: SQLFile? = nil,
    isOfReports: Bool = false, filledLater: Set<String> = []
  ) {
    self.query = query
    self.count = count
    self.addition = addition
    self.isOfReports = isOfReports
    self.filledLater = filledLater
  }

  /// The relation's name without `carried_`.
  package var name: String { query.subject }

  /// Relations that judge/ makes itself, because later relations read them whole.
  static let judged = [
    CarriedRelation(.judgeLogHour, addition: .affectedLogHour),
    CarriedRelation(.judgeSourceHour, counting: "attempts"),
    CarriedRelation(.judgeSourceProduct, addition: .affectedSourceProduct),
    CarriedRelation(.judgeInvalidReport),
  ]

  /// The relation of silent hours; ``SilentHours`` determines which of its rows change.
  ///
  /// judge/ makes it from the deliveries that the sources logged.
  static let silentHour = CarriedRelation(.judgeSilentHour)

  /// Relations that are shown whole even on a night that judges only a part.
  package static let whole = judged + [silentHour]

  /// Relations that carried/ makes from judged purchases and the findings about them.
  static let found = [
    CarriedRelation(
      .carriedMissingDelivery,
      filledLater: ["possible_match_delivery_id", "possible_match_differs"]),
    CarriedRelation(.carriedSurplusRestore),
    CarriedRelation(.carriedInvalidSighting),
    CarriedRelation(.carriedSharedFamily),
    CarriedRelation(.carriedClientRestore, counting: "restores"),
    CarriedRelation(.carriedRevenue, counting: "entries"),
    CarriedRelation(.carriedMonth, counting: "entries"),
    CarriedRelation(.carriedEntry),
    CarriedRelation(.carriedTerm, counting: "entries"),
    CarriedRelation(.carriedPacific, counting: "entries", isOfReports: true),
    CarriedRelation(.carriedOwed),
    CarriedRelation(.carriedTotal, counting: "value"),
    CarriedRelation(.carriedDue),
    CarriedRelation(.carriedServed, counting: "deliveries"),
  ]

  /// Whether the restatement of ended months is about rows of it.
  var isRestated: Bool { [.carriedEntry, .carriedMissingDelivery].contains(query) }

  /// The number of rows from which on the planner needs statistics.
  private static let manyRows = 500

  /// The table's name.
  var table: String { "carried_\(name)" }

  /// Hides the table behind an empty temporary table, so that nothing is carried forward.
  func hide(in database: Connection) throws {
    try database.run(.hideCarried, ["table": table], step: table)
  }

  /// Makes the table equal to `relation`, and leaves rows that are already equal unchanged.
  ///
  /// - Parameter size: How many rows to expect.
  /// - Returns: the number of rows that were removed or inserted.
  func makeEqual(
    to relation: String, of size: AffectedSize, in tables: CarriedTables
  ) throws -> Int {
    // On a first night the table is empty, so there is nothing to compare.
    guard try isEmpty(in: tables.database) else {
      return try writeDifference(before: table, after: relation, in: tables)
    }
    return try fillEmptyTable(from: relation, of: size, in: tables)
  }

  /// Makes the table equal to what the query gives now.
  ///
  /// - Parameters:
  ///   - keepsChanges: Whether to leave the changed rows behind as the table `changed_…`, even if
  ///     the carried table is empty.
  ///   - size: How many rows to expect.
  /// - Returns: the number of rows that were removed or inserted.
  func makeEqualToQuery(
    keepingChanges keepsChanges: Bool, of size: AffectedSize, in tables: CarriedTables
  ) throws -> Int {
    let database = tables.database
    guard try !keepsChanges && isEmpty(in: database) else {
      let fresh = "fresh_\(name)"
      try database.run(.makeTable, ["table": fresh, "query": query.text], step: table)
      let rows = try writeDifference(before: table, after: fresh, in: tables)
      try database.drop(tables: [fresh], step: table)
      return rows
    }
    return try fillEmptyTable(from: "(\n\(query.text)\n)", of: size, in: tables)
  }

  /// Fills the empty table with what the query gives, and shows it under the relation's name.
  ///
  /// This avoids writing and indexing the rows twice on a first night.
  ///
  /// - Returns: the number of rows.
  func fillEmptyTableAndShow(of size: AffectedSize, in tables: CarriedTables) throws -> Int {
    let database = tables.database
    let rows = try fillEmptyTable(from: "(\n\(query.text)\n)", of: size, in: tables)
    if rows >= Self.manyRows { try database.run(.analyzeCarried, ["table": table], step: table) }
    try show(in: database)
    return rows
  }

  /// Shows the whole table under the relation's name.
  package func show(in database: Connection) throws {
    let whole = JudgingCommand.rows.text(["table": "tieout.\(table)"])
    try database.run(.makeView, ["view": name, "query": whole], step: name)
  }

  /// Whether nothing was carried forward yet.
  func isEmpty(in database: Connection) throws -> Bool {
    try database.run(.isCarriedEmpty, ["table": table], step: table).isTrue
  }

  /// Fills the empty table.
  ///
  /// If there are many rows, the key is built once at the end: for half a million entries this
  /// takes half the time of sorting the rows and letting the key grow row by row.
  private func fillEmptyTable(
    from relation: String, of size: AffectedSize, in tables: CarriedTables
  ) throws -> Int {
    let database = tables.database
    let columns = try columns(in: tables)
    let words = [
      "table": table, "relation": relation, "keys": columns.keys.joined(separator: ", "),
      "columns": columns.all.joined(separator: ", "),
    ]
    if size == .much { try database.run(.dropKey, words, step: table) }
    let hasKey =
      try size != .much || database.run(.hasKey, words, step: table).isTrue
    let rows = try database.run(hasKey ? .fillCarried : .fillCarriedUnsorted, words, step: table)
      .affected
    if !hasKey { try database.run(.addKey, words, step: table) }
    try analyze(after: rows, in: database)
    return rows
  }

  /// Gives the planner statistics of a table that reports join, after many rows have changed.
  ///
  /// A private server stops before its autovacuum starts. Without statistics, the planner expects
  /// one row, and joins the table by a nested loop over all pairs of rows.
  private func analyze(after rows: Int, in database: Connection) throws {
    let joined: Set<String> = [
      "missing_delivery", "surplus_restore", "invalid_sighting", "shared_family",
    ]
    guard rows >= Self.manyRows, joined.contains(name) else { return }
    try database.run(.analyzeCarried, ["table": table], step: table)
  }

  /// Applies the difference between the table `before` and the query's present rows to the table.
  func applyDifference(before: String, in tables: CarriedTables) throws {
    if let count {
      // A table, because Citus refuses to read tables of its own where rows of others are deleted.
      let made = "difference_\(name)"
      let query = try difference(from: before, to: "(\n\(query.text)\n)", in: tables)
      try tables.database.run(.makeTable, ["table": made, "query": query], step: table)
      try addSums(made, countedBy: count, in: tables)
      return try tables.database.drop(tables: [made], step: table)
    }
    let after = "after_\(name)"
    try tables.database.run(.makeTable, ["table": after, "query": query.text], step: table)
    try writeDifference(before: before, after: after, in: tables)
  }

  /// Applies the difference between the tables `before` and `after` to the table.
  ///
  /// They are two judgements of the same records. The difference of sums and of lists is left
  /// behind as the table `difference_…`, because the silent hours are judged from it.
  func applyDifference(before: String, after: String, in tables: CarriedTables) throws {
    let database = tables.database
    if let addition {
      try database.run(addition)
      return
    }
    guard let count else {
      try writeDifference(before: before, after: after, in: tables)
      return
    }
    let kept = "difference_\(name)"
    let query = try difference(from: before, to: after, in: tables)
    try database.run(.makeTable, ["table": kept, "query": query], step: table)
    try database.analyze(kept, step: table)
    try addSums(kept, countedBy: count, in: tables)
  }

  /// The query that gives the difference between the sums of two relations.
  private func difference(
    from before: String, to after: String, in tables: CarriedTables
  ) throws -> String {
    let columns = try columns(in: tables)
    let sums = columns.others
    return JudgingCommand.difference.text([
      "before": before, "after": after, "keys": columns.keys.joined(separator: ", "),
      "sums": sums.joined(separator: ", "),
      "negatives": sums.map { "-\($0) as \($0)" }.joined(separator: ", "),
      "totals": sums.map { "sum(\($0)) as \($0)" }.joined(separator: ", "),
      "changes": sums.map { "coalesce(sum(\($0)), 0) <> 0" }.joined(separator: " or "),
    ])
  }

  /// Adds a difference of sums to the table; a row without parts is removed.
  private func addSums(
    _ difference: String, countedBy count: String, in tables: CarriedTables
  ) throws {
    let columns = try columns(in: tables)
    let (keys, sums) = (columns.keys, columns.others)
    let words = [
      "table": table, "difference": difference, "keys": keys.joined(separator: ", "),
      "sums": sums.joined(separator: ", "), "count": count,
      "additions": sums.map { "\($0) = carried.\($0) + excluded.\($0)" }.joined(separator: ", "),
      "same": Self.same(keys, "carried", "part"), "gone": Self.same(keys, "emptied", "part"),
      "emptied": keys.map { "part.\($0)" }.joined(separator: ", "),
    ]
    try tables.database.run(.addSums, words, step: table)
  }

  /// Removes the rows that only `before` has, and inserts the rows that only `after` has.
  ///
  /// It leaves both behind as the table `changed_…`.
  ///
  /// - Returns: the number of rows that were removed or inserted.
  @discardableResult
  private func writeDifference(
    before: String, after: String, in tables: CarriedTables
  ) throws -> Int {
    let database = tables.database
    let columns = try columns(in: tables)
    let (keys, others, all) = (columns.keys, columns.others, columns.all)
    func row(_ side: String) -> String {
      "(\(others.map { "\(side).\($0)" }.joined(separator: ", ")))"
    }
    let words = [
      "table": table, "changed": "changed_\(name)", "before": before, "after": after,
      "same": Self.same(keys, "carried", "gone"), "key": keys[0],
      "keys": keys.joined(separator: ", "), "columns": all.joined(separator: ", "),
      "befores": all.map { "part.\($0)" }.joined(separator: ", "),
      "afters": all.map { "other.\($0)" }.joined(separator: ", "),
      "differs": others.isEmpty ? "" : " or \(row("part")) is distinct from \(row("other"))",
    ]
    try database.run(.makeChanged, words, step: table)
    let gone = try database.run(.removeChanged, words, step: table).affected
    let rows = try gone + database.run(.insertChanged, words, step: table).affected
    try analyze(after: rows, in: database)
    return rows
  }

  /// The columns of the table that the query returns, by name, so that no value depends on their
  /// order in the query.
  private func columns(in tables: CarriedTables) throws -> CarriedTables.Columns {
    var columns = try tables.columns(of: table)
    columns.others.removeAll { filledLater.contains($0) }
    return columns
  }

  private static func same(_ keys: [String], _ one: String, _ other: String) -> String {
    keys.map { "\(one).\($0) = \(other).\($0)" }.joined(separator: " and ")
  }
}
