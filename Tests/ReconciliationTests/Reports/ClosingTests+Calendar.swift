import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Testing

extension ClosingTests {
  @Test("the calendar calls no amount a list price because of another entry of the month")
  func listPrices() throws {
    let night = try TestNight.october()
    try night.run(asOf: "2026-10-31 03:00")
    try night.run(asOf: "2026-11-02 03:00")
    try night.transactions(
      TestNight.sales + "3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    // A delivery that is missing does not change what was sold.
    try night.database.connect().run(
      """
      insert into tieout.restated_entry (
          run_id, environment, transaction_id, kind, is_added, day, product_id, currency,
          price_source, cause, units, amount
      )
      select
          max(run_id), 'Production', '4', 'missing', true, '2026-10-12', 'map', 'USD',
          'catalogue', 'log_arrived', 1, 3
      from tieout.run
      """, step: "test")
    try ClosingActs.of(night).showState()
    #expect(
      try Self.octoberInCalendar(night)
        == "Not closed: changed since it was published: 1 unit, USD 4.00.")
  }
}
