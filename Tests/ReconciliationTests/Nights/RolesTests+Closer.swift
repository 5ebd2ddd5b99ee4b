import PostgreSQL
import ReconciliationTestSupport
import Testing

extension RolesTests {
  /// The tables into which a person who closes a period may insert.
  private static let filledByACloser: Set = [
    "period_closing", "period_approval", "period_amount", "published_month", "published_sum",
  ]

  /// The columns of `period_closing` that such a person may change.
  private static let changedByACloser: Set = ["pack_sha256", "reopened_because"]

  @Test("who closes a period has exactly the rights for it on each table and column")
  func everyColumnOfACloser() throws {
    let night = try Self.prepared()
    let database = try night.database.connect()
    let columns = try Self.columns(in: database)
    // Persons are members of the role, which cannot log in itself.
    try database.run("set session authorization tieout_closer", step: "role")
    func expect(_ command: String, isAllowed: Bool) {
      Self.expect(command, isAllowed: isAllowed, as: "tieout_closer", in: database)
    }
    // No row is updated, but the server checks the right first.
    for row in columns where row[2] != "v" {
      expect(
        "update tieout.\(row[0]) set \(row[1]) = default where false",
        isAllowed: row[0] == "period_closing" && Self.changedByACloser.contains(row[1]))
    }
    let tables = Set(columns.filter { $0[2] != "v" }.map { $0[0] })
    #expect(tables.isSuperset(of: Self.filledByACloser))
    for table in tables {
      expect("select from tieout.\(table)", isAllowed: true)
      expect(
        "insert into tieout.\(table) default values",
        isAllowed: Self.filledByACloser.contains(table))
      expect("delete from tieout.\(table) where false", isAllowed: false)
      expect("truncate tieout.\(table)", isAllowed: false)
    }
    for view in Set(columns.filter { $0[2] == "v" }.map { $0[0] }) {
      expect("select from tieout.\(view)", isAllowed: true)
      expect("delete from tieout.\(view)", isAllowed: false)
    }
  }

  @Test(
    "a trigger on a table of another role cannot write the journal",
    arguments: ["tieout_reader", "tieout_job", "tieout_closer"])
  func journalOfOthers(role: String) throws {
    let night = try Self.prepared()
    let database = try night.database.connect()
    try database.run("set session authorization \(role)", step: "role")
    try database.run(
      """
      create temporary table closing (
          period text, first_day date, last_day date, run_id bigint, reopened_because text
      )
      """, step: "table")
    let failure = #expect(throws: PostgreSQLError.self) {
      try database.run(
        """
        create trigger closing_is_noted after insert on closing
        for each row execute function tieout.note_act('close')
        """, step: "trigger")
    }
    #expect(failure?.sqlState == "42501")
  }

  @Test("functions that run as their owner write nothing if everybody may call them")
  func functionsOfTheOwner() throws {
    let night = try Self.prepared()
    #expect(
      try night.database.draw(
        """
        select proname as name
        from pg_proc
        where
            pronamespace = 'tieout'::regnamespace
            and prosecdef
            and has_function_privilege('public', oid, 'execute')
        order by proname
        """) == "name\nodd_identifier_number\nodd_identifier_text")
  }

  /// The columns of all tables and views: relation, column, kind of relation.
  static func columns(in database: Connection) throws -> [[String]] {
    let columns = try database.run(
      """
      select pg_class.relname, pg_attribute.attname, pg_class.relkind
      from pg_class
      inner join pg_attribute on pg_class.oid = pg_attribute.attrelid
      where
          pg_class.relnamespace = 'tieout'::regnamespace
          and pg_class.relkind in ('r', 'p', 'v')
          and pg_attribute.attnum > 0
          and not pg_attribute.attisdropped
      """, step: "columns"
    ).values.map { $0.map { $0 ?? "" } }
    #expect(columns.count > 400)
    return columns
  }

  /// Expects that the role of a connection may run a command, or may not; nothing changes.
  static func expect(
    _ command: String, isAllowed: Bool, as role: String, in database: Connection
  ) {
    var state: String?
    do { try database.run("begin; \(command)", step: "try") } catch {
      state = error.sqlState ?? "none"
    }
    _ = try? database.run("rollback", step: "try")
    // 42501: no right. 55000: no role can delete rows from this view.
    let isDone = state != "42501" && state != "55000"
    #expect(isDone == isAllowed, "\(role): \(command): \(state ?? "done")")
  }
}
