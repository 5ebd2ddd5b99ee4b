import Explain
import Foundation
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("A night with little new data reads little of the history")
struct HistoryScanTests {
  /// The tables that grow with the years.
  private static let history = [
    "lone_evidence", "differing_evidence", "merged_transaction", "stored_delivery", "document",
    "client_transaction",
    "carried_log_hour", "carried_revenue", "carried_source_hour", "carried_source_product",
  ]
  /// The tables among them with about one row for each transaction.
  private static let large = [
    "lone_evidence", "stored_delivery", "carried_log_hour", "carried_revenue",
  ]

  private static let input = RandomNight(seed: 11, accounts: 600).input

  /// A night with many accounts; no test connects to its database.
  nonisolated(unsafe) private static let manyAccounts: Result<TestNight, any Error> = Result {
    let night = try TestNight()
    try night.run(input, files: 2, seed: 1)
    return night.removedAtExit()
  }

  /// The number of full scans of each table, and the number of entries read from each of its
  /// indexes.
  private static let reads = """
    select
        pg_stat_user_tables.relname,
        pg_stat_user_tables.seq_scan,
        pg_stat_user_indexes.indexrelname,
        pg_stat_user_indexes.idx_tup_read
    from pg_stat_user_tables
    left join pg_stat_user_indexes using (relid)
    where pg_stat_user_tables.schemaname = 'tieout'
    """

  /// What was read from a table: the number of full scans, and the number of entries of each index.
  private struct Reads {
    var scans = 0
    var entries: [String: Int] = [:]

    /// The largest number of entries that were read from one index after other counts.
    func mostEntries(since before: Reads) -> Int {
      entries.map { index, read in read - (before.entries[index] ?? 0) }.max() ?? 0
    }
  }

  @Test("a small night reads tables by index only, once the planner knows how large they are")
  func byIndex() throws {
    let night = try TestNight(copyOf: Self.manyAccounts.get())
    let history = Self.input
    let database = try night.database.connect()
    try pretendSize(database, 10000)
    let rows = try database.run("select count(*) from tieout.store_transaction", step: "test")
    let all = try #require(rows.first.flatMap { Int($0) })

    func readBy(
      accounts: Int, seed: Int, catalogues: [CatalogueDocument] = []
    ) throws -> [(table: String, scans: Int, entries: Int)] {
      let before = try counts(database)
      var tonight = RandomNight(seed: UInt64(seed), accounts: accounts).input
      tonight.settings = history.settings
      tonight.catalogues = catalogues
      tonight.asOf = history.asOf + 3600 * (seed - 11)
      try night.run(tonight, files: 2, seed: UInt64(seed))
      let after = try counts(database)
      return try Self.history.map { table in
        let one = try #require(before[table])
        let other = try #require(after[table])
        return (table, other.scans - one.scans, other.mostEntries(since: one))
      }
    }
    for (table, scans, entries) in try readBy(accounts: 3, seed: 12) {
      #expect(scans == 0, "\(table) was read from end to end")
      #expect(entries < all, "an index of \(table) was read from end to end")
    }

    // The catalogue lists a product that nobody has bought yet.
    let list = CatalogueDocument(
      form: .version2, entries: [CatalogueEntry(productID: "com.example.not-sold-yet")])
    for (table, scans, _) in try readBy(accounts: 3, seed: 14, catalogues: [list]) {
      #expect(scans == 0, "\(table) was read from end to end for a new product")
    }

    // With the pretended size the night brings a twentieth of the history. The planner might choose
    // to read whole tables for that.
    try pretendSize(database, 2)
    for (table, scans, entries) in try readBy(accounts: 60, seed: 15)
    where Self.large.contains(table) {
      #expect(scans == 0, "\(table) was read from end to end for a twentieth of it")
      #expect(entries < all, "an index of \(table) was read from end to end for a twentieth of it")
    }
    #expect(
      try night.database.draw(
        "select count(*) as nights from run_step where step = 'judge before load'")
        == DrawnTable(header: ["nights"], rows: [["3"]]).text)
  }

  @Test("a night that changes an ended month looks up what explains the change")
  func restated() throws {
    func purchases(_ ids: ClosedRange<Int>, day: String) -> String {
      "transaction_id | product_id | purchased_at | price | currency\n"
        + ids.map { "\($0) | book | \(day) 10:00 | 1.00 | USD" }.joined(separator: "\n")
    }
    func deliveries(_ ids: [Int], day: String) -> String {
      "delivery_id | transaction_id | product_id | occurred_at | status\n"
        + ids.map { "d\($0) | \($0) | book | \(day) 10:05 | delivered" }.joined(separator: "\n")
    }
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(purchases(1...2000, day: "2026-10-10"))
    try night.deliveries(deliveries(Array(2...2000), day: "2026-10-10"))
    try night.run(asOf: "2026-11-02 03:00")
    let database = try night.database.connect()
    try pretendSize(database, 20)
    let before = try counts(database)
    try night.transactions(purchases(2001...2100, day: "2026-11-02"))
    try night.deliveries(deliveries([1] + Array(2001...2100), day: "2026-11-02"))
    try night.run(asOf: "2026-11-03 03:00")
    let after = try counts(database)
    #expect(try night.table("restatement.csv").rows.count == 2)
    for table in ["lone_evidence", "stored_delivery"] {
      let one = try #require(before[table])
      let other = try #require(after[table])
      #expect(other.scans == one.scans, Comment("\(table) was read from end to end"))
      #expect(
        other.mostEntries(since: one) < 2000,
        Comment("an index of \(table) was read from end to end"))
    }
  }

  @Test("an inquiry about a transaction, delivery, account or finding reads by index only")
  func explaining() throws {
    let night = try TestNight(copyOf: Self.manyAccounts.get())
    let database = try night.database.connect()
    try pretendSize(database, 10000)
    let connection = night.database.connectionString
    func one(_ sql: String) throws -> String {
      try #require(try database.run(sql, step: "test").first)
    }
    let all = try #require(Int(try one("select count(*) from tieout.store_transaction")))
    let names = [
      try one("select max(transaction_id) from tieout.carried_missing_delivery"),
      try one("select max(delivery_id) from tieout.delivery_record"),
      try one("select max(account_id) from tieout.evidence"),
      try one("select max(web_order_line_item_id) from tieout.store_transaction"),
      try one("select max(name) from tieout.finding where rule = 'missing_delivery'"),
      try one("select max(name) from tieout.finding where rule = 'shared_purchase'"),
      "nothing",
    ]
    let before = try counts(database)
    for name in names {
      #expect(
        try Inquiry(about: name, database: connection).explanation.isEmpty == (name == "nothing"))
    }
    _ = try DeliveryStatusInquiry(about: names, database: connection)
    let after = try counts(database)
    for table in Self.history {
      let one = try #require(before[table])
      let other = try #require(after[table])
      #expect(other.scans == one.scans, Comment("\(table) was read from end to end"))
      #expect(
        other.mostEntries(since: one) < all, "an index of \(table) was read from end to end")
    }
  }

  /// Makes the planner assume `growth` times as many rows.
  ///
  /// Its plans are those of a large history, while the work is that of a small one. The staging
  /// tables keep their size: the night is small.
  private func pretendSize(_ database: Connection, _ growth: Int) throws {
    for table in Self.history {
      try database.run(
        """
        alter table tieout.\(table) set (autovacuum_enabled = false);
        analyze tieout.\(table)
        """, step: "test")
    }
    try database.run(
      """
      update pg_class
      set
          relpages = greatest(1, pg_relation_size(oid) / 8192)::integer,
          reltuples = greatest(reltuples, 100) * \(growth)
      where
          relnamespace = 'tieout'::regnamespace
          and relkind in ('r', 'i')
          and relname not like 'staging%'
      """, step: "test")
  }

  private func counts(_ database: Connection) throws -> [String: Reads] {
    // A session publishes its statistics before it ends, and a busy machine takes long for that.
    let others = """
      select count(*) from pg_stat_activity
      where
          datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      """
    var rest = 600
    while try database.run(others, step: "test").first != "0", rest > 0 {
      Thread.sleep(forTimeInterval: 0.1)
      rest -= 1
    }
    try database.run("select pg_stat_force_next_flush()", step: "test")
    try database.run("select pg_stat_clear_snapshot()", step: "test")
    var counts: [String: Reads] = [:]
    for row in try database.run(Self.reads, step: "test").values {
      guard let name = row[0], let scans = row[1].flatMap({ Int($0) }) else { continue }
      counts[name, default: Reads()].scans = scans
      guard let index = row[2] else { continue }
      counts[name, default: Reads()].entries[index] = row[3].flatMap { Int($0) } ?? 0
    }
    return counts
  }
}
