import Configuration
import ReconciliationTestSupport
import Testing

@Suite("Each transaction has one disposition")
struct DispositionTests {
  /// Several dispositions would fit each row; the first of them counts.
  private static let transactions = """
    transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | family_shared | trial | price | currency | environment
    1              | 1                       | book       | 2026-11-01 10:00 |                        | yes           | yes   |       |          | Sandbox
    2              | 2                       | book       | 2026-11-01 10:00 |                        | yes           | yes   |       |          |
    3              | 2                       | book       | 2026-11-02 10:00 |                        | yes           |       |       |          |
    4              | 4                       | book       | 2026-11-01 10:00 |                        |               |       |       |          |
    5              | 4                       | book       | 2026-11-02 10:00 |                        |               | yes   | 0     | USD      |
    7              | 6                       | book       | 2026-11-02 10:00 |                        |               |       |       |          |
    8              | 8                       | book       | 2026-11-02 10:00 |                        |               |       | 0.00  | USD      |
    9              | 9                       | book       | 2026-11-02 10:00 |                        |               |       | 0.01  | USD      |
    10             | 10                      | news       | 2026-11-01 10:00 | 100                    |               | yes   |       |          |
    11             | 10                      | news       | 2026-11-08 10:00 | 101                    |               |       |       |          |
    12             | 10                      | news       | 2026-11-08 10:00 | 101                    |               |       |       |          |
    13             | 10                      | news       | 2026-11-15 10:00 | 102                    |               | yes   |       |          |
    14             | 14                      | news       | 2026-11-15 10:00 | 140                    |               |       |       |          |
    15             | 15                      | news       | 2026-11-20 03:00:01 | 150                 |               |       |       |          |
    """

  @Test("each transaction has the first disposition that fits, and the total is all transactions")
  func dispositions() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type
      news       | auto_renewable
      """)
    try night.transactions(Self.transactions)
    try night.run(asOf: "2026-11-20 03:00")
    let totals = try night.table("control_totals.csv").rows(where: "section", is: "disposition")
    #expect(
      totals.columns(["measure", "value"]).text
        == DrawnTable(
          """
          measure           | value
          other_environment | 1
          family_shared     | 2
          restored          | 3
          free              | 3
          renewal           | 1
          purchase          | 3
          total             | 13
          """
        ).text)
  }

  @Test("a configured environment's transactions count like any other")
  func environments() throws {
    let night = try TestNight()
    night.settings.environments = ["Sandbox"]
    try night.transactions(Self.transactions)
    try night.run(asOf: "2026-11-20 03:00")
    let totals = try night.table("control_totals.csv").rows(where: "section", is: "disposition")
    #expect(totals.rows(where: "measure", is: "other_environment").records.first?["value"] == "12")
    #expect(totals.rows(where: "measure", is: "family_shared").records.first?["value"] == "1")
    #expect(totals.rows(where: "measure", is: "total").records.first?["value"] == "13")
  }
}
