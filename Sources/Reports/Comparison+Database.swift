import Page
package import PostgreSQL

extension Comparison {
  /// Reads how much of the night was compared, from the judgement.
  package init(from database: Connection) throws(PostgreSQLError) {
    self.init()
    let rows = try database.run(
      """
      select section, measure, value from compared
      union all
      select section, measure, value
      from carried_total
      where section = 'disposition' and measure = 'other_environment'
      """, step: "compared")
    for row in rows.values {
      let value = row[2].flatMap { Int($0) } ?? 0
      switch (row[0], row[1]) {
      case ("obligation", let measure?): obligations[measure] = value
      case ("disposition", _): otherEnvironments = value
      case ("units", _): unitsWithoutAmount = value
      case ("unread", "files"): unreadFileCount = value
      case ("unread", "records"): unreadRecords = value
      default: break
      }
    }
    guard unreadFileCount > 0 else { return }
    let files = try database.run(
      """
      select path, folder, since, reason, usual_records
      from unread_file
      order by reason is not distinct from 'misspelled_folder' desc, since desc, path
      limit $1::integer
      """, ["\(Self.mostFiles)"], step: "compared")
    unreadFiles = files.values.map { row in
      UnreadFile(
        path: row[0] ?? "", folder: row[1] ?? "", since: row[2] ?? "", reason: row[3],
        usualRecords: row[4].flatMap { Int($0) })
    }
  }
}
