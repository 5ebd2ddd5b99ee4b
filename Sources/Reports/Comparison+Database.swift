import Page
package import PostgreSQL
import ReconciliationSQL
import Runs

extension Comparison {
  /// Reads how much of the night was compared, from the judgement.
  package init(from database: Connection) throws(PostgreSQLError) {
    self.init()
    for row in try database.run(SQLFile.pageCompared).records {
      let value = try row.count("value")
      switch (row["section"], row["measure"]) {
      case ("obligation", let measure?): obligations[measure] = value
      case ("disposition", _): otherEnvironments = value
      case ("units", _): unitsWithoutAmount = value
      case ("unread", "files"): unreadFileCount = value
      case ("unread", "records"): unreadRecords = value
      default: break
      }
    }
    staleFeeds = try database.run(SQLFile.pageStaleFeed).records.map { row in
      StaleFeed(name: row.text("feed"), words: row.text("words"))
    }
    guard unreadFileCount > 0 else { return }
    let files = try database.run(SQLFile.pageUnreadFile, ["\(Self.mostFiles)"])
    unreadFiles = files.records.map { row in
      UnreadFile(
        path: row.text("path"), folder: row.text("folder"), since: row.text("since"),
        reason: row["reason"], usualRecords: row.number("usual_records"),
        unopenedBecause: row["unopened_because"])
    }
  }
}
