import Configuration
import Foundation
import NightRun
import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Reports
import Runs
import Testing

/// What each role of the database may do.
///
/// One server has one set of roles, so a test adds only roles that no other test names.
@Suite("The roles") struct RolesTests {
  private static func make(on night: TestNight) throws {
    try night.database.connect().run(Roles.commands, step: "roles")
  }

  private static func connection(_ night: TestNight, as role: String) -> String {
    "\(night.database.connectionString) user=\(role)"
  }

  /// A database with the roles, whose tables were made by the owner.
  static func prepared() throws -> TestNight {
    try TestNight(on: ScratchDatabase(copyOf: template.get().database))
  }

  /// Making the tables takes as long as a small night, so they are made once.
  ///
  /// No test connects to this database.
  nonisolated(unsafe) private static let template: Result<TestNight, any Error> = Result {
    let night = try TestNight(hasTables: false)
    try make(on: night)
    _ = try RunHistory(database: connection(night, as: "tieout_owner")).newest(1)
    return night.removedAtExit()
  }

  /// Runs SQL statements as a role and returns the SQLSTATE of the first one that fails.
  private static func state(_ sql: String, as role: String, _ night: TestNight) throws -> String? {
    let database = try Connection(
      connection(night, as: role), applicationName: "tieout test")
    do {
      try database.run("begin", step: "try")
      try database.run(sql, step: "try")
      try database.run("rollback", step: "try")
      return nil
    } catch { return error.sqlState ?? "none" }
  }

  private static func names(_ night: TestNight, kind: String) throws -> [String] {
    try DrawnTableRows(
      night,
      """
      select relname as name from pg_class
      where relnamespace = 'tieout'::regnamespace and relkind = '\(kind)' order by 1
      """
    ).rows.map { $0[0] }
  }

  @Test(
    "tieout_job can run nights: first, incremental, late, dry, with retention and rejections"
  )
  func job() throws {
    let night = try Self.prepared()
    night.user = "tieout_job"
    night.settings.keepClosedDays = 1
    for (number, day) in ["15", "17", "20", "18", "24"].enumerated() {
      try night.catalogue("product_id | type\nbook.emma | non_consumable\nbook.\(number) |")
      try night.transactions(
        """
        transaction_id | original_transaction_id | product_id | purchased_at     | cancelled_at
        10\(number)    |                         | book.emma  | 2026-11-14 10:00 |
        101            |                         | book.emma  | 2026-11-14 10:00 | 2026-11-1\(number + 5) 10:00
        2\(number)1    | 100                     | book.enma  | 2026-11-14 11:00 |
        """)
      try night.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at
        D\(number)  | 10\(number)    | book.emma  | 2026-11-13 10:00
        """)
      try night.clientLog(
        """
        transaction_id | product_id | state     | transaction_date
        9\(number)     | book.emma  | purchased | 2026-11-14 10:00
        """)
      try night.put("{\"status\":2100\(number)}\n", at: "receipts/bad-\(number).ndjson")
      #expect(try night.run(asOf: "2026-11-\(day) 03:00").rejected > 0)
      night.settings.dryRun = true
      try night.run(asOf: "2026-11-\(day) 04:00")
      night.settings.dryRun = false
    }
    #expect(try night.recompute().corrections != nil)
    #expect(
      try night.database.draw(
        "select count(*) filter (where outcome = 'done') = count(*) as done from run")
        == "done\nt")
    #expect(
      try night.database.draw("select bool_or(is_cleared) as is_cleared from run")
        == "is_cleared\nt")
  }

  @Test("tieout_job can remove the record of a grown line, and no other record")
  func grownLine() throws {
    let night = try Self.prepared()
    night.user = "tieout_job"
    let lines = """
      delivery_id,transaction_id,product_id,status,occurred_at,error
      1,1,book,failed,2026-11-18T10:00:00Z,no room
      2,2,book,failed,2026-11-18T10:00:00Z,out
      """
    try night.put(lines, at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-20 03:00")
    let remove = """
      select tieout.take_back('delivery_record', delivery_id, content_hash)
      from tieout.delivery_record
      """
    let errors = "select error from delivery_record order by delivery_id, error"
    let job = try Connection(
      Self.connection(night, as: "tieout_job"), applicationName: "tieout test")
    #expect(try Self.state(remove, as: "tieout_reader", night) == "42501")
    #expect(
      try Self.state("update tieout.input_file set open_line = 2", as: "tieout_job", night)
        == "42501")
    try night.put(lines + " of room\n", at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try night.database.draw(errors) == "error\nno room\nout of room")
    // No record that is left comes from an open line.
    try job.run(remove, step: "try")
    #expect(try night.database.draw(errors) == "error\nno room\nout of room")
  }

  @Test("tieout_job can run a large first night, although it cannot drop the keys")
  func jobWithoutKeys() throws {
    let night = try Self.prepared()
    night.user = "tieout_job"
    try night.put(deliveryLines(1...9000), at: "deliveries/a.ndjson")
    let summary = try night.run(asOf: "2026-11-20 03:00")
    #expect(counts("deliveries", summary) == [9000, 9000, 0, 0])
  }

  @Test("tieout_job can do nothing that a night does not need")
  func jobIsBounded() throws {
    let night = try Self.prepared()
    for command in [
      "create table tieout.mine (a integer)", "drop view tieout.found", "drop table tieout.judged",
      "alter table tieout.run add column a integer", "truncate tieout.stored_evidence",
      "delete from tieout.stored_evidence", "delete from tieout.stored_delivery",
      "update tieout.stored_delivery set status_code = ''",
      "update tieout.merged_transaction set price = 0", "delete from tieout.input_file",
      "update tieout.input_file set is_withdrawn = true", "delete from tieout.run",
      "insert into tieout.withdrawal (sha256, path, because, withdrawn_by) values ('', '', '', '')",
      "delete from tieout.withdrawal", "update tieout.run_count set value = 0",
      "insert into tieout.schema_version (version) values (99)",
      "update tieout.finding_event set event = 'resolved'",
      "create role tieout_test_nobody", "select passwd from pg_shadow",
    ] {
      #expect(try Self.state(command, as: "tieout_job", night) == "42501", "\(command)")
    }
  }

  /// The columns that the job may change in existing rows.
  ///
  /// It may change no column of other tables.
  private static let changedByTheJob = [
    "run": "outcome finished_at is_published edition is_reported is_rebuild is_cleared",
    "input_file": "has_grown is_unusable report_hash",
    "inbox_path": "bytes modified_ns inode file_id withdrawn_sha256",
    "stored_evidence": "evidence_at last_evidence_at last_file_id file_id line pointer is_lone",
    "staging_evidence": "transaction_number original_number line_item_number",
    "staging_delivery": "transaction_number original_number line_item_number",
    "feed_day": "first_at last_at",
    "receipt_question": "asked_at status is_sandbox answer_path",
    "finding": "level reason detail amount currency status changed_run_id",
    "acknowledgement":
      "ended_because ended_by ended_at ended_note ended_run_id ended_system_user ended_role content_hash",
    "rolled_finding": "reason currency amount is_acknowledged",
    "privacy": "mode key_check",
    "judged": "run_id fingerprint",
    "carried_source_hour": "attempts",
    "carried_missing_delivery": "reason possible_match_delivery_id possible_match_differs",
    "carried_client_restore": "restores",
    "carried_revenue":
      "entries units_sold gross units_refunded refunds net units_upgraded units_unpriced offers_unpriced",
    "carried_month": "entries units_sold gross units_refunded refunds net units_upgraded",
    "carried_term": "entries units amount refund",
    "carried_pacific": "entries",
    "carried_total": "value",
    "carried_served": "deliveries",
    "carried_closest": "closest_product_id",
  ]

  /// The tables from which the job may delete rows, in addition to carried and staging tables.
  private static let deletedByTheJob: Set = [
    "merged_transaction", "document", "rejection", "rejection_rest", "open_record",
    "left_out_file", "run_step", "finding", "finding_event", "rolled_finding",
    "judged",
  ]

  /// The tables into which the job may not insert.
  private static let keptFromTheJob: Set = [
    "schema_version", "view_version", "privacy", "forgotten_name", "withdrawal",
    "period_closing", "period_approval", "period_amount", "journal",
    // They are partitions of stored_evidence.
    "lone_evidence", "differing_evidence",
  ]

  @Test("the job and readers have exactly the rights that they need on each table and column")
  func everyColumn() throws {
    let night = try Self.prepared()
    let columns = try Self.columns(in: night.database.connect())
    for role in ["tieout_job", "tieout_reader"] {
      let database = try Connection(
        Self.connection(night, as: role), applicationName: "tieout test")
      func expect(_ command: String, isAllowed: Bool) {
        Self.expect(command, isAllowed: isAllowed, as: role, in: database)
      }
      let isJob = role == "tieout_job"
      for row in columns where row[2] != "v" {
        let changed = (Self.changedByTheJob[row[0]] ?? "").split(separator: " ").map(String.init)
        // No row is updated, but the server checks the right first.
        expect(
          "update tieout.\(row[0]) set \(row[1]) = default where false",
          isAllowed: isJob && changed.contains(row[1]))
      }
      for table in Set(columns.filter { $0[2] != "v" }.map { $0[0] }) {
        let isStaged = table.hasPrefix("staging_")
        let isCarried = table.hasPrefix("carried_")
        expect(
          "insert into tieout.\(table) default values",
          isAllowed: isJob && !Self.keptFromTheJob.contains(table))
        expect(
          "delete from tieout.\(table) where false",
          isAllowed: isJob && (isStaged || isCarried || Self.deletedByTheJob.contains(table)))
        expect("truncate tieout.\(table)", isAllowed: isJob && isStaged)
        expect("select from tieout.\(table)", isAllowed: isJob)
      }
      for view in Set(columns.filter { $0[2] == "v" }.map { $0[0] }) {
        let isOpen = !view.hasPrefix("staged_") && view != "tie_out_row"
        expect("select from tieout.\(view)", isAllowed: isJob || isOpen)
        expect("delete from tieout.\(view)", isAllowed: false)
      }
    }
    let tables = Set(columns.map { $0[0] })
    #expect(tables.isSuperset(of: Self.changedByTheJob.keys))
    #expect(tables.isSuperset(of: Self.deletedByTheJob.union(Self.keptFromTheJob)))
  }

  @Test("tieout_reader can read every view of what is loaded and nothing else")
  func reader() throws {
    let night = try Self.prepared()
    night.user = "tieout_owner"
    try night.transactions(
      "transaction_id | product_id | purchased_at\nA-1 | book.emma | 2026-11-18 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    let views = try Self.names(night, kind: "v")
    #expect(views.count > 15)
    for view in views {
      // Staged records can be those of a night that failed, and a function reads tables for
      // `tie_out_row`.
      let state = view.hasPrefix("staged_") || view == "tie_out_row" ? "42501" : nil
      #expect(
        try Self.state("select * from tieout.\(view)", as: "tieout_reader", night) == state,
        "\(view)")
    }
    let tables = try Self.names(night, kind: "r")
    #expect(tables.count > 30)
    for table in tables {
      #expect(
        try Self.state("select * from tieout.\(table)", as: "tieout_reader", night) == "42501",
        "\(table)")
    }
    for command in ["create table tieout.mine (a integer)", "delete from tieout.judged"] {
      #expect(try Self.state(command, as: "tieout_reader", night) == "42501")
    }
  }

  @Test(
    "tieout_owner can withdraw and rebuild, and owns every table, also those made by another role")
  func owner() throws {
    let night = try TestNight(hasTables: false)
    try night.put(deliveryLines(1...3), at: "deliveries/a.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    try Self.make(on: night)
    try Self.make(on: night)
    night.user = "tieout_owner"
    try night.withdraw("deliveries/a.ndjson")
    try night.rebuild()
    #expect(try night.database.draw("select count(*) as n from delivery_record") == "n\n0")
    #expect(
      try night.database.draw(
        """
        select distinct pg_get_userbyid(relowner) as owner from pg_class
        where relnamespace = 'tieout'::regnamespace and relkind in ('r', 'p', 'v')
        """) == "owner\ntieout_owner")
    night.user = "tieout_job"
    try night.run(asOf: "2026-11-21 03:00")
  }

  @Test("one role closes a period and another one approves it; the database says who they are")
  func closers() throws {
    let night = try Self.prepared()
    let server = try night.database.connect()
    let people = ["tieout_test_anna", "tieout_test_bert"]
    for person in people {
      try server.run(
        "drop role if exists \(person); create role \(person) login in role tieout_closer",
        step: "people")
    }
    defer {
      for person in people { _ = try? server.run("drop role \(person)", step: "people") }
    }
    night.user = "tieout_job"
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-10-18 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    func message(_ body: () throws -> Void) -> String {
      do { try body() } catch let error as ReconciliationError { return error.message } catch {
        return (error as? PostgreSQLError)?.sqlState ?? "\(error)"
      }
      return "none"
    }
    let period = try Period("2026-10")
    #expect(
      message { _ = try ClosingActs.of(night, as: "tieout_job").close(period) } == "42501")
    let closed = try ClosingActs.of(night, as: people[0]).close(period)
    #expect(closed.person == people[0])
    let own = message { _ = try ClosingActs.of(night, as: people[0]).approve(period) }
    #expect(
      own.contains("\(people[0]) closed 2026-10, so another person must approve it"), "\(own)")
    // No SQL command of theirs can name another person, or be taken back.
    for command in [
      """
      insert into tieout.period_approval (closing_id, run_id, is_single_signer, approved_by, approved_at)
      select closing_id, run_id, false, '\(people[1])', now() from tieout.period_closing
      """, "update tieout.period_closing set prepared_by = '\(people[1])'",
      "delete from tieout.period_closing", "delete from tieout.journal",
      "insert into tieout.journal (person, act, subject, detail) values ('', '', '', '')",
      "alter table tieout.period_approval disable trigger all",
      "create or replace function tieout.person() returns text return 'nobody'",
      "delete from tieout.stored_evidence", "insert into tieout.finding (rule) values ('none')",
    ] {
      #expect(try Self.state(command, as: people[0], night) == "42501", "\(command)")
    }
    let approved = try ClosingActs.of(night, as: people[1]).approve(period)
    #expect(approved.preparer == people[0] && approved.approver == people[1])
    let certificate = try String(contentsOfFile: approved.certificate, encoding: .utf8)
    #expect(certificate.contains("\"single_signer\":false"))
    try ClosingActs.of(night, as: people[1]).reopen(period, because: "a test")
    #expect(
      try night.database.draw(
        "select person, act from journal where act not in ('run', 'settings') order by entry_id")
        == DrawnTable(
          """
          person           | act
          \(people[0]) | close
          \(people[1]) | approve
          \(people[1]) | reopen-period
          """
        ).text)
  }

  @Test("with tables of another version, tieout_job gets a message that names tieout_owner")
  func otherVersion() throws {
    let night = try Self.prepared()
    try night.database.connect().run(
      "update tieout.view_version set fingerprint = 'older'", step: "older")
    night.user = "tieout_job"
    #expect {
      try night.run(asOf: "2026-11-20 03:00")
    } throws: { error in
      (error as? ReconciliationError)?.code == .schema && "\(error)".contains("tieout_job")
        && "\(error)".contains("user=tieout_owner")
    }
    night.user = "tieout_owner"
    try night.run(asOf: "2026-11-20 03:00")
    night.user = "tieout_job"
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try Self.state("select * from tieout.found", as: "tieout_reader", night) == nil)
  }

  @Test("roles of another database get no right if the schema does not belong to tieout_owner")
  func otherDatabase() throws {
    _ = try Self.prepared()
    let night = try TestNight(hasTables: false)
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try Self.state("select * from tieout.run", as: "tieout_job", night) == "42501")
    #expect(try Self.state("select * from tieout.found", as: "tieout_reader", night) == "42501")
  }
}
