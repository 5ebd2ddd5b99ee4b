import Configuration
import PostgreSQL
import ReconciliationTestSupport

extension TestNight {
  /// The header of sales with prices and refunds.
  static let sales =
    "transaction_id | product_id | purchased_at     | price | currency | told_at          | cancelled_at\n"

  /// Two purchases of October; one person may close alone.
  ///
  /// - Parameter asOf: The as-of of the night; by default 2026-11-02 03:00.
  static func october(asOf: String? = nil) throws -> TestNight {
    if let asOf { return try made(asOf: asOf) }
    return try TestNight(copyOf: ended.get())
  }

  /// The night after the end of October, which many tests copy; no test connects to its database.
  nonisolated(unsafe) private static let ended: Result<TestNight, any Error> = Result {
    try made(asOf: "2026-11-02 03:00").removedAtExit()
  }

  private static func made(asOf: String) throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    night.settings.singleSigner = true
    try night.catalogue("product_id\nbook\nmap")
    try night.transactions(
      sales + """
        1 | book | 2026-10-10 10:00 | 1.00  | USD | 2026-10-10 10:00 |
        2 | book | 2026-10-20 10:00 | 2.00  | EUR | 2026-10-20 10:00 |
        """)
    try night.run(asOf: asOf)
    return night
  }

  /// Makes the sums of liabilities.csv fail.
  func breakLiabilities() throws {
    try database.connect().run(
      """
      create or replace function tieout.balanced(value numeric, expected numeric, sum_name text)
      returns numeric language plpgsql as $$
      begin
        if sum_name like '%liabilities.csv' then raise '% does not add up', sum_name; end if;
        return value;
      end $$
      """, step: "test")
  }
}
