import PostgreSQL

/// The runs that the database has recorded.
package struct RunHistory {
  /// A table of text.
  package struct Table {
    /// The columns' names.
    package let header: [String]
    /// The rows; missing values are empty.
    package let rows: [[String]]
  }

  private let database: String

  /// Prepares to read the runs of a database.
  package init(database: String) {
    self.database = database
  }

  /// The newest runs, newest first.
  package func newest(_ count: Int) throws -> Table {
    try table("\(Self.runs) order by run_id desc limit $1::bigint", ["\(count)"])
  }

  /// One run as a table with one row, or without rows if there is no such run.
  package func run(_ number: Int) throws -> Table {
    try table("\(Self.runs) where run_id = $1::bigint", ["\(number)"])
  }

  private static let runs = """
    select
        run_id as run,
        to_char(as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as as_of,
        outcome,
        to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as started,
        round(extract(epoch from finished_at - started_at), 1) as seconds,
        started_by || '@' || started_on_host as by,
        program_version as version
    from tieout.run
    """

  /// The steps of one run, in order.
  ///
  /// A rate is given for a step that took at least a tenth of a second.
  package func steps(of run: Int) throws -> Table {
    try table(
      """
      select
          step_number as step,
          step as name,
          to_char(milliseconds / 1000.0, 'FM999999990.000') as seconds,
          row_count as rows,
          case when milliseconds >= 100 then row_count * 1000 / milliseconds end as "rows/s",
          to_char(byte_count / 1000000.0, 'FM999999990.0') as "MB",
          case
              when milliseconds >= 100
                  then to_char(byte_count / 1000.0 / milliseconds, 'FM999999990.0')
          end as "MB/s"
      from tieout.run_step
      where run_id = $1::bigint
      order by step_number
      """, ["\(run)"])
  }

  /// The newest entries of the journal, the newest last.
  package func journal(_ count: Int) throws -> Table {
    try table(
      """
      select at, person, act, subject, detail
      from (
          select
              entry_id,
              to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
              person, act, subject, detail
          from tieout.journal
          order by entry_id desc
          limit $1::bigint
      ) as newest
      order by entry_id
      """, ["\(count)"])
  }

  private func table(_ sql: String, _ parameters: [String?]) throws -> Table {
    let connection = try Connection(database, applicationName: "tieout runs")
    try Schema.bringUpToDate(connection)
    let rows = try connection.alone(sql, parameters, step: "runs")
    return Table(header: rows.columns, rows: rows.values.map { row in row.map { $0 ?? "" } })
  }
}
