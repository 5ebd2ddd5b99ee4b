import PostgreSQL
import ReconciliationSQL

/// What tonight reaches: the records that tonight's files, or the time that has passed, can change the
/// judgement of, with all that shares a name with them.
struct Reach {
  let database: Connection

  /// From so many names on, or this share of all transactions, judging everything is as quick.
  private static let fewNames = 5000
  private static let largeShare = 0.25

  /// One step after another from name to name costs more than judging everything from so many on.
  private static let manyRounds = 250

  private static let names = ["transaction", "line_item", "delivery"]
  private static let hiding = [
    "store_transaction", "delivery_record", "client_transaction", "client_invalid_product",
  ]

  /// Finds it, before the load.
  ///
  /// - Returns: false if it is so much that all may as well be judged; nothing is left behind then.
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

  /// Finds what a name that somebody asks about reaches, however much that is.
  func find(_ seed: SQLFile) throws {
    try database.run(.joinByKey, step: seed.name)
    for file in [SQLFile.reachedStart, seed] { try database.run(file.text, step: file.name) }
    _ = try follow(upTo: .max, rounds: .max)
    try database.run(.joinByHash, step: seed.name)
  }

  /// Goes from the names that the seed has reached to those that share one with them, and on, until nothing
  /// is new, or there are more than `most` or it took too many rounds.
  ///
  /// - Returns: whether nothing is new.
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
    for name in Self.names { try drop("frontier_\(name)") }
    for name in Self.names + ["product"] {
      try database.run(.analyze, ["table": "reached_\(name)", "columns": ""], step: "reach")
    }
    return new == 0 && reached <= most
  }

  /// Hides the ledger by the part of it that was reached, as it stands now.
  func hideTheRest() throws {
    try database.run(.joinByKey, step: SQLFile.reachedLedger.name)
    try database.run(SQLFile.reachedLedger.text, step: SQLFile.reachedLedger.name)
    try database.run(.joinByHash, step: SQLFile.reachedLedger.name)
  }

  /// Shows the whole ledger again.
  func showTheRest() throws {
    for name in Self.hiding { try drop(name) }
  }

  /// Drops what was reached.
  func forget() throws {
    for name in Self.names + ["product"] { try drop("reached_\(name)") }
  }

  private func limit() throws -> Int {
    let rows = try database.run(.transactionsAtAll, step: "reach")
    let all = rows.first.flatMap { Double($0) } ?? 0
    return max(Self.fewNames, Int(all * Self.largeShare))
  }

  private func count(_ table: String) throws -> Int {
    try database.run(.countReached, ["table": table], step: "reach").first.flatMap { Int($0) } ?? 0
  }

  private func drop(_ table: String) throws {
    try database.run(.dropTable, ["table": table], step: "reach")
  }
}
