import PostgreSQL
import ReconciliationSQL

/// What tonight reaches: the records that tonight's files, or the time that has passed, can change the
/// judgement of, with all that shares a name with them.
struct Reach {
  let database: Connection

  /// From so many names on, or this share of all transactions, judging everything is as quick.
  private static let fewNames = 5000
  private static let largeShare = 0.25

  /// Joins that start from what was reached and look the rest up by index, however large the history.
  private static let lookingUp = "set local enable_hashjoin = off"
  private static let joining = "set local enable_hashjoin = on"

  private static let names = ["transaction", "line_item", "delivery"]
  private static let hiding = [
    "store_transaction", "delivery_record", "client_transaction", "client_invalid_product",
  ]

  /// Finds it, before the load.
  ///
  /// - Returns: false if it is so much that all may as well be judged; nothing is left behind then.
  func find() throws -> Bool {
    try database.run(Self.lookingUp, step: "reach")
    let most = try limit()
    for file in [SQLFile.reachedStart, .reachedSeed] {
      try database.run(file.text, step: file.name)
    }
    let reached = try follow(upTo: most)
    try database.run(Self.joining, step: "reach")
    guard reached <= most else {
      try forget()
      return false
    }
    return true
  }

  /// Finds what a name that somebody asks about reaches, however much that is.
  func find(_ seed: SQLFile) throws {
    try database.run(Self.lookingUp, step: seed.name)
    for file in [SQLFile.reachedStart, seed] { try database.run(file.text, step: file.name) }
    _ = try follow(upTo: .max)
    try database.run(Self.joining, step: seed.name)
  }

  /// Goes from the names that the seed has reached to those that share one with them, and on, until nothing
  /// is new or there are more than `most`.
  ///
  /// - Returns: how many names were reached.
  private func follow(upTo most: Int) throws -> Int {
    var reached = try count("reached_transaction")
    var new = reached
    while new > 0, reached <= most {
      let step = try database.run(SQLFile.reachedRound.text, step: SQLFile.reachedRound.name)
      new = step.first.flatMap { Int($0) } ?? 0
      reached += new
    }
    for name in Self.names { try drop("frontier_\(name)") }
    for name in Self.names + ["product"] {
      try database.run("analyze reached_\(name)", step: "reach")
    }
    return reached
  }

  /// Hides the ledger by the part of it that was reached, as it stands now.
  func hideTheRest() throws {
    try database.run(Self.lookingUp, step: SQLFile.reachedLedger.name)
    try database.run(SQLFile.reachedLedger.text, step: SQLFile.reachedLedger.name)
    try database.run(Self.joining, step: SQLFile.reachedLedger.name)
  }

  /// Shows the whole ledger again.
  func showTheRest() throws {
    for name in Self.hiding { try drop(name) }
  }

  /// Drops what was reached.
  func forget() throws {
    for name in Self.names + ["product"] { try drop("reached_\(name)") }
    try drop("used_environment")
  }

  private func limit() throws -> Int {
    let rows = try database.run(
      "select reltuples::bigint from pg_class where oid = 'tieout.store_transaction'::regclass",
      step: "reach")
    let all = rows.first.flatMap { Double($0) } ?? 0
    return max(Self.fewNames, Int(all * Self.largeShare))
  }

  private func count(_ table: String) throws -> Int {
    try database.run("select count(*) from \(table)", step: "reach").first.flatMap { Int($0) } ?? 0
  }

  private func drop(_ table: String) throws {
    try database.run("drop table pg_temp.\(table)", step: "reach")
  }
}
