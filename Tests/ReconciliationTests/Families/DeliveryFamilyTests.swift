import ReconciliationTestSupport
import Testing

@Suite("The family of a delivery")
struct DeliveryFamilyTests {
  private static let families = """
    select delivery_id, environment, family_key from attempt order by delivery_id
    """

  @Test(
    "the family follows from the transaction, else the line item, else the original and product")
  func ways() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type
      news       | auto_renewable
      book       | non_consumable
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      1              | 1                       | book       | 2026-11-01 10:00 |
      2              | 1                       | book       | 2026-11-02 10:00 |
      4              | 3                       | book       | 2026-11-02 10:00 |
      10             | 10                      | news       | 2026-11-01 10:00 | 100
      11             | 10                      | news       | 2026-11-08 10:00 | 101
      12             | 10                      | news       | 2026-11-15 10:00 | 102
      """)
    try night.deliveries(
      """
      delivery_id     | transaction_id | product_id | occurred_at         | original_transaction_id | web_order_line_item_id
      a.member        | 2              | comic      | 2026-11-03 10:00    | 10                      | 100
      b.line.item     | 77             | news       | 2026-11-03 10:00    | 1                       | 102
      c.original      | 77             | book       | 2026-11-03 10:00    | 1                       | 999
      d.is.original   | 3              | book       | 2026-11-03 10:00    |                         |
      e.other.product | 77             | comic      | 2026-11-03 10:00    | 1                       |
      f.latest        | 77             | news       | 2026-11-08 10:00:00 | 10                      |
      g.one.earlier   | 77             | news       | 2026-11-08 09:59:59 | 10                      |
      h.too.early     | 77             | news       | 2026-11-01 09:59:59 | 10                      |
      i.book.early    | 77             | book       | 2026-11-01 09:59:59 | 1                       |
      j.nobody        | 77             | book       | 2026-11-03 10:00    |                         |
      """)
    try night.put(
      """
      {"delivery_id": "k.sandbox", "transaction_id": "2", "product_id": "book", "status": "delivered", \
      "occurred_at": "2026-11-04T10:00:00Z", "environment": "Sandbox"}

      """, at: "deliveries/sandbox.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: Self.families,
      gives: """
        delivery_id     | environment | family_key
        a.member        | Production  | o 1 book
        b.line.item     | Production  | w 102
        c.original      | Production  | o 1 book
        d.is.original   | Production  | o 3 book
        e.other.product | Production  |
        f.latest        | Production  | w 101
        g.one.earlier   | Production  | w 100
        h.too.early     | Production  |
        i.book.early    | Production  | o 1 book
        j.nobody        | Production  |
        k.sandbox       | Sandbox     |
        """)
  }

  @Test("a delivery without an environment is in Sandbox if only a Sandbox transaction has its id")
  func environment() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | book       | 2026-11-01 10:00 | Sandbox
      2              | book       | 2026-11-01 10:00 | Sandbox
      2              | book       | 2026-11-01 10:00 | Production
      3              | book       | 2026-11-01 10:00 | Production
      5              | book       | 2026-11-01 10:00 | Xcode
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | environment
      a           | 1              | book       | 2026-11-02 10:00 |
      b           | 2              | book       | 2026-11-02 10:00 |
      c           | 3              | book       | 2026-11-02 10:00 |
      d           | 4              | book       | 2026-11-02 10:00 |
      e           | 5              | book       | 2026-11-02 10:00 |
      f           | 1              | book       | 2026-11-02 10:00 | Production
      g           | 3              | book       | 2026-11-02 10:00 | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: Self.families,
      gives: """
        delivery_id | environment | family_key
        a           | Sandbox     | o 1 book
        b           | Production  | o 2 book
        c           | Production  | o 3 book
        d           | Production  |
        e           | Production  |
        f           | Production  |
        g           | Sandbox     |
        """)
  }

  @Test("of several records of an attempt, the latest record by as-of counts")
  func toldOften() throws {
    let night = try TestNight()
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at         | status    | error
      a           | 1              | book       | 2026-11-02 10:00:00 | delivered |
      a           | 1              | book       | 2026-11-02 10:00:01 | failed    | later
      b           | 1              | book       | 2026-11-02 10:00:00 | pending   |
      b           | 1              | book       | 2026-11-02 10:00:00 | failed    | full
      c           | 1              | book       | 2026-11-02 10:00:00 | failed    | full
      c           | 1              | book       | 2026-11-02 10:00:00 | delivered |
      d           | 1              | book       | 2026-11-19 10:00:00 | pending   |
      d           | 1              | book       | 2026-11-20 03:00:00 | failed    | at as-of
      d           | 1              | book       | 2026-11-20 03:00:01 | delivered |
      e           | 10             | book       | 2026-11-02 10:00:00 | failed    | b
      e           | 9              | comic      | 2026-11-02 10:00:00 | failed    | c
      f           | 9              | comic      | 2026-11-02 10:00:00 | failed    | c
      f           | 9              | book       | 2026-11-02 10:00:00 | failed    | d
      g           | 9              | book       | 2026-11-20 03:00:01 | failed    | d
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query:
        "select delivery_id, transaction_id, product_id, status, error from attempt order by 1",
      gives: """
        delivery_id | transaction_id | product_id | status    | error
        a           | 1              | book       | failed    | later
        b           | 1              | book       | failed    | full
        c           | 1              | book       | delivered |
        d           | 1              | book       | failed    | at as-of
        e           | 9              | comic      | failed    | c
        f           | 9              | book       | failed    | d
        """)
  }
}
