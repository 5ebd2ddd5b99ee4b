import ReconciliationTestSupport
import Testing

@Suite("conflicting_catalogue")
struct ConflictingCatalogueTests {
  @Test("the value that applies is named first, and each value once")
  func order() throws {
    let night = try TestNight()
    for (number, price) in ["10.00", "9.99", "9.990"].enumerated() {
      try night.put(
        """
        {"version":2,"products":[{"product_id":"book","prices":[{"currency":"USD","price":"\(price)"}]}]}
        """, at: "catalog/\(number).json")
    }
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "conflicting_catalogue",
      finds: """
        subject | detail
        book    | price USD: 9.99 or 10.00
        """)
  }

  @Test("two different values for one member are found, for each member")
  func members() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type           | delivery  | delivery_per | grace_hours | valid_from       | valid_to
      a.type     | consumable     |           |              |             |                  |
      b.delivery |                | server    |              |             |                  |
      c.per      |                |           | purchase     |             |                  |
      d.grace    |                |           |              | 24          |                  |
      e.from     |                |           |              |             | 2026-11-01 00:00 |
      f.to       |                |           |              |             |                  | 2026-12-01 00:00
      g.same     | consumable     | server    | purchase     | 24          | 2026-11-01 00:00 | 2026-12-01 00:00
      h.adds     | consumable     |           |              |             |                  |
      """)
    try night.catalogue(
      """
      product_id | type           | delivery  | delivery_per | grace_hours | valid_from       | valid_to
      a.type     | non_consumable |           |              |             |                  |
      b.delivery |                | on_demand |              |             |                  |
      c.per      |                |           | period       |             |                  |
      d.grace    |                |           |              | 9           |                  |
      e.from     |                |           |              |             | 2026-11-01 00:00:01 |
      f.to       |                |           |              |             |                  | 2026-12-02 00:00
      g.same     | consumable     | server    | purchase     | 24          | 2026-11-01 00:00 | 2026-12-01 00:00
      h.adds     |                | on_demand |              |             |                  |
      """)
    try night.put(#"["a.type", "h.adds", "i.plain"]"#, at: "catalog/list.json")
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "conflicting_catalogue",
      finds: """
        level   | subject    | reason
        warning | a.type     |
        warning | b.delivery |
        warning | c.per      |
        warning | d.grace    |
        warning | e.from     |
        warning | f.to       |
        """)
    // The first value in sort order is used; numbers and instants are sorted by value.
    try night.expect(
      query: """
        select product_id, type, delivery, delivery_per, extract(hour from grace) as grace,
            csv_instant(valid_from) as valid_from, csv_instant(valid_to) as valid_to
        from product where product_id < 'g' order by 1
        """,
      gives: """
        product_id | type       | delivery  | delivery_per | grace | valid_from           | valid_to
        a.type     | consumable | server    | purchase     |       |                      |
        b.delivery |            | on_demand | purchase     |       |                      |
        c.per      |            | server    | period       |       |                      |
        d.grace    |            | server    | purchase     | 9     |                      |
        e.from     |            | server    | purchase     |       | 2026-11-01T00:00:00Z |
        f.to       |            | server    | purchase     |       |                      | 2026-12-01T00:00:00Z
        """)
  }

  @Test("two prices for one currency, storefront and start are found")
  func prices() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | prices
      a.plain    | USD 1.99
      b.front    | USD 1.99 USA
      c.from     | USD 1.99 USA 2026-11-01 00:00
      d.writing  | USD 1.9
      e.currency | USD 1.99
      f.other    | USD 1.99 USA
      g.later    | USD 1.99 USA 2026-11-01 00:00
      h.begun    | USD 1.99 USA
      """)
    try night.catalogue(
      """
      product_id | prices
      a.plain    | USD 2.99
      b.front    | USD 2.99 USA
      c.from     | USD 2.99 USA 2026-11-01 00:00
      d.writing  | USD 1.90
      e.currency | EUR 2.99
      f.other    | USD 2.99 CAN
      g.later    | USD 2.99 USA 2026-11-01 00:00:01
      h.begun    | USD 2.99 USA 2026-11-01 00:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "conflicting_catalogue",
      finds: """
        level   | subject | reason
        warning | a.plain |
        warning | b.front |
        warning | c.from  |
        """)
  }

  @Test("one instant in two notations does not conflict; two prices in one file do")
  func writings() throws {
    let night = try TestNight()
    try night.put(
      """
      {"version": 2, "products": [
        {"product_id": "zone", "valid_from": "2026-11-01T00:00:00Z"},
        {"product_id": "zone", "valid_from": "2026-11-01T01:00:00+01:00"},
        {"product_id": "twice", "prices": [
          {"currency": "USD", "price": "10.00"}, {"currency": "USD", "price": "9.00"}]},
        {"product_id": "hours", "grace_hours": 24},
        {"product_id": "hours", "grace_hours": 24}
      ]}
      """, at: "catalog/one.json")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | twice      | 2026-11-02 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("conflicting_catalogue", finds: "subject\ntwice")
    try night.expect(report: "revenue.csv", shows: "product_id | gross\ntwice | 9.00")
  }

  @Test("app and store lists can conflict in types and prices, but not by listing the same product")
  func sources() throws {
    let night = try TestNight()
    try night.put(#"["same", "other.type", "other.price"]"#, at: "catalog/app.json")
    try night.put(
      """
      {"products": [
        {"productID": "same", "type": "Consumable", "displayPrice": "1.99"},
        {"productID": "other.type", "type": "Consumable"},
        {"productID": "other.price", "type": "Consumable", "displayPrice": "2.99"}
      ], "subscriptionGroups": [], "nonRenewingSubscriptions": [],
      "settings": {"_lastSynchronizedDate": 743722291.47, "_storefront": "USA"}, "version": {"major": 3, "minor": 0}}
      """, at: "catalog/store.storekit")
    try night.catalogue(
      """
      product_id  | type           | prices
      same        | consumable     | USD 1.990 USA, EUR 2.99 DEU
      other.type  | non_consumable |
      other.price | consumable     | USD 1.99 USA
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("conflicting_catalogue", finds: "subject\nother.price\nother.type")
    try night.expect("catalogue_disagreement", finds: "subject")
  }
}
