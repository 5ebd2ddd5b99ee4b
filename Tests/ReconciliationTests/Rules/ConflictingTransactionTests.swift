import ReconciliationTestSupport
import Testing

@Suite("conflicting_transaction")
struct ConflictingTransactionTests {
  @Test("evidence that differs in product, original transaction or quantity is found")
  func differs() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | quantity | purchased_at     | told_at          | price | currency
      1              | 1                       | book       | 1        | 2026-11-01 10:00 | 2026-11-02 10:00 | 0.99  | USD
      1              | 1                       | comic      | 1        | 2026-11-01 10:00 | 2026-11-03 10:00 | 0.99  | USD
      3              | 10                      | book       | 1        | 2026-11-01 10:00 | 2026-11-02 10:00 | 0.99  | USD
      3              | 9                       | book       | 1        | 2026-11-01 10:00 | 2026-11-03 10:00 | 0.99  | USD
      4              | 4                       | book       | 2        | 2026-11-01 10:00 | 2026-11-02 10:00 | 0.99  | USD
      4              | 4                       | book       | 3        | 2026-11-01 10:00 | 2026-11-03 10:00 | 0.99  | USD
      5              | 5                       | book       | 1        | 2026-11-01 10:00 | 2026-11-02 10:00 | 0.99  | USD
      5              | 5                       | book       | 1        | 2026-11-09 10:00 | 2026-11-03 10:00 | 1.99  | EUR
      6              | 6                       | book       |          | 2026-11-01 10:00 | 2026-11-02 10:00 | 0.99  | USD
      6              | 6                       | book       | 2        | 2026-11-01 10:00 | 2026-11-03 10:00 | 0.99  | USD
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "conflicting_transaction",
      finds: """
        level | subject | reason | detail
        error | 1       |        | product_id: book or comic
        error | 3       |        | original_transaction_id: 9 or 10
        error | 4       |        | quantity: 2 or 3
        """)
  }

  @Test("a missing original is not a conflict; without any, a transaction is its own original")
  func missingOriginal() throws {
    let night = try TestNight()
    let date = "2026-11-01 10:00:00 Etc/GMT"
    func receipt(_ members: String) -> String {
      let entry = #"{"product_id":"book","purchase_date":"\#(date)",\#(members)}"#
      return #"{"status":0,"receipt":{"in_app":[\#(entry)]}}"# + "\n"
    }
    try night.put(
      receipt(#""transaction_id":"2""#)
        + receipt(#""transaction_id":"2","original_transaction_id":"1""#)
        + receipt(#""transaction_id":"3""#), at: "receipts/some.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("conflicting_transaction", finds: "subject")
    try night.expect(
      query: "select transaction_id, original_transaction_id from store_transaction order by 1",
      gives: """
        transaction_id | original_transaction_id
        2              | 1
        3              | 3
        """)
  }

  @Test("the same id in another environment is another transaction")
  func environments() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | book       | 2026-11-01 10:00 | Production
      1              | comic      | 2026-11-01 10:00 | Sandbox
      2              | book       | 2026-11-01 10:00 | Sandbox
      2              | comic      | 2026-11-01 10:00 | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("conflicting_transaction", finds: "subject")
  }

  @Test("evidence counts whenever it was received; purchases after as-of do not count")
  func asOf() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at        | told_at
      1              | book       | 2026-11-20 03:00:00 | 2026-11-20 03:00
      1              | comic      | 2026-11-20 03:00:00 | 2026-11-25 03:00
      2              | book       | 2026-11-20 03:00:01 | 2026-11-20 03:00
      2              | comic      | 2026-11-20 03:00:01 | 2026-11-25 03:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("conflicting_transaction", finds: "subject\n1")
  }
}
