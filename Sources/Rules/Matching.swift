import PostgreSQL
import ReconciliationSQL
import Runs

/// Separates the chains that match from the exceptions.
///
/// A chain matches if no rule can find anything about it. For example, it has one price and one
/// account, and it was delivered once and in time. Matched chains are only counted and summed. The
/// rules judge the exceptions. They also judge a random sample of the matched chains, with which
/// the counts and sums are compared.
package struct Matching {
  let database: Connection

  /// When a night judges in bulk, and how much of it the rules judge too.
  package struct Limits: Sendable {
    /// The smallest number of transactions that a night judges in bulk.
    ///
    /// For fewer transactions, the rules take less time than the separation of the chains.
    package var fewestTransactions = 2000
    /// The share of exceptions, in per cent, above which the rules judge everything.
    package var mostExceptions = 40
    /// The rules judge one of this number of matched chains, on average.
    package var chainsPerSample = 1000

    /// Makes the limits of every night.
    package init() {}
  }

  /// The limits; tests set others, so that small ledgers are judged in bulk too.
  @TaskLocal package static var limits = Limits()

  /// What a night counted and summed without the rules.
  struct Counts {
    let transactions: Int
    /// The matched chains that the rules judge too.
    let sampledChains: Int
  }

  /// The tables of the ledger that are hidden behind the exceptions' part of them.
  private static let hiding = ["store_transaction", "delivery_record"]

  /// Whether the ledger, or its affected part, is so large that judging in bulk is faster.
  func isWorthwhile() throws -> Bool {
    let others = max(Self.limits.fewestTransactions, 1) - 1
    return try database.run(SQLFile.matchWorthwhile, ["\(others)"]).isTrue
  }

  /// Leaves the matched chains in `matched`, and hides the ledger behind the part with exceptions.
  ///
  /// Call it after the relations of the catalogue are made, and before those of the ledger are.
  ///
  /// - Parameters:
  ///   - isPart: Whether the ledger is hidden behind its affected part.
  ///   - isSampled: Whether the rules judge a sample of the matched chains.
  /// - Returns: nil if there are so many exceptions that the rules must judge everything.
  func separate(isPart: Bool, isSampled: Bool, steps: Steps) throws -> Counts? {
    let considered = SQLFile.judgeConsideredTransaction
    try database.run(
      .makeView, ["view": considered.subject, "query": considered.text], step: "match")
    for file in SQLFile.matchExceptions {
      try steps.run(file, in: database)
    }
    try database.drop(views: [considered.subject], step: "match")
    let most = Self.limits.mostExceptions
    guard try database.run(SQLFile.matchFew, ["\(most)"]).isTrue else {
      try drop(["matched", "exception_hint", "stray_delivery"])
      return nil
    }
    let chains = isSampled ? "\(Self.limits.chainsPerSample)" : ""
    try database.run(.setSample, with: [chains], step: "match")
    let counts = try steps.run(SQLFile.matchLedger, in: database).records.first
    for table in Self.hiding {
      if isPart { try rename(table, to: "affected_\(table)") }
      try rename("exception_\(table)", to: table)
    }
    return try Counts(
      transactions: counts?.count("matched") ?? 0,
      sampledChains: counts?.count("sampled_chains") ?? 0)
  }

  /// Checks that the rules give the same counts and sums for the sampled chains.
  ///
  /// - Throws: ``ReconciliationError`` with `totals` if they do not.
  func assertSample(_ steps: Steps) throws {
    let differences = try steps.run(SQLFile.matchSample, in: database).records
    guard let row = differences.first, let chain = row["chain_id"],
      let difference = row["difference"]
    else { return }
    throw ReconciliationError(
      .totals,
      """
      The chain \(chain) was matched, but the rules judge it otherwise (\(difference)). Nothing was published. \
      tieout recompute judges all chains by the rules.
      """)
  }

  /// Drops what ``separate(isPart:isSampled:steps:)`` left behind, and shows the ledger as before.
  func end(isPart: Bool) throws {
    try drop(Self.hiding + ["matched", "sampled", "exception"])
    guard isPart else { return }
    for table in Self.hiding { try rename("affected_\(table)", to: table) }
  }

  private func rename(_ table: String, to name: String) throws {
    try database.run(.renameTable, ["table": table, "name": name], step: "match")
  }

  private func drop(_ tables: [String]) throws {
    try database.drop(tables: tables, step: "match")
  }
}
