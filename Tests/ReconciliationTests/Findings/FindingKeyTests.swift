import Configuration
import Findings
import NightRun
import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Rules
import Runs
import Testing

/// What a finding is about, as typed fields.
@Suite("The key of a finding")
struct FindingKeyTests {
  @Test("each rule returns the columns of its header; its key consists of fields of finding_key")
  func columns() throws {
    let night = try TestNight.afterEmptyNight()
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
      let rows = try database.run(
        "select * from (\n\(rule.query.text)\n) as rule limit 0", step: rule.name)
      let columns = try #require(SQLHeader(rule.query).values("Gives"), "\(rule)")
      #expect(Set(rows.columns) == Set(columns + rule.key), "\(rule)")
      #expect(Set(rule.key).isSubset(of: fields), "\(rule)")
      #expect(Set(columns).isDisjoint(with: fields), "\(rule)")
    }
  }

  @Test("each rule reads the relations of its header")
  func reads() throws {
    let night = try TestNight()
    let database = try night.database.connect()
    try database.run("set search_path = tieout", step: "path")
    for rule in Rule.all {
      try database.run(
        "create view declared as \(rule.query.text)", step: rule.name)
      let read = try database.run(
        """
        select distinct read.relname
        from pg_depend
        inner join pg_rewrite on pg_depend.objid = pg_rewrite.oid
        inner join pg_class as read on pg_depend.refobjid = read.oid
        where
            pg_depend.classid = 'pg_rewrite'::regclass
            and pg_depend.refclassid = 'pg_class'::regclass
            and pg_rewrite.ev_class = 'declared'::regclass
            and read.oid <> pg_rewrite.ev_class
            -- A type such as finding_key is a relation, too.
            and read.relkind <> 'c'
        order by read.relname
        """, step: rule.name
      ).values.compactMap { $0[0] }
      try database.run("drop view declared", step: rule.name)
      #expect(read == SQLHeader(rule.query).values("Reads"), "\(rule)")
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

  @Test("two missing deliveries whose subjects read the same have each its own reason")
  func reasonsOfOneSubject() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      "product_id | type | delivery_per\np | auto_renewable | period\np 5 | |\nbook | |")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      2              | 1                       | p          | 2026-11-02 10:00 | 5
      1              | 1                       | p 5        | 2026-11-10 10:00 |
      7              | 7                       | book       | 2026-11-10 09:00 |
      """)
    try night.run(asOf: "2026-11-15 03:00")
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      7              | book       | 2026-11-10 12:00
      """)
    try night.run(asOf: "2026-11-16 03:00")
    #expect(try night.recompute().corrections == 0)
    try night.expect(
      query: "select product_id, subject, reason from carried_missing_delivery order by 1",
      gives: """
        product_id | subject | reason
        p          | 1 p 5   | no_records
        p 5        | 1 p 5   | never_attempted
        """)
  }

  @Test("of two restored families whose subjects read the same, only one is restored too often")
  func restoresOfOneSubject() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.restoresAllowed = 1
    try night.catalogue("product_id | type\np | auto_renewable\np 5 |")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | device_id
      2              | 1                       | p          | 2026-11-02 10:00 | 5                      |
      3              | 1                       | p          | 2026-11-03 10:00 | 5                      |
      4              | 1                       | p          | 2026-11-04 10:00 | 5                      |
      1              | 1                       | p 5        | 2026-11-10 10:00 |                        | D1
      11             | 1                       | p 5        | 2026-11-11 10:00 |                        | D1
      12             | 1                       | p 5        | 2026-11-12 10:00 |                        | D2
      """)
    try night.run(asOf: "2026-11-15 03:00")
    try night.expect(
      query: "select product_id, subject, is_surplus from restored_family order by 1",
      gives: """
        product_id | subject | is_surplus
        p          | 1 p 5   | t
        p 5        | 1 p 5   | f
        """)
    try night.expect(
      report: "duplicate_restores.csv", shows: "product_id | restored_transactions\np | 2")
  }
}
