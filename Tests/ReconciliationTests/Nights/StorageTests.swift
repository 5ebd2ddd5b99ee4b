import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("Storage of large tables")
struct StorageTests {
  /// A database with a night and 150,000 more deliveries.
  private static func large() throws -> (night: TestNight, database: Connection) {
    let night = try TestNight.afterEmptyNight()
    let database = try night.database.connect()
    try database.run(
      """
      set search_path = tieout;
      alter table stored_delivery set (autovacuum_enabled = off);
      insert into recorded_product (product_number, product_id) values (1, 'book');
      insert into stored_delivery (
          delivery_id, content_hash, transaction_number, product_number, status_code, occurred_at, file_id, line
      )
      select
          'D' || number, hashtextextended(number::text, 0), 3000000 + number, 1, '',
          timestamptz '2026-11-01T00:00:00Z', 1, number
      from generate_series(1, 150000) as number;
      analyze stored_delivery
      """, step: "fill")
    return (night, database)
  }

  @Test("a night vacuums tables that changed much, so that the next night reads them by index only")
  func vacuumed() throws {
    let (night, database) = try Self.large()
    try database.run(
      """
      create temporary table told as
      select delivery_id from delivery_record where line % 100 = 1;
      analyze told
      """, step: "told")
    let question = """
      explain select from told
      where not exists (
          select from delivery_record where delivery_record.delivery_id = told.delivery_id
      )
      """
    func plan() throws -> String {
      try database.run(question, step: "explain").values.compactMap { $0[0] }.joined(
        separator: "\n")
    }
    #expect(
      try plan().contains("Seq Scan on stored_delivery"),
      "before the vacuum the plan is a full scan")
    // A vacuum passes over rows that an old snapshot may not see, as one of autovacuum in this
    // database beside a long transaction of another test. Then a later night vacuums again.
    let wanted = "Index Only Scan using stored_delivery_pkey"
    for day in 21...30 where try !plan().contains(wanted) {
      try night.run(asOf: "2026-11-\(day) 03:00")
    }
    #expect(try plan().contains(wanted))
  }

  @Test("a night with few changes vacuums nothing")
  func left() async throws {
    let (night, database) = try Self.large()
    // Until no old snapshot is left that keeps a vacuum from marking the pages as visible to all.
    for _ in 1...600 {
      try database.run("vacuum stored_delivery", step: "vacuum")
      let marked = "select relallvisible = relpages from pg_class where relname = 'stored_delivery'"
      guard try database.run(marked, step: "ask").first == "f" else { break }
      try await Task.sleep(for: .milliseconds(100))
    }
    let seen = "select vacuum_count from pg_stat_user_tables where relname = 'stored_delivery'"
    try database.run("select pg_stat_force_next_flush()", step: "flush")
    let before = try database.run(seen, step: "ask").first
    try night.run(asOf: "2026-11-22 03:00")
    #expect(try database.run(seen, step: "ask").first == before)
  }

  @Test("an update of the date of signed evidence stays in its page")
  func heapOnly() throws {
    let night = try TestNight.afterEmptyNight()
    let database = try night.database.connect()
    try database.run(
      """
      set search_path = tieout;
      insert into stored_evidence (
          environment_code, transaction_number, content_hash, evidence_at, product_number, purchased_at, is_trial,
          is_introductory_offer, is_promotional_offer, is_family_shared, is_upgraded, is_signed,
          is_signed_transaction, dates_disagree, environments_disagree, file_id, line, is_lone
      )
      select
          '', number, hashtextextended(number::text, 0), now(), 1, now(), false, false, false,
          false, false, true, true, false, false, 1, number, true
      from generate_series(1, 10000) as number;
      update stored_evidence set last_evidence_at = now() where line % 100 = 7;
      """, step: "fill")
    try database.run("select pg_stat_force_next_flush()", step: "flush")
    let updates = try database.run(
      """
      select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = 'lone_evidence'
      """, step: "ask")
    #expect(updates.values == [["100", "100"]])
  }
}
