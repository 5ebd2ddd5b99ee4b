import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("The closest listed identifier over several nights")
struct ClosestIdentifierTests {
  private static func closest(_ night: TestNight) throws -> String {
    try night.table("invalid_product_ids.csv").columns(["product_id", "closest_product_id"]).text
  }

  private static func sell(_ product: String, on night: TestNight) throws {
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      \(product.utf8.reduce(1) { ($0 * 31 + Int($1)) % 1_000_007 }) | \(product) | 2026-11-18 10:00
      """)
  }

  @Test("the closest identifier follows later catalogues and withdrawn files")
  func follows() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook.emmaline")
    try Self.sell("book.emmalin", on: night)
    try Self.sell("quite.another", on: night)
    try night.run(asOf: "2026-11-20 03:00")
    let first = """
      product_id    | closest_product_id
      book.emmalin  | book.emmaline
      quite.another |
      """
    #expect(try Self.closest(night) == first)
    try night.put("[\"book.Emmalin\",\"book.emmalim\"]", at: "catalog/later.json")
    try Self.sell("book.emmalime", on: night)
    try night.run(asOf: "2026-11-21 03:00")
    let second = """
      product_id    | closest_product_id
      book.emmalime | book.emmalim
      book.emmalin  | book.Emmalin
      quite.another |
      """
    #expect(try Self.closest(night) == second)
    // A night for a past day changes nothing that later nights find.
    try night.run(asOf: "2026-11-20 04:00")
    try night.run(asOf: "2026-11-22 03:00")
    #expect(try Self.closest(night) == second)
    try night.withdraw("catalog/later.json")
    try night.rebuild()
    #expect(
      try Self.closest(night) == """
        product_id    | closest_product_id
        book.emmalime | book.emmaline
        book.emmalin  | book.emmaline
        quite.another |
        """)
  }

  @Test("a compared identifier is compared again only when everything is judged")
  func comparedOnce() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook.emma")
    try Self.sell("book.enma", on: night)
    // The first delivery record begins the books, and then everything is judged.
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n2 | book.emma | 2026-11-19 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    // A second comparison would find book.emma.
    try night.database.connect().run(
      "update tieout.carried_closest set closest_product_id = 'kept'", step: "test")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      second | 1 | book.emma | 2026-11-20 10:00
      """)
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try Self.closest(night) == "product_id | closest_product_id\nbook.enma  | kept")
    try night.recompute()
    #expect(try Self.closest(night) == "product_id | closest_product_id\nbook.enma  | book.emma")
  }

  @Test("the closest identifier is the one that comparing all with all finds", arguments: 1...4)
  func comparedWithAll(seed: Int) throws {
    let night = try TestNight()
    let database = try night.database.connect()
    try database.run("set search_path = tieout", step: "test")
    try database.run("select setseed(\(Double(seed) / 10))", step: "test")
    let different = try database.run(
      """
      with word as materialized (
          select
              number,
              (
                  select string_agg(substr('abAB', 1 + floor(random() * 4)::integer, 1), '')
                  from generate_series(1, 1 + (number % 12))
              ) collate "C" as text
          from generate_series(1, 400) as every (number)
      ),
      listed as (select distinct text from word where number % 2 = 0),
      unknown as (select distinct text from word where number % 2 = 1),
      half as (select text from listed where text < 'a'),
      plain as (
          select distinct on (unknown.text)
              unknown.text,
              listed.text as closest
          from unknown
          left join listed
              on levenshtein(lower(unknown.text), lower(listed.text)) <= length(unknown.text) / 3
          order by
              unknown.text, levenshtein(lower(unknown.text), lower(listed.text)), listed.text
      )
      select count(*) filter (
          where
              plain.closest is distinct from closest_identifier(plain.text, every.texts, null)
              or plain.closest is distinct from closest_identifier(
                  plain.text, rest.texts, closest_identifier(plain.text, capital.texts, null)
              )
      ), count(plain.closest) > 50
      from plain
      cross join (select array_agg(text order by random()) as texts from listed) as every
      cross join (select array_agg(text) as texts from half) as capital
      cross join (select array_agg(text) as texts from listed where text >= 'a') as rest
      """, step: "test")
    #expect(different.values == [["0", "t"]])
  }
}
