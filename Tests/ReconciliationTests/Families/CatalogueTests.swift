import Configuration
import ReconciliationTestSupport
import Testing

@Suite("Defaults for missing values of the catalogue")
struct CatalogueTests {
  @Test("without a type, a transaction with an expiry or a line item is a subscription")
  func types() throws {
    let night = try TestNight()
    try night.put(#"["plain"]"#, at: "catalog/list.json")
    try night.catalogue(
      """
      product_id | type
      season     | non_renewing
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id
      1              | plain      | 2026-11-02 10:00 |                  |
      2              | plain      | 2026-11-02 10:00 | 2026-12-02 10:00 |
      3              | plain      | 2026-11-02 10:00 |                  | 300
      4              | plain      | 2026-11-02 10:00 |                  | 0
      5              | season     | 2026-11-02 10:00 | 2026-12-02 10:00 | 500
      6              | unlisted   | 2026-11-02 10:00 | 2026-12-02 10:00 |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: "select transaction_id, product_type, product_state from member order by 1",
      gives: """
        transaction_id | product_type   | product_state
        1              | non_consumable | valid
        2              | auto_renewable | valid
        3              | auto_renewable | valid
        4              | non_consumable | valid
        5              | non_renewing   | valid
        6              | auto_renewable | unknown
        """)
  }

  @Test(
    "a product of a plain list is delivered by the server, once per purchase, in the default grace")
  func defaults() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.graceHours = 5
    try night.put(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><array><string>plain</string></array></plist>
      """, at: "catalog/list.plist")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      1              | 1                       | plain      | 2026-11-02 10:00 |
      10             | 10                      | plain      | 2026-11-02 10:00 | 100
      11             | 10                      | plain      | 2026-11-09 10:00 | 101
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "missing_deliveries.csv",
      shows: """
        transaction_id | product_id | due_at
        1              | plain      | 2026-11-02T15:00:00Z
        10             | plain      | 2026-11-02T15:00:00Z
        """)
  }

  @Test("later catalogues add to a product, and a product that was listed once stays listed")
  func neverForgotten() throws {
    let night = try TestNight()
    try night.put(#"["old", "kept"]"#, at: "catalog/list.json")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | old        | 2026-11-15 10:00
      2              | kept       | 2026-11-15 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("invalid_product_id", finds: "subject")
    try night.put(#"["kept"]"#, at: "catalog/list.json")
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect("invalid_product_id", finds: "subject")
    try night.catalogue(
      """
      product_id | valid_to
      old        | 2026-11-10 00:00
      """)
    try night.run(asOf: "2026-11-22 03:00")
    try night.expect("invalid_product_id", finds: "subject\nold expired")
  }
}
