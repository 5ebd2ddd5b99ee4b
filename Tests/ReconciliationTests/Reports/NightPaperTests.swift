import ReconciliationTestSupport
import Testing

@Suite("The night papers")
struct NightPaperTests {
  private static func night() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue("product_id\nbook\ncomic")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | told_at
      1              | book       | 2026-11-10 10:00 | 2026-11-11 10:00
      2              | book       | 2026-11-10 10:00 | 2026-11-11 10:00
      1              | book       | 2026-11-10 10:00 | 2026-11-12 10:00
      """)
    try night.put(
      """
      {"status": 21003}
      {"status": 21007}
      no\treceipt
      {"status": 0, "receipt": {"in_app": [{"transaction_id":"3","product_id":"book"}]}}

      """, at: "receipts/support/odd.ndjson")
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      D1,1,book,delivered,2026-11-10T10:01:00Z
      D2,2,book,done,2026-11-10T10:01:00Z

      """, at: "deliveries/log.csv")
    return night
  }

  @Test(
    "control_totals.csv: records read in all runs of the day are new, known already or rejected")
  func controlTotals() throws {
    let night = try Self.night()
    night.judgesInBulk = false
    try night.put(
      """
      transaction_id,product_id,state,transaction_date
      1,book,purchased,2026-11-10T10:00:00Z
      1,book,purchased,2026-11-10T10:00:00Z
      1,book,bought,2026-11-10T10:00:00Z

      """, at: "client/queue.csv")
    try night.run(asOf: "2026-11-20 03:00")
    // The same bytes under another name, and one transaction that is known already.
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      D1,1,book,delivered,2026-11-10T10:01:00Z
      D2,2,book,done,2026-11-10T10:01:00Z

      """, at: "deliveries/copy.csv")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | told_at
      1              | book       | 2026-11-10 10:00 | 2026-11-13 10:00
      """)
    try night.put(
      """
      {"product_id":"book","reported_at":"2026-11-10T10:00:00Z"}
      {"transaction_id":"1","product_id":"book","state":"purchased","transaction_date":"2026-11-10T10:00:00Z"}

      """, at: "client/more.ndjson")
    try night.run(asOf: "2026-11-20 23:59:59")
    try night.expect(
      report: "control_totals.csv",
      shows: """
        section           | measure                       | value
        disposition       | other_environment             | 0
        disposition       | family_shared                 | 0
        disposition       | restored                      | 0
        disposition       | free                          | 0
        disposition       | renewal                       | 0
        disposition       | purchase                      | 2
        disposition       | total                         | 2
        files             | read                          | 8
        files             | new                           | 7
        files             | already_known                 | 1
        files             | rejected                      | 0
        documents         | read                          | 8
        documents         | new                           | 6
        documents         | already_known                 | 0
        documents         | rejected                      | 2
        transactions      | read                          | 5
        transactions      | new                           | 2
        transactions      | already_known                 | 2
        transactions      | rejected                      | 1
        deliveries        | read                          | 2
        deliveries        | new                           | 1
        deliveries        | already_known                 | 0
        deliveries        | rejected                      | 1
        catalogue_entries | read                          | 2
        catalogue_entries | new                           | 2
        catalogue_entries | already_known                 | 0
        catalogue_entries | rejected                      | 0
        client_records    | read                          | 5
        client_records    | new                           | 2
        client_records    | already_known                 | 2
        client_records    | rejected                      | 1
        apple_rows        | read                          | 0
        apple_rows        | new                           | 0
        apple_rows        | already_known                 | 0
        apple_rows        | rejected                      | 0
        books             | purchases_before_books_begin  | 2
        books             | deliveries_before_books_begin | 0
        known_as          | signed                        | 0
        known_as          | apple_response                | 2
        known_as          | claimed                       | 0
        acknowledgements  | read                          | 0
        acknowledgements  | new                           | 0
        acknowledgements  | already_known                 | 0
        acknowledgements  | rejected                      | 0
        obligation        | due                           | 0
        obligation        | delivered                     | 0
        obligation        | missing                       | 0
        obligation        | uncertain                     | 0
        obligation        | before_books                  | 2
        obligation        | not_due                       | 0
        obligation        | refunded                      | 0
        obligation        | not_listed                    | 0
        obligation        | other_delivery                | 0
        obligation        | on_demand                     | 0
        units             | without_amount                | 2
        unread            | files                         | 0
        unread            | records                       | 5
        judged            | matched                       | 0
        judged            | by_rules                      | 0
        judged            | sampled_chains                | 0
        """)
    try night.run(asOf: "2026-11-21 03:00")
    let next = try night.table("control_totals.csv").rows(where: "measure", is: "read")
    #expect(next.rows.allSatisfy { $0[2] == "0" })
    #expect(
      try night.table("control_totals.csv").rows(where: "section", is: "disposition").rows[6][2]
        == "2")
  }

  @Test("rejected_records.csv has each record that could not be used, from all runs of the day")
  func rejectedRecords() throws {
    let night = try Self.night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.put("{\"status\": 21004}\n", at: "receipts/more.ndjson")
    try night.run(asOf: "2026-11-20 12:00")
    try night.expect(
      report: "rejected_records.csv",
      shows: """
        file                        | line | kind        | reason         | excerpt
        deliveries/log.csv          | 3    | delivery    | bad_status     | D2,2,book,done,2026-11-10T10:01:00Z
        receipts/more.ndjson        | 1    | receipt     | status_21004   | {"status": 21004}
        receipts/support/odd.ndjson | 1    | receipt     | status_21003   | {"status": 21003}
        receipts/support/odd.ndjson | 3    | receipt     | malformed_json | no␉receipt
        receipts/support/odd.ndjson | 4    | transaction | missing_field  | {"transaction_id":"3","product_id":"book"}
        """)
    #expect(
      try night.table("rejected_records.csv").columns(["detail"]).rows.allSatisfy { $0[0] != "" })
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(report: "rejected_records.csv", shows: "file | line")
  }

  @Test("an excerpt has at most 200 characters, and a rejected file has no line")
  func excerpts() throws {
    let night = try TestNight()
    try night.put(String(repeating: "ü", count: 300) + "\n", at: "receipts/long.ndjson")
    try night.put("", at: "receipts/empty.ndjson")
    try night.put("no gzip", at: "receipts/plain.gz")
    try night.run(asOf: "2026-11-20 03:00")
    let rejected = try night.table("rejected_records.csv")
    let long = try #require(rejected.rows(where: "file", is: "receipts/long.ndjson").records.first)
    #expect((long["excerpt"] ?? "").count <= 200)
    let plain = try #require(rejected.rows(where: "file", is: "receipts/plain.gz").records.first)
    #expect(plain["kind"] == "file" && plain["reason"] == "not_gzip" && plain["line"] == nil)
  }
}
