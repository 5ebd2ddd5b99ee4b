import FileSystem
import PostgreSQL
package import Runs

/// The reports that a run has written, and the edition that shows them.
package struct WrittenEdition {
  /// How many rows each report has.
  package let rows: [Report: Int]
  /// The edition that shows these reports.
  package let edition: Edition
  /// Whether the edition is yet to be shown; otherwise it has the same statements already.
  package let isNew: Bool
  /// Whether the day is the newest one of the reports folder, to which `latest` points.
  let isOfNewestDay: Bool

  /// Compares the reports with the newest edition of their day.
  ///
  /// - Parameter sums: The checksum of each report.
  init(
    rows: [Report: Int], sums: [String: String], of day: String, among shown: ShownEditions,
    in place: OpenFolder, _ database: Connection
  ) throws {
    self.rows = rows
    // A number that was used once is never used again, also if its folder was removed.
    let memory = try database.run(
      """
      select
          (
              select max(run.edition)
              from run
              where run.as_of_on = own.as_of_on and run.reports_folder = own.reports_folder
          ),
          coalesce(
              own.as_of_on >= (
                  select max(run.as_of_on)
                  from run
                  where
                      run.outcome = 'done'
                      and not run.is_of_past_day
                      and run.reports_folder = own.reports_folder
              ),
              not own.is_of_past_day
          )
      from night
      inner join run as own on night.run_id = own.run_id
      """, step: "edition")
    let row = memory.values.first ?? []
    isOfNewestDay = row.last == "t"
    let newest = shown.newest(of: day)
    let known = newest.map { EditionSums.read($0, in: place) } ?? [:]
    if let newest,
      Report.all.allSatisfy({ !$0.makesEdition || known[$0.fileName] == sums[$0.fileName] })
    {
      edition = newest
      isNew = false
    } else {
      let remembered = (row.first ?? nil).flatMap { Int($0) } ?? 0
      edition = Edition(day: day, number: max(newest?.number ?? 0, remembered) + 1)
      isNew = true
    }
  }
}
