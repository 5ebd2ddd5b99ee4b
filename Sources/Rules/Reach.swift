package import PostgreSQL
package import ReconciliationSQL

/// How much of the ledger a night judges.
package enum ReachedSize: Sendable {
  /// No record: every relation of the reached records is empty.
  case nothing
  /// So few records that the planner needs no statistics of them.
  case little
  /// More records than that, or all of them.
  case much
}

/// The records whose judgement tonight can change, and all records that share a name with them.
///
/// Tonight's files can change a judgement, and so can the time that has passed.
package struct Reach {
  let database: Connection

  /// Works on the ledger of this database.
  package init(database: Connection) {
    self.database = database
  }

  /// The number of reached transactions above which judging everything is as fast.
  ///
  /// The limit is this number, or this share of all transactions if that is more.
  private static let fewNames = 5000
  private static let largeShare = 0.25

  /// The number of rounds from name to name above which judging everything is faster.
  private static let manyRounds = 250

  private static let names = ["transaction", "line_item", "delivery"]
  private static let hiding = [
    "store_transaction", "delivery_record", "client_transaction", "client_invalid_product",
  ]

  /// Finds the reached records, before the load.
  ///
  /// - Returns: false if more records are reached than the limit; then nothing is left behind.
  func find() throws -> Bool {
    try database.run(.joinByKey, step: "reach")
    let most = try limit()
    for file in [SQLFile.reachedStart, .reachedSeed] {
      try database.run(file.text, step: file.name)
    }
    let isAll = try follow(upTo: most, rounds: Self.manyRounds)
    try database.run(.joinByHash, step: "reach")
    guard isAll else {
      try forget()
      return false
    }
    return true
  }

  /// Finds all records that a requested name reaches, without a limit.
  package func find(_ seed: SQLFile) throws {
    try database.run(.joinByKey, step: seed.name)
    for file in [SQLFile.reachedStart, seed] { try database.run(file.text, step: file.name) }
    _ = try follow(upTo: .max, rounds: .max)
    try database.run(.joinByHash, step: seed.name)
  }

  /// Follows shared names from the seed until a round finds nothing new or a limit is exceeded.
  ///
  /// - Returns: true if the last round found nothing new and `most` was not exceeded.
  private func follow(upTo most: Int, rounds: Int) throws -> Bool {
    var reached = try count("reached_transaction")
    var new = reached
    var round = 0
    while new > 0, reached <= most, round < rounds {
      round += 1
      let step = try database.run(SQLFile.reachedRound.text, step: SQLFile.reachedRound.name)
      new = step.first.flatMap { Int($0) } ?? 0
      reached += new
    }
    try drop(["frontier", "met"])
    for name in Self.names + ["product"] {
      try database.run(.analyze, ["table": "reached_\(name)", "columns": ""], step: "reach")
    }
    return new == 0 && reached <= most
  }

  /// Hides the ledger behind the reached part of it, in the current state.
  ///
  /// - Returns: how much of the ledger is reached.
  @discardableResult
  package func hideTheRest() throws -> ReachedSize {
    let step = SQLFile.reachedLedger.name
    try database.run(.joinByKey, step: step)
    try database.run(SQLFile.reachedLedger.text, step: step)
    try database.run(.joinByHash, step: step)
    return try size()
  }

  /// How much the ledger contains, or what is visible of it.
  func size() throws -> ReachedSize {
    switch try database.run(.reachedSize, step: "reach").first {
    case "nothing": .nothing
    case "little": .little
    default: .much
    }
  }

  /// Shows the whole ledger again.
  func showTheRest() throws {
    try drop(Self.hiding)
  }

  /// Drops the tables of the reached records.
  func forget() throws {
    try drop((Self.names + ["product"]).map { "reached_\($0)" })
  }

  private func limit() throws -> Int {
    let rows = try database.run(.transactionsAtAll, step: "reach")
    let all = rows.first.flatMap { Double($0) } ?? 0
    return max(Self.fewNames, Int(all * Self.largeShare))
  }

  private func count(_ table: String) throws -> Int {
    try database.run(.countReached, ["table": table], step: "reach").first.flatMap { Int($0) } ?? 0
  }

  private func drop(_ tables: [String]) throws {
    try database.run(
      .dropTables, ["tables": tables.map { "pg_temp.\($0)" }.joined(separator: ", ")],
      step: "reach")
  }
}
