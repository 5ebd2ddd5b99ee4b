import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Testing

extension LinearCostTests {
  @Test("the work is linear in the numbers of silences and uncertain deliveries")
  func silences() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    // Each purchase is made in a silent hour.
    try database.run(
      """
      create temporary table silence as
      select
          'content-1' as server,
          '2026-01-01T00:00:00Z'::timestamptz + number * interval '6 hours' as begins_at,
          '2026-01-01T01:00:00Z'::timestamptz + number * interval '6 hours' as ends_at
      from generate_series(1, 1000) as every (number);
      create temporary table carried_missing_delivery as
      select
          'book' as product_id,
          begins_at + interval '30 minutes' as purchased_at,
          begins_at + interval '24 hours 30 minutes' as due_at,
          'no_records' as reason
      from silence;
      create temporary table source_product as
      select
          'book' as product_id,
          date_trunc('month', day)::date as month,
          'content-1' as server,
          array_agg(day::date order by day) as days
      from generate_series('2025-12-01'::timestamp, '2026-09-30', '1 day') as every (day)
      group by date_trunc('month', day);
      analyze silence;
      analyze carried_missing_delivery;
      analyze source_product
      """, step: "silences")
    let query = SQLFile.summaryUncertain.text
    let most = try Self.largest(of: Self.lines(of: query, database))
    #expect(most > 0 && most <= 10 * 1000)
    #expect(try database.run(query, step: "silences").values.count == 1000)
  }
}
