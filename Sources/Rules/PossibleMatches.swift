package import PostgreSQL
import ReconciliationSQL
import Runs

/// The possible matches of missing deliveries, found by one search for all of them.
package struct PossibleMatches {
  let database: Connection

  /// Searches the ledger of this database.
  package init(database: Connection) {
    self.database = database
  }

  /// Finds the possible matches of the missing deliveries that the query returns, and leaves them
  /// behind as the table `possible_match`.
  ///
  /// - Parameter query: A query with columns of `carried_missing_delivery`.
  /// - Returns: the number of missing deliveries.
  @discardableResult
  package func find(for query: String) throws -> Int {
    let rows = try database.run(
      .makeTable, ["table": "missed", "query": query], step: SQLFile.carriedNearDelivery.name
    ).affected
    for file in [SQLFile.carriedNearDelivery, .carriedPlacedRecord, .carriedPossibleMatch] {
      try database.run(file)
    }
    return rows
  }

  /// Updates the best possible match that is carried forward with each of the missing deliveries
  /// that the query returns.
  ///
  /// - Returns: the number of missing deliveries with another best possible match.
  func update(of query: String) throws -> Int {
    guard try find(for: query) > 0 else { return 0 }
    return try database.run(SQLFile.carriedNearest).affected
  }
}
