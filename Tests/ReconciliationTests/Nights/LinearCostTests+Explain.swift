import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Testing
@testable import Rules
@testable import Runs

extension LinearCostTests {
  @Test("the work is linear in the number of deliveries after as-of to the periods of one chain")
  func later() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "auto_renewable", database)
    try Self.deliveries(
      1000, transaction: "(100000 + number)::text", original: "null", product: "book", database)
    try database.run(
      """
      update stored_delivery
      set occurred_at = '2026-11-21T00:00:00Z', line_item_number = line
      where account_id = 'guest'
      """, step: "later")
    #expect(try Self.rows(of: SQLFile.explainLaterDelivery.text, database) <= 10 * 1000)
  }

  @Test("the work to follow the names of one chain, which is the whole history, is linear")
  func followed() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "auto_renewable", database)
    try database.run("begin", step: "follow")
    try database.run(.joinByKey, step: "follow")
    // As an explanation does.
    try database.run("set local enable_seqscan = off", step: "follow")
    try database.run(SQLFile.affectedStart)
    try database.run(
      """
      insert into frontier (transaction_number)
      select transaction_number from merged_transaction where transaction_number > 100000
      """, step: "follow")
    let round = SQLFile.affectedRound.text
    let search = round[..<(round.firstIndex(of: ";") ?? round.endIndex)]
    let most = try Self.largest(of: Self.lines(of: String(search), database))
    #expect(most > 0 && most <= 10 * 1000)
    #expect(try database.run("select count(*) from met", step: "follow").first == "1000")
    try database.run("rollback", step: "follow")
  }

  @Test("the work for the status of thousands of restores that share deliveries is linear")
  func statuses() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "non_consumable", database)
    try Self.deliveries(
      1000, transaction: "'100001'", original: "null", product: "book", database)
    try database.run(
      """
      create temporary table explained_name as
      select (100000 + number)::text collate "C" as name, 100000 + number as number
      from generate_series(1, 1000) as every (number);
      analyze explained_name
      """, step: "names")
    #expect(try Self.rows(of: SQLFile.explainLatestAttempt.text, database) <= 10 * 1000)
  }

  // A hundred days of ten purchases and ten differences each.
  @Test("the work is linear in the number of purchases and of differences to Apple")
  func differences() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "auto_renewable", database)
    try Self.days(of: "merged_transaction", database)
    try database.run(
      """
      insert into finding (
          rule, environment, key, subject, subject_hash, level, detail, status, first_flagged_on,
          first_run_id, changed_run_id
      )
      select
          'unexplained_difference', '', row(null, null, 'book', null, null, null, null, null, null,
          null, null, null, null, 'sales_summary', day, country, 'USD', null)::finding_key,
          day || country, text_hash(day || country), 'warning', '', 'open', '2026-11-20', 1, 1
      from (
          select to_char('2026-11-02'::date - number % 100, 'YYYY-MM-DD') as day, 'C' || number as country
          from generate_series(1, 1000) as every (number)
      ) as told;
      analyze finding;
      create temporary table applied_rule (rule text collate "C", key text collate "C");
      create temporary table silent_server (
          environment text collate "C", obligation_key text collate "C", server text collate "C",
          begins_at timestamptz
      )
      """, step: "differences")
    let text = SQLFile.explainLookedAt.text
    #expect(try Self.rows(of: text, database, with: .carriedSharedFamily) <= 40 * 1000)
  }

  /// Puts the purchases on different days.
  private static func days(of table: String, _ database: Connection) throws {
    try database.run(
      """
      update \(table)
      set first_purchased_at = '2026-11-02T12:00:00Z'::timestamptz - transaction_number % 100 * interval '1 day'
      where transaction_number > 100000;
      analyze \(table)
      """, step: "days")
  }
}
