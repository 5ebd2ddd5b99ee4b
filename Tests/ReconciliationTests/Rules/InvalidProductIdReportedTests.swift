import ReconciliationTestSupport
import Testing

@Suite("invalid_product_id: reported_by_app")
struct InvalidProductIdReportedTests {
  @Test("an identifier that an app reports as invalid is found, even if the catalogue lists it")
  func reported() throws {
    let night = try TestNight()
    try night.catalogue("product_id\ncom.example.book\ncom.example.coins")
    try night.clientLog(
      """
      product_id        | reported_at         | app_version | account_id | device_id
      com.example.book  | 2026-11-18 10:00:00 | 2.1         | u1         | d1
      com.example.book  | 2026-11-19 10:00:00 | 2.0         | u2         | d1
      com.example.book  | 2026-11-17 10:00:00 |             |            |
      com.example.coin  | 2026-11-20 03:00:00 | 2.1         |            |
      nothing.like.it   | 2026-11-18 10:00:00 |             | u1         | d1
      com.example.later | 2026-11-20 03:00:01 | 2.1         |            |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "invalid_product_ids.csv",
      shows: """
        product_id       | reason          | closest_product_id | transactions | deliveries | accounts | first_seen_at        | last_seen_at         | sample_transaction_id
        com.example.book | reported_by_app |                    | 0            | 0          | 2        | 2026-11-17T10:00:00Z | 2026-11-19T10:00:00Z |
        com.example.coin | reported_by_app | com.example.coins  | 0            | 0          | 0        | 2026-11-20T03:00:00Z | 2026-11-20T03:00:00Z |
        nothing.like.it  | reported_by_app |                    | 0            | 0          | 1        | 2026-11-18T10:00:00Z | 2026-11-18T10:00:00Z |
        """)
    try night.expect(
      "invalid_product_id",
      finds: """
        level | subject                          | detail
        error | com.example.book reported_by_app | reports: 3, devices: 1, app versions: 2.0, 2.1
        error | com.example.coin reported_by_app | reports: 1, devices: 0, app versions: 2.1
        error | nothing.like.it reported_by_app  | reports: 1, devices: 1, app versions: unknown
        """)
  }

  @Test("reported_by_app is not used if another reason applies to the identifier")
  func otherReasons() throws {
    let night = try TestNight()
    try night.catalogue("product_id | valid_to\ngone | 2026-11-01 00:00\nbook |")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | gone       | 2026-11-18 10:00 | Production
      2              | book       | 2026-11-18 10:00 | Production
      3              | lost       | 2026-11-18 10:00 | Sandbox
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      8              | sent       | 2026-11-18 10:01
      """)
    try night.clientLog(
      """
      product_id | reported_at
      gone       | 2026-11-18 10:00
      book       | 2026-11-18 10:00
      lost       | 2026-11-18 10:00
      sent       | 2026-11-18 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "invalid_product_ids.csv",
      shows: """
        product_id | reason          | transactions | deliveries
        book       | reported_by_app | 0            | 0
        gone       | expired         | 1            | 0
        lost       | reported_by_app | 0            | 0
        sent       | unknown         | 0            | 1
        """)
  }

  @Test("without a catalogue nothing is found")
  func noCatalogue() throws {
    let night = try TestNight()
    try night.clientLog("product_id | reported_at\nbook | 2026-11-18 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("invalid_product_id", finds: "subject")
    #expect(try night.table("invalid_product_ids.csv").rows.isEmpty)
  }

  @Test("the finding names only the first five of many app versions")
  func versions() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    let rows = (1...6).map { "lost | 2026-11-18 10:00 | 1.\($0)\n" }.joined()
    try night.clientLog("product_id | reported_at | app_version\n" + rows)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "invalid_product_id",
      finds: """
        detail
        reports: 6, devices: 0, app versions: 1.1, 1.2, 1.3, 1.4, 1.5 and more
        """)
  }
}
