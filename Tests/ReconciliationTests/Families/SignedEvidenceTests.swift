import Configuration
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("Signed evidence")
struct SignedEvidenceTests {
  private static let book = """
    product_id | type
    book       | non_consumable
    """

  @Test("signed evidence is preferred to unsigned evidence, and the disagreement is found")
  func signedBeatsUnsigned() throws {
    let night = try TestNight()
    try night.catalogue("product_id | type\nbook | non_consumable\nbooks | non_consumable")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | quantity | price | currency | told_at
      1              | books      | 2026-11-02 10:00 | 1        | 1.00  | USD      | 2026-11-02 10:00
      2              | book       | 2026-11-02 10:00 | 1        | 1.00  | USD      | 2026-11-02 10:00
      3              | book       | 2026-11-02 10:00 | 1        | 1.00  | USD      | 2026-11-02 10:00
      4              | book       | 2026-11-02 10:00 |          |       |          | 2026-11-02 10:00
      """)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | price | currency | signed_at
      1              | book       | 2026-11-02 10:00 | 1000  | USD      | 2026-11-05 10:00
      2              | book       | 2026-11-02 10:00 | 2500  | USD      | 2026-11-05 10:00
      3              | book       | 2026-11-02 10:00 | 1000  | USD      | 2026-11-05 10:00
      4              | book       | 2026-11-02 10:00 | 990   | EUR      | 2026-11-05 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: "select transaction_id, product_id, price, trust from member order by 1",
      gives: """
        transaction_id | product_id | price | trust
        1              | book       | 1     | signed
        2              | book       | 2.5   | signed
        3              | book       | 1     | signed
        4              | book       | 0.99  | signed
        """)
    try night.expect(
      "conflicting_transaction",
      finds: """
        subject | detail
        1       | product_id: book or books
        2       | price: 1 USD or 2.5 USD
        """)
    try night.expect(
      query: """
        select measure, value from (values ('signed')) as one (measure)
        cross join lateral (select count(*) as value from member where trust = measure) as counted
        """, gives: "measure | value\nsigned | 4")
  }

  @Test(
    "a refund is reversed by a later signed transaction without it or by a reversal notification")
  func refundTakenBack() throws {
    let night = try TestNight()
    try night.catalogue(Self.book)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | revoked_at       | signed_at        | notification
      1              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-03 11:00 |
      1              | book       | 2026-11-01 10:00 |                  | 2026-11-06 10:00 |
      2              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-03 11:00 |
      2              | book       | 2026-11-01 10:00 |                  | 2026-11-03 10:30 |
      3              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-03 11:00 | REFUND
      3              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-06 10:00 | REFUND_REVERSED
      4              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-03 11:00 |
      4              | book       | 2026-11-01 10:00 |                  | 2026-11-06 10:00 |
      4              | book       | 2026-11-01 10:00 | 2026-11-08 10:00 | 2026-11-08 11:00 |
      5              | book       | 2026-11-01 10:00 |                  | 2026-11-02 10:00 |
      5              | book       | 2026-11-01 10:00 |                  | 2026-11-06 10:00 |
      """)
    // A refund from an archive, and an answer without a refund. The answer reverses nothing.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | told_at
      5              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-03 11:00
      6              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-03 11:00
      6              | book       | 2026-11-01 10:00 |                  | 2026-11-09 11:00
      """)
    let query =
      "select transaction_id, csv_instant(refunded_at) as refunded_at from member order by 1"
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: query,
      gives: """
        transaction_id | refunded_at
        1              |
        2              | 2026-11-03T10:00:00Z
        3              |
        4              | 2026-11-08T10:00:00Z
        5              |
        6              | 2026-11-03T10:00:00Z
        """)
  }

  @Test("a copy of the transaction in a notification of a reversed refund does not bring it back")
  func copyOfReversedRefund() throws {
    let night = try TestNight()
    try night.catalogue(Self.book)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | revoked_at       | signed_at        | notification
      1              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-06 10:00 | REFUND_REVERSED
      1              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-06 10:00 |
      2              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-06 10:00 | REFUND_REVERSED
      2              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-06 11:00 |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query:
        "select transaction_id, csv_instant(refunded_at) as refunded_at from member order by 1",
      gives: """
        transaction_id | refunded_at
        1              |
        2              | 2026-11-03T10:00:00Z
        """)
  }

  @Test("a refund still counts as of a day before it was reversed")
  func refundStandsEarlier() throws {
    let night = try TestNight()
    try night.catalogue(Self.book)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | revoked_at       | signed_at
      1              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-03 11:00
      1              | book       | 2026-11-01 10:00 |                  | 2026-11-06 10:00
      """)
    let query = "select transaction_id, csv_instant(refunded_at) as refunded_at from member"
    try night.run(asOf: "2026-11-03 09:59:59")
    try night.expect(query: query, gives: "transaction_id | refunded_at\n1 |")
    try night.run(asOf: "2026-11-06 09:59:59")
    try night.expect(query: query, gives: "transaction_id | refunded_at\n1 | 2026-11-03T10:00:00Z")
    try night.run(asOf: "2026-11-06 10:00")
    try night.expect(query: query, gives: "transaction_id | refunded_at\n1 |")
  }

  @Test("with trust signed, unsigned evidence does not uphold a refund that Apple has reversed")
  func reversalWithTrustInSignedEvidence() throws {
    let night = try TestNight()
    try night.catalogue(Self.book)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | revoked_at       | signed_at
      1              | book       | 2026-11-01 10:00 |                  | 2026-11-01 10:00
      1              | book       | 2026-11-01 10:00 | 2026-11-05 10:00 | 2026-11-06 10:00
      1              | book       | 2026-11-01 10:00 |                  | 2026-11-08 10:00
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | told_at
      1              | book       | 2026-11-01 10:00 | 2026-11-04 10:00 | 2026-11-09 11:00
      """)
    let query = "select transaction_id, csv_instant(refunded_at) as refunded_at from member"
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(query: query, gives: "transaction_id | refunded_at\n1 | 2026-11-04T10:00:00Z")
    night.settings.trust = .signed
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(query: query, gives: "transaction_id | refunded_at\n1 |")
  }

  @Test("a partial refund is exactly that part of the amount")
  func refundInPart() throws {
    let night = try TestNight()
    try night.catalogue(Self.book)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | price | currency | revoked_at       | revocation_type | percentage | signed_at
      1              | book       | 2026-11-01 10:00 | 4990  | USD      | 2026-11-03 10:00 | REFUND_PRORATED | 50000      | 2026-11-03 11:00
      2              | book       | 2026-11-01 10:00 | 9990  | EUR      | 2026-11-03 10:00 | REFUND_PRORATED | 33333      | 2026-11-03 11:00
      3              | book       | 2026-11-01 10:00 | 49000000 | VND   | 2026-11-03 10:00 | REFUND_FULL     | 100000     | 2026-11-03 11:00
      4              | book       | 2026-11-01 10:00 | 5000  | GBP      | 2026-11-03 10:00 | REFUND_PRORATED | 20000      | 2026-11-03 11:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | currency | units_sold | gross    | units_refunded | refunds  | net
        2026-11-01 | EUR      | 1          | 9.99     | 0              | 0.00     | 9.99
        2026-11-01 | GBP      | 1          | 5.00     | 0              | 0.00     | 5.00
        2026-11-01 | USD      | 1          | 4.99     | 0              | 0.00     | 4.99
        2026-11-01 | VND      | 1          | 49000    | 0              | 0        | 49000
        2026-11-03 | EUR      | 0          | 0.00     | 1              | 3.3299667 | -3.3299667
        2026-11-03 | GBP      | 0          | 0.00     | 1              | 1.00     | -1.00
        2026-11-03 | USD      | 0          | 0.00     | 1              | 2.495    | -2.495
        2026-11-03 | VND      | 0          | 0        | 1              | 49000    | -49000
        """)
  }

  @Test("a night of a past day does not know the part of a later refund")
  func partOfLaterRefund() throws {
    let night = try TestNight()
    try night.catalogue(Self.book)
    let header =
      "transaction_id | product_id | purchased_at | price | currency | revoked_at | revocation_type | percentage | signed_at"
    try night.signed(
      header
        + "\n1 | book | 2026-11-01 10:00 | 1100 | USD | 2026-11-03 10:00 | | | 2026-11-03 11:00")
    try night.run(asOf: "2026-11-10 03:00")
    let first = try night.report("revenue.csv", day: "2026-11-10")
    try night.signed(
      header
        + "\n1 | book | 2026-11-01 10:00 | 1100 | USD | 2026-11-15 10:00 | REFUND_PRORATED | 40000 | 2026-11-15 11:00"
    )
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2026-11-10 03:00")
    #expect(try night.report("revenue.csv", day: "2026-11-10") == first)
  }

  @Test("a part that becomes an upgrade leaves no decimal places behind")
  func partBecomesUpgrade() throws {
    let lines = [
      "1 | book | 2026-11-01 10:00 | 1100 | USD | 2026-11-03 10:00 | REFUND_PRORATED | 33333 | | 2026-11-03 11:00",
      "1 | book | 2026-11-01 10:00 | 1100 | USD | 2026-11-03 10:00 | | | yes | 2026-11-04 11:00",
    ]
    let header =
      "transaction_id | product_id | purchased_at | price | currency | revoked_at | revocation_type | percentage | upgraded | signed_at"
    let texts = try [[lines], lines.map { [$0] }].map { nights in
      let night = try TestNight()
      try night.catalogue(Self.book)
      for some in nights {
        try night.signed(([header] + some).joined(separator: "\n"))
        try night.run(asOf: "2026-11-20 03:00")
      }
      return try ["revenue.csv", "months.csv"].map { try night.report($0) }
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0][0].contains("0.00"))
  }

  @Test("app account tokens are compared separately from accounts")
  func tokens() throws {
    let night = try TestNight()
    try night.catalogue(Self.book)
    try night.signed(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | token | account_id | signed_at
      1              | 1                       | book       | 2026-11-01 10:00 | t-1   | t-2        | 2026-11-03 11:00
      2              | 1                       | book       | 2026-11-02 10:00 | t-2   | t-2        | 2026-11-03 11:00
      3              | 3                       | book       | 2026-11-02 10:00 | t-1   | a-1        | 2026-11-03 11:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "shared_purchase",
      finds: """
        subject                 | level | detail
        appAccountToken t-1 t-2 | info  | tokens: 2, families: 1
        """)
  }

  @Test("signed evidence gives the type of a product if the catalogue gives none")
  func types() throws {
    let night = try TestNight()
    try night.catalogue("product_id | type\ntyped | non_consumable\nuntyped |")
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | type                       | signed_at
      1              | typed      | 2026-11-01 10:00 | Consumable                 | 2026-11-03 11:00
      2              | untyped    | 2026-11-01 10:00 | Consumable                 | 2026-11-03 11:00
      3              | untyped    | 2026-11-01 10:00 | Non-Renewing Subscription  | 2026-11-03 11:00
      4              | untyped    | 2026-11-01 10:00 | Something New              | 2026-11-03 11:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: "select transaction_id, product_type from member order by 1",
      gives: """
        transaction_id | product_type
        1              | non_consumable
        2              | consumable
        3              | non_renewing
        4              | non_consumable
        """)
  }

  @Test("with trust: signed only signed evidence counts, until trust is set back")
  func trust() throws {
    let night = try TestNight()
    try night.catalogue("product_id | type\nbook | non_consumable\nbooks | non_consumable")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-01 10:00
      2              | books      | 2026-11-01 10:00
      """)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | signed_at
      2              | book       | 2026-11-02 10:00 | 2026-11-03 11:00
      """)
    let query = """
      select transaction_id, product_id, csv_instant(purchased_at) as purchased_at, trust
      from member order by 1
      """
    let both = """
      transaction_id | product_id | purchased_at         | trust
      1              | book       | 2026-11-01T10:00:00Z | apple_response
      2              | book       | 2026-11-01T10:00:00Z | signed
      """
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(query: query, gives: both)
    night.settings.trust = .signed
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      3              | book       | 2026-11-01 10:00
      """)
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(
      query: query,
      gives: """
        transaction_id | product_id | purchased_at         | trust
        2              | book       | 2026-11-02T10:00:00Z | signed
        """)
    try night.expect("conflicting_transaction", finds: "subject")
    night.settings.trust = .appleResponse
    try night.run(asOf: "2026-11-22 03:00")
    try night.expect(
      query: query,
      gives: both + "\n3              | book       | 2026-11-01T10:00:00Z | apple_response")
    try night.expect("conflicting_transaction", finds: "subject\n2")
  }

  @Test("with another trust since the last night, forgetting an account already merges again")
  func trustBeforeForgetting() throws {
    let night = try TestNight()
    try night.catalogue(Self.book)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-01 10:00 | PERSON-1
      2              | book       | 2026-11-01 10:00 | PERSON-2
      """)
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | signed_at
      2              | book       | 2026-11-02 10:00 | 2026-11-03 11:00
      """)
    let query = "select transaction_id, trust from member order by 1"
    let signed = "transaction_id | trust\n2 | signed"
    try night.run(asOf: "2026-11-20 03:00")
    for (trust, rows) in [
      (Trust.signed, signed),
      (.appleResponse, "transaction_id | trust\n1 | apple_response\n2 | signed"),
    ] {
      night.settings.trust = trust
      try night.forget("PERSON-1")
      try night.expect(query: query, gives: rows)
      try night.run(asOf: "2026-11-20 03:00")
      try night.expect(query: query, gives: rows)
      #expect(try night.recompute().corrections == 0)
    }
  }
}
