import Configuration
import Foundation
import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Reports
import Testing

@Suite("Retention of closed findings")
struct RetentionTests {
  /// Two books that were not delivered, and a rejected document.
  ///
  /// On the next day one book was delivered.
  private static func night(keeping days: Int) throws -> TestNight {
    let night = try TestNight(copyOf: first.get())
    night.settings.keepClosedDays = days
    return night
  }

  /// The night that is copied, of which nothing is old; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | prices\nbook | USD 1.99")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-10-20 10:00
      2              | book       | 2026-10-20 10:00
      """)
    try night.put("{\"status\": 21003}\n", at: "receipts/odd.ndjson")
    try night.run(asOf: "2026-11-01 03:00")
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | delivery_id
      1              | book       | 2026-11-01 10:00 | A
      """)
    try night.run(asOf: "2026-11-02 03:00")
    return night.removedAtExit()
  }

  private static let rows = """
    select
        (select count(*) from finding) as findings,
        (select count(*) from finding where status = 'resolved') as resolved,
        (select count(*) from finding_event) as events,
        (select count(*) from document) as documents,
        (select count(*) from rejection) as rejections,
        (select count(distinct run_id) from run_step) as runs_with_steps,
        (select string_agg(run_id::text, ' ' order by run_id) from run where is_cleared) as cleared
    """

  private static func expect(
    _ row: String, in night: TestNight, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let header = "findings | resolved | events | documents | rejections | runs_with_steps | cleared"
    try night.expect(query: rows, gives: "\(header)\n\(row)", sourceLocation: sourceLocation)
  }

  @Test("data that a night closed is dropped once it is older than keep_closed_days, to the second")
  func boundary() throws {
    let night = try Self.night(keeping: 10)
    try Self.expect("2 | 1 | 3 | 2 | 1 | 2 |", in: night)
    // The first night is old now. Its findings are still open or were resolved in the second night.
    try night.run(asOf: "2026-11-11 03:00:01")
    try Self.expect("2 | 1 | 3 | 0 | 0 | 2 | 1", in: night)
    try night.run(asOf: "2026-11-12 03:00")
    try Self.expect("2 | 1 | 3 | 0 | 0 | 3 | 1", in: night)
    try night.run(asOf: "2026-11-12 03:00:01")
    try Self.expect("1 | 0 | 1 | 0 | 0 | 3 | 1 2", in: night)
    try night.expect(
      "missing_delivery",
      finds: "subject | first_flagged_on | status\n2 book | 2026-11-01 | open")
  }

  @Test("a rebuild does not need a file without usable records, even if its rejections are dropped")
  func rebuilt() throws {
    let night = try Self.night(keeping: 1)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(query: "select count(*) from rejection", gives: "count\n0")
    try FileManager.default.removeItem(at: night.inbox.appending(path: "receipts/odd.ndjson"))
    try night.rebuild()
  }

  @Test("nothing is dropped if keep_closed_days is 0")
  func never() throws {
    let night = try Self.night(keeping: 0)
    try night.run(asOf: "2036-11-11 03:00")
    try Self.expect("2 | 1 | 3 | 2 | 1 | 3 |", in: night)
  }

  @Test("evidence and deliveries stay, and every statement is the same with and without retention")
  func statements() throws {
    let kept = try Self.night(keeping: 0)
    let dropped = try Self.night(keeping: 1)
    for night in [kept, dropped] {
      try night.run(asOf: "2026-11-20 03:00")
      // The same receipts in another file, and one new receipt.
      try night.transactions(
        """
        transaction_id | product_id | purchased_at
        1              | book       | 2026-10-20 10:00
        2              | book       | 2026-10-20 10:00
        3              | bok        | 2026-11-19 10:00
        """)
      try night.run(asOf: "2026-11-21 03:00")
    }
    try Self.expect("4 | 1 | 5 | 3 | 1 | 4 |", in: kept)
    try Self.expect("3 | 0 | 3 | 3 | 0 | 2 | 1 2", in: dropped)
    for report in Report.all where report.fileName != "control_totals.csv" {
      #expect(try kept.report(report.fileName) == dropped.report(report.fileName))
    }
    // A document that arrives again is counted as new, but it adds no evidence.
    for table in [
      "evidence", "store_transaction", "delivery_record", "catalogue_fact", "input_file",
      "inbox_path", "run",
    ] {
      let count = "select count(*) from \(table)"
      #expect(try kept.database.draw(count) == dropped.database.draw(count), "\(table)")
    }
  }

  @Test("a finding that is found again after it was dropped is a new finding")
  func comesBack() throws {
    let night = try Self.night(keeping: 5)
    try night.run(asOf: "2026-11-20 03:00")
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status | delivery_id
      1              | book       | 2026-11-20 10:00 | failed | A
      """)
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(
      "missing_delivery",
      finds: """
        subject | reason     | first_flagged_on | status
        1 book  | failed     | 2026-11-21       | open
        2 book  | no_records | 2026-11-01       | open
        """)
    try night.expect(
      query: """
        select subject, event, as_of_on
        from finding inner join finding_event using (finding_id) inner join run using (run_id)
        order by subject, run_id
        """,
      gives: """
        subject | event  | as_of_on
        1 book  | opened | 2026-11-21
        2 book  | opened | 2026-11-01
        """)
  }

  @Test("a run with an earlier as-of drops nothing; its data is as old as the night before it")
  func rebuild() throws {
    let night = try Self.night(keeping: 5)
    try night.run(asOf: "2026-11-03 03:00")
    try night.put("{\"status\": 21004}\n", at: "receipts/late.ndjson")
    try night.run(asOf: "2026-10-21 03:00")
    try Self.expect("2 | 1 | 3 | 2 | 2 | 4 |", in: night)
    night.settings.dryRun = true
    try night.run(asOf: "2026-11-08 02:00")
    try Self.expect("2 | 1 | 3 | 2 | 2 | 4 |", in: night)
    night.settings.dryRun = false
    // The first two nights are old now. The run with the earlier as-of counts as young as the night
    // before it, so its rejection stays.
    try night.run(asOf: "2026-11-08 02:00")
    try Self.expect("1 | 0 | 1 | 0 | 1 | 3 | 1 2", in: night)
    try night.run(asOf: "2026-11-20 02:00")
    try Self.expect("1 | 0 | 1 | 0 | 0 | 1 | 1 2 3 4 6", in: night)
  }

  /// The number of rows that retention reads, and the tables that it scans, when one of `nights`
  /// nights becomes old.
  private static func cost(nights: Int) throws -> (scanned: [[String?]], fetched: Int) {
    let night = try TestNight()
    night.settings.keepClosedDays = 10
    try night.run(asOf: "2026-11-01 03:00")
    let database = try night.database.connect()
    try database.run(
      """
      set search_path = tieout;
      update run set is_cleared = true;
      insert into run (
          as_of, as_of_on, outcome, program_version, started_by, started_on_host, settings, is_cleared
      )
      select
          timestamptz '2026-11-01T03:00:00Z' + make_interval(mins => number),
          '2026-11-01', 'done', 'test', 'anna', 'host',
          (select settings from run where run_id = 1), number < \(nights)
      from generate_series(1, \(nights)) as number;
      insert into input_file (file_id, sha256, folder, path, bytes, records, run_id, is_rejected)
      select
          20 * run_id + number, sha256(convert_to(run_id || ' ' || number, 'UTF8')), 'receipts',
          run_id || '/' || number, 1, 10, run_id, false
      from run cross join generate_series(1, 20) as number;
      insert into document (document_hash, file_id, line, status)
      select md5(file_id || ' ' || number)::uuid, file_id, number, 0
      from input_file cross join generate_series(1, 10) as number;
      insert into finding (
          rule, environment, key.original_transaction_id, key.product_id, subject, subject_hash, level,
          reason, detail, status, first_flagged_on, first_run_id, changed_run_id
      )
      select
          'missing_delivery', 'Production', run_id, number, run_id || ' ' || number,
          sha256(convert_to(run_id || ' ' || number, 'UTF8')), 'error', 'failed', '',
          case when number < 10 then 'open' else 'resolved' end, '2026-11-01', run_id, run_id
      from run cross join generate_series(1, 100) as number;
      insert into finding_event (finding_id, run_id, event)
      select finding_id, changed_run_id, 'opened' from finding;
      insert into acknowledgement (
          finding_id, finding, level, because, acknowledged_by, acknowledged_at, ended_because,
          acknowledged_system_user, acknowledged_role
      )
      select finding_id, name, level, 'known', 'anna', '2026-11-01', 'resolved', 'anna', 'anna'
      from finding;
      insert into rejection (run_id, path, kind, reason, detail, excerpt, raw_bytes)
      select run_id, 'path', 'file', 'not_text', '', '', 0
      from run cross join generate_series(1, 50) as number;
      insert into rejection_rest (run_id, path, kind, reason, records)
      select run_id, 'path', 'delivery', 'bad_text', 7
      from run cross join generate_series(1, 30) as number;
      insert into run_step (run_id, step_number, step, milliseconds)
      select run_id, number, 'step', 1
      from run cross join generate_series(1000, 1050) as number;
      analyze
      """, step: "fill")
    try database.run(
      """
      begin;
      create temporary table night on commit drop as
      select run_id, timestamptz '2026-11-11T03:00:00Z' + interval '\(nights) minutes 1 second' as as_of
      from run where run_id = 1
      """, step: "night")
    let reads = """
      select coalesce(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read), 0)
      from pg_stat_xact_user_tables where schemaname = 'tieout' and relname <> 'run'
      """
    let before = try database.run(reads, step: "reads").first.flatMap { Int($0) } ?? 0
    try database.run(SQLFile.retentionDrop.text, step: "drop")
    let scanned = try database.run(
      """
      select relname, n_tup_del, seq_scan
      from pg_stat_xact_user_tables
      where schemaname = 'tieout' and relname <> 'run' and (seq_scan > 0 or n_tup_del > 0)
      order by relname
      """, step: "scans")
    let after = try database.run(reads, step: "reads").first.flatMap { Int($0) } ?? 0
    return (scanned.values, after - before)
  }

  @Test("retention costs only what it drops, however long the history is")
  func cost() throws {
    let short = try Self.cost(nights: 400)
    let long = try Self.cost(nights: 500)
    #expect(
      short.scanned == [
        ["document", "200", "0"], ["finding", "91", "0"], ["finding_event", "91", "0"],
        ["rejection", "50", "0"], ["rejection_rest", "30", "0"], ["run_step", "51", "0"],
      ])
    #expect(long.scanned == short.scanned)
    #expect(long.fetched == short.fetched)
    #expect(short.fetched < 2 * (20 + 200 + 91 + 91 + 91 + 50 + 30 + 51))
  }
}
