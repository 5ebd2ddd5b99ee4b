import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("Texts as an array") struct PostgreSQLArrayTests {
  @Test("each text arrives as it is, also if a quote or a backslash has a combining mark")
  func texts() throws {
    let night = try TestNight(hasTables: false)
    let texts = ["a, b", "", "null", "{c}", "d \"e\"", "f\\", "g\"\u{301},\"h", "i\\\u{301}\""]
    let rows = try night.database.connect().run(
      """
      select word from unnest($1::text[]) with ordinality as given (word, place) order by place
      """, [PostgreSQLArray.text(texts)], step: "test")
    #expect(rows.records.map { $0.text("word") } == texts)
  }
}
