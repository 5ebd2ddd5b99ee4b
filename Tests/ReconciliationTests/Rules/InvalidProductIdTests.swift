import Configuration
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("invalid_product_id")
struct InvalidProductIdTests {
  @Test("an identifier that the catalogue lacks is found once for transactions and deliveries")
  func unknown() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id
      com.example.issue1
      """)
    try night.transactions(
      """
      transaction_id | product_id         | purchased_at
      1              | com.example.issue1 | 2026-11-18 10:00
      2              | com.example.isue1  | 2026-11-18 10:00
      3              | com.example.isue1  | 2026-11-18 11:00
      4              | com.example.Issue1 | 2026-11-18 11:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id         | occurred_at      | status
      2              | com.example.isue1  | 2026-11-18 10:01 | delivered
      8              | com.example.issue9 | 2026-11-18 10:01 | pending
      1              | com.example.issue1 | 2026-11-18 10:01 | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "invalid_product_id",
      finds: """
        level | subject                    | reason
        error | com.example.Issue1 unknown | unknown
        error | com.example.issue9 unknown | unknown
        error | com.example.isue1 unknown  | unknown
        """)
  }

  @Test("a product is valid from valid_from on, and not valid at valid_to")
  func bounds() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | valid_from       | valid_to
      early      | 2026-11-01 00:00 |
      begun      | 2026-11-01 00:00 |
      last       |                  | 2026-11-10 00:00
      ended      |                  | 2026-11-10 00:00
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | early      | 2026-10-31 23:59:59
      2              | begun      | 2026-11-01 00:00:00
      3              | last       | 2026-11-09 23:59:59
      4              | ended      | 2026-11-10 00:00:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "invalid_product_id",
      finds: """
        level | subject             | reason
        error | early not_yet_valid | not_yet_valid
        error | ended expired       | expired
        """)
  }

  @Test("a product that is off sale can be restored and renewed if it was bought in time")
  func restoredOffSale() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type           | valid_to
      in.time    | non_consumable | 2026-11-10 00:00
      too.late   | non_consumable | 2026-11-10 00:00
      renewed    | auto_renewable | 2026-11-10 00:00
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | original_purchased_at
      2              | 1                       | in.time    | 2026-11-15 10:00 | 2026-11-09 23:59:59
      4              | 3                       | too.late   | 2026-11-15 10:00 | 2026-11-10 00:00:00
      6              | 5                       | renewed    | 2026-11-15 10:00 | 2026-11-08 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "invalid_product_id",
      finds: """
        subject          | reason
        too.late expired | expired
        """)
  }

  @Test("one identifier can be found once for each reason")
  func reasonsApart() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | valid_from       | valid_to
      comic      | 2026-11-05 00:00 | 2026-11-10 00:00
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | comic      | 2026-11-04 10:00
      2              | comic      | 2026-11-06 10:00
      3              | comic      | 2026-11-12 10:00
      4              | comic      | 2026-11-13 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "invalid_product_ids.csv",
      shows: """
        product_id | reason        | transactions | sample_transaction_id
        comic      | expired       | 2            | 3
        comic      | not_yet_valid | 1            | 1
        """)
  }

  @Test("without a catalogue the rule finds nothing and the summary warns")
  func withoutCatalogue() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | comic      | 2026-11-18 10:00
      """)
    let summary = try night.run(asOf: "2026-11-20 03:00")
    try night.expect("invalid_product_id", finds: "subject")
    #expect(summary.warnings.contains { $0.contains("no catalogue") })

    try night.put(#"["book"]"#, at: "catalog/list.json")
    let next = try night.run(asOf: "2026-11-21 03:00")
    try night.expect("invalid_product_id", finds: "subject\ncomic unknown")
    #expect(!next.warnings.contains { $0.contains("no catalogue") })
  }

  @Test("the closest identifier ignores case, differs in at most a third, and is the first by name")
  func closest() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | valid_to
      aa1112     |
      aa1111     |
      coins.1000 |
      Comic.One  |
      ghijxy     |
      mnoxy      |
      äöx        |
      old.book   | 2026-11-01 00:00
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | aa111      | 2026-11-18 10:00
      2              | COMIC.ONE  | 2026-11-18 10:00
      3              | coins.100  | 2026-11-18 10:00
      4              | ghijkl     | 2026-11-18 10:00
      5              | mnopq      | 2026-11-18 10:00
      6              | old.book   | 2026-11-18 10:00
      7              | äöü        | 2026-11-18 10:00
      8              | äöüß       | 2026-11-18 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    // ghijkl differs in two of six letters, mnopq in two of five; ä is one character of two bytes.
    try night.expect(
      report: "invalid_product_ids.csv",
      shows: """
        product_id | reason  | closest_product_id
        COMIC.ONE  | unknown | Comic.One
        aa111      | unknown | aa1111
        coins.100  | unknown | coins.1000
        ghijkl     | unknown | ghijxy
        mnopq      | unknown |
        old.book   | expired |
        äöü        | unknown | äöx
        äöüß       | unknown |
        """)
  }

  @Test("identifiers in other environments are not found until the environments are configured")
  func otherEnvironment() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | bok        | 2026-11-18 10:00 | Sandbox
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | environment
      2              | boook      | 2026-11-18 10:00 | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("invalid_product_id", finds: "subject")
    night.settings.environments = ["Production", "Sandbox"]
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("invalid_product_id", finds: "subject\nbok unknown\nboook unknown")
  }

  @Test("purchases and deliveries after as-of do not count")
  func asOf() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | sold.then  | 2026-11-20 03:00:00
      2              | sold.later | 2026-11-20 03:00:01
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      8              | sent.then  | 2026-11-20 03:00:00
      9              | sent.later | 2026-11-20 03:00:01
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("invalid_product_id", finds: "subject\nsent.then unknown\nsold.then unknown")
  }
}
