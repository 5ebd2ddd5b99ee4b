package import PostgreSQL
package import ReconciliationSQL
import Runs

/// How much of the ledger a night judges.
package enum AffectedSize: Sendable {
  /// No record: every relation of the affected records is empty.
  case nothing
  /// So few records that the planner needs no statistics of them.
  case little
  /// More records than that, or all of them.
  case much
}

/// The records whose judgement tonight can change, and all records that share a name with them.
///
/// Tonight's files can change a judgement, and so can the time that has passed.
package struct AffectedRecords {
  let database: Connection
  private let mostCoordinatorRows: Int

  /// Works on the ledger of this database.
  ///
  /// - Parameter mostCoordinatorRows: The maximum number of rows that the coordinator of a cluster
  ///   may judge; 0: no limit.
  package init(database: Connection, mostCoordinatorRows: Int = 0) {
    self.database = database
    self.mostCoordinatorRows = mostCoordinatorRows
  }

  /// The number of affected transactions above which judging everything is as fast.
  ///
  /// The limit is this number, or ``largeShare`` of all transactions if that is more. The search
  /// counts the transactions of its start, and then the new names of each round, of every kind.
  static let fewNames = 5000
  static let largeShare = 0.25

  /// The number of rounds from name to name above which judging everything is faster.
  static let manyRounds = 250

  private static let names = ["transaction", "line_item", "delivery"]
  private static let recorded = ["transaction", "delivery"]
  private static let hiding = [
    "store_transaction", "delivery_record", "client_transaction", "client_invalid_product",
  ]

  /// Finds the affected records, before the load.
  ///
  /// - Returns: false if more records are affected than the limit; then nothing is left behind.
  func find() throws -> Bool {
    try database.run(.joinByKey, step: "affected records")
    let most = try limit()
    for file in [SQLFile.affectedStart, .affectedSeed] {
      try database.run(file)
    }
    let isAll = try follow(upTo: most, rounds: Self.manyRounds)
    try database.run(.joinByHash, step: "affected records")
    guard isAll else {
      try drop()
      return false
    }
    return true
  }

  /// Finds all records that share a name with a requested one, without a limit.
  package func find(_ seed: SQLFile) throws {
    try database.run(.joinByKey, step: seed.name)
    for file in [SQLFile.affectedStart, seed] { try database.run(file) }
    _ = try follow(upTo: .max, rounds: .max)
    try database.run(.joinByHash, step: seed.name)
  }

  /// Follows shared names from the seed until a round finds nothing new or a limit is exceeded.
  ///
  /// - Returns: true if the last round found nothing new and `most` was not exceeded.
  private func follow(upTo most: Int, rounds: Int) throws -> Bool {
    var affected = try count("affected_transaction")
    var new = try count("frontier")
    var round = 0
    while new > 0, affected <= most, round < rounds {
      round += 1
      new = try database.run(SQLFile.affectedRound).number
      affected += new
    }
    try drop(["frontier", "met"])
    for name in Self.names + ["product"] {
      try database.analyze("affected_\(name)", step: "affected records")
    }
    return new == 0 && affected <= most
  }

  /// Hides the ledger behind the affected part of it, in the current state.
  ///
  /// - Parameter isLoaded: Whether tonight's records were loaded since the affected names were
  ///   found. Otherwise, records have only the names that were found in the ledger.
  /// - Returns: how much of the ledger is affected.
  /// - Throws: ``ReconciliationError`` if the coordinator would have to judge too many rows.
  @discardableResult
  package func hideTheRest(isLoaded: Bool) throws -> AffectedSize {
    let step = SQLFile.affectedLedger.name
    for name in Self.recorded {
      let present = "\(isLoaded ? "affected" : "recorded")_\(name)"
      try database.run(
        .makeView,
        ["view": "present_\(name)", "query": JudgingCommand.rows.text(["table": present])],
        step: step)
    }
    try database.run(.joinByKey, step: step)
    try requireFewCoordinatorRows(.clusterBoundAffected)
    try database.samplingFewRows(step: step) {
      try database.run(SQLFile.affectedLedger.text, step: step)
    }
    try database.run(.joinByHash, step: step)
    try database.drop(views: Self.recorded.map { "present_\($0)" }, step: step)
    return try size()
  }

  /// Hides a ledger that is distributed behind temporary tables with all of it.
  ///
  /// - Returns: false if the ledger is on one machine; then nothing is hidden.
  func hideIfDistributed(steps: Steps) throws -> Bool {
    let file = SQLFile.clusterLedger
    guard try LedgerCluster.isDistributed(database, step: file.name) else { return false }
    try requireFewCoordinatorRows(.clusterBound)
    try steps.run(file, in: database)
    return true
  }

  /// Checks that the coordinator of a cluster does not have to judge more rows than allowed, before
  /// they are copied to it.
  private func requireFewCoordinatorRows(_ count: SQLFile) throws {
    guard mostCoordinatorRows > 0,
      try LedgerCluster.isDistributed(database, step: count.name),
      let judged = try database.run(count).records.first?.count("row_count"),
      judged > mostCoordinatorRows
    else { return }
    // Only the error needs it: it reads the whole ledger.
    let all = try database.run(SQLFile.clusterBound).records.first?.count("row_count") ?? judged
    let remedy =
      count == .clusterBound
      ? """
      This run judges everything, so fewer new files may not help. If the coordinator has the disk space \
      (docs/scaling.md), allow more for one run.
      """
      : """
      Load fewer new files in one run, or allow more if the coordinator has the disk space (docs/scaling.md).
      """
    throw ReconciliationError(
      .configuration,
      """
      The coordinator would have to judge \(judged) of the ledger's \(all) rows \
      (\(Int((Double(judged) * 100 / Double(all)).rounded())) %), and max_coordinator_rows allows \
      \(mostCoordinatorRows). Nothing was loaded or published. \(remedy)
      """)
  }

  /// A warning for each of the very large chains that the rules have judged.
  ///
  /// The connection must have judged the night. On one server there are no warnings.
  package func wordsOfLargeChains() throws -> [String] {
    guard try LedgerCluster.isDistributed(database, step: "cluster") else { return [] }
    return try database.run(SQLFile.clusterLargeChain).records.map { row in
      """
      The chain of \(row.text("original_transaction_id")) and \(row.text("product_id")) in \
      \(row.text("environment")) has \(row.text("total_rows")) transactions and deliveries, which are judged together on the \
      coordinator.
      """
    }
  }

  /// How much the ledger contains, or what is visible of it.
  func size() throws -> AffectedSize {
    switch try database.run(SQLFile.affectedSize).first {
    case "nothing": .nothing
    case "little": .little
    default: .much
    }
  }

  /// Shows the whole ledger again.
  func showTheRest() throws {
    try drop(Self.hiding)
  }

  /// Drops the tables of the affected records.
  func drop() throws {
    try drop((Self.names + ["product"]).map { "affected_\($0)" })
    try drop(Self.recorded.map { "recorded_\($0)" })
  }

  private func limit() throws -> Int {
    let all = try database.run(SQLFile.affectedLedgerSize).number
    return max(Self.fewNames, Int(Double(all) * Self.largeShare))
  }

  private func count(_ table: String) throws -> Int {
    try database.run(.countRows, ["table": table], step: "affected records").number
  }

  private func drop(_ tables: [String]) throws {
    try database.drop(tables: tables, step: "affected records")
  }
}
