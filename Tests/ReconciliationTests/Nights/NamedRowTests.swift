import DamageTestSupport
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing
@testable import Ledger

/// With another hash, a record that comes again after `tieout forget` would be loaded again.
@Suite("A row gets the hash from `tieout forget` that the loader gives to the same values")
struct NamedRowTests {
  @Test("in random nights", arguments: RandomCases.seeds(1))
  func random(seed: UInt64) throws {
    let night = try TestNight()
    try night.run(RandomNight(seed: seed &+ 4200, accounts: 20).input, files: 2, seed: seed)
    let rows = try NamedTable.all.flatMap { try Self.rows(of: $0, in: night) }
    #expect(rows.count > 20, "seed \(seed)")
  }

  @Test("with a value in each column")
  func everyColumn() throws {
    let night = try TestNight()
    try night.signed(
      """
      transaction_id | original_transaction_id | web_order_line_item_id | product_id | account_id
      2              | 1                       | 21                     | plus.month | PERSON-1
      """.with(
        """
        purchased_at     | original_purchased_at | expires_at       | signed_at
        2026-11-02 10:00 | 2026-10-02 10:00      | 2026-12-02 10:00 | 2026-11-02 11:00
        """))
    try night.signed(
      """
      transaction_id | product_id | type           | quantity | price | currency | storefront
      3              | book.emma  | Non-Consumable | 2        | 1990  | USD      | USA
      """.with(
        """
        purchased_at     | signed_at        | revoked_at       | revocation_type | percentage
        2026-11-02 10:00 | 2026-11-04 10:00 | 2026-11-03 10:00 | REFUND_PRORATED | 50000
        """
      ).with("token\nTOKEN-1"))
    try night.deliveries(
      """
      transaction_id | original_transaction_id | web_order_line_item_id | product_id | environment
      2              | 1                       | 21                     | plus.month | Production
      """.with(
        """
        occurred_at      | account_id | device_id | server | region | app_version | revision
        2026-11-02 10:05 | PERSON-1   | PHONE-1   | east-1 | east   | 1.0         | 1
        """
      ).with("status | error   | bytes\nfailed | no room | 0"))
    try night.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state    | environment | app_version
      2              | 1                       | plus.month | restored | Production  | 1.0
      """.with(
        """
        transaction_date | account_id | device_id
        2026-11-02 10:00 | PERSON-1   | PHONE-1
        """))
    try night.clientLog(
      """
      product_id | reported_at      | app_version | account_id | device_id
      book.nope  | 2026-11-02 10:00 | 1.0         | PERSON-1   | PHONE-1
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | device_id
      4              | book.emma  | 2026-11-02 10:00 | PHONE-1
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for table in NamedTable.all {
      let rows = try Self.rows(of: table, in: night)
      for column in table.columns where column.kind != .hash && column.kind != .age {
        #expect(
          rows.contains(where: { $0[column.name] != nil }), "\(table.kind): \(column.name)")
      }
    }
  }

  private static let names = """
    select distinct name
    from (
        select unnest(array[account_id, device_id, account_token]) as name from evidence
        union all
        select unnest(array[account_id, device_id]) from delivery_record
        union all
        select unnest(array[account_id, device_id]) from client_transaction
        union all
        select unnest(array[account_id, device_id]) from client_invalid_product
    ) as named
    where name is not null
    """

  /// The values of all rows with names; each must give the hash that the row has.
  private static func rows(
    of table: NamedTable, in night: TestNight
  ) throws -> [[String: String]] {
    let database = try night.database.connect()
    try database.run("set search_path = tieout", step: "test")
    let names = try database.run(Self.names, step: "test").records.map { $0["name"] }
    let rows = try database.run(table.rows, [PostgreSQLArray.text(names)]).records.map(\.values)
    for row in rows {
      let stored = row["content_hash"]
      #expect(stored == table.hash(of: row), "\(table.kind): \(row)")
    }
    return rows
  }
}

extension String {
  /// This drawn table with the columns of another one beside it.
  fileprivate func with(_ other: String) -> String {
    zip(split(separator: "\n"), other.split(separator: "\n")).map { "\($0) | \($1)" }
      .joined(separator: "\n")
  }
}
