import PostgreSQL

extension Summary {
  /// Reads the findings, and the warnings about their reliability, from the judgement.
  mutating func readFindings(from database: Connection, runID: String) throws {
    let rows = try database.run(
      """
      select
          found.rule,
          found.level,
          count(*),
          count(*) filter (
              where case
                  when finding.finding_id is null then true
                  else finding.changed_run_id = $1::bigint and finding.status in ('open', 'reopened')
              end
          ),
          count(*) filter (where finding.status = 'acknowledged')
      from found
      left join finding
          on found.rule = finding.rule
          and found.environment = finding.environment
          and found.subject_hash = finding.subject_hash
      group by found.rule, found.level
      order by
          case found.level when 'error' then 1 when 'warning' then 2 else 3 end, found.rule
      """, [runID], step: "summary")
    findings = rows.values.map { row in
      Finding(
        rule: row[0] ?? "", level: row[1] ?? "", open: row[2].flatMap { Int($0) } ?? 0,
        new: row[3].flatMap { Int($0) } ?? 0, acknowledged: row[4].flatMap { Int($0) } ?? 0)
    }
    let rest = try database.run(
      """
      select
          (select count(*) from finding_event where run_id = $1::bigint and event = 'resolved'),
          (select coalesce(sum(value), 0) from carried_total where section = 'disposition'),
          (select csv_instant(begin_at) from books),
          exists (select from product)
      """, [runID], step: "summary")
    guard let row = rest.values.first, row.count == 4 else { return }
    resolved = row[0].flatMap { Int($0) } ?? 0
    transactions = row[1].flatMap { Int($0) } ?? 0
    booksBegin = row[2]
    if row[3] != "t" {
      warnings.append(
        """
        There is no catalogue: product identifiers and missing deliveries cannot be checked. Put one into catalog/ \
        of the inbox.
        """)
    }
    if booksBegin == nil {
      warnings.append(
        """
        There is no delivery record, so nothing is owed. Put the delivery log into deliveries/ of the inbox, or set \
        books_begin.
        """)
    }
  }
}
