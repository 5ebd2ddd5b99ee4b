import Findings
import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Rules
import Testing

/// What a finding is about, as typed fields.
@Suite("The key of a finding")
struct FindingKeyTests {
  @Test("each rule returns the columns of its header; its key consists of fields of finding_key")
  func columns() throws {
    let night = try TestNight()
    try night.run(asOf: "2026-11-20 03:00")
    let database = try night.database.connect()
    try database.run("set search_path = tieout", step: "path")
    let fields = try database.run(
      """
      select attname
      from pg_attribute
      where attrelid = 'finding_key'::regclass
      """, step: "fields"
    ).values.compactMap { $0[0] }
    for rule in Rule.all {
      let header = try ["Gives", "Key"].map { word in
        let line = try #require(
          rule.query.text.split(separator: "\n").first { $0.hasPrefix("-- \(word) ") })
        return line.dropFirst(3 + word.count).split(separator: ",").map {
          String($0.drop { $0 == " " })
        }
      }
      let rows = try database.run(
        "select * from (\n\(rule.query.text)\n) as rule limit 0", step: rule.name)
      #expect(Set(rows.columns) == Set(header[0] + header[1]), "\(rule)")
      #expect(Set(header[1]).isSubset(of: fields), "\(rule)")
      #expect(Set(header[0]).isDisjoint(with: fields), "\(rule)")
    }
  }

  @Test(
    "identifiers with spaces are told apart: `findings --product` lists only those of its product")
  func spaces() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nbook two\ntwo")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      11             | book       | 2026-11-10 10:00
      12             | book two   | 2026-11-10 10:00
      13             | two        | 2026-11-10 10:00
      14             | book three | 2026-11-10 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let database = try night.database.connect()
    try database.run("set search_path = tieout", step: "path")
    let keys = try database.run(
      """
      select
          (key).original_transaction_id, (key).product_id, (key).product_reason,
          subject, subject = finding_subject(key)
      from finding
      where rule <> 'unpriced_product'
      order by rule, subject
      """, step: "keys")
    #expect(
      keys.values == [
        [nil, "book three", "unknown", "book three unknown", "t"],
        ["11", "book", nil, "11 book", "t"],
        ["12", "book two", nil, "12 book two", "t"],
        ["13", "two", nil, "13 two", "t"],
      ])
    for (product, subjects) in [
      ("book", ["11 book"]), ("book two", ["12 book two"]), ("two", ["13 two"]),
      ("book three", ["book three unknown"]), ("three unknown", []),
    ] {
      var filter = FindingList.Filter()
      filter.products = [product]
      filter.rules = ["missing_delivery", "invalid_product_id"]
      let list = try FindingList(database: night.database.connectionString).rows(filter)
      #expect(list.rows.map(\.subject) == subjects, "\(product)")
    }
  }
}
