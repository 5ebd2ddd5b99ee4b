import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("Texts in quotes") struct PostgreSQLArrayTests {
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

  @Test("a value of a connection string is read as it was, also if a quote has a combining mark")
  func connectionValues() throws {
    for value in ["a b", "c'd", "e\\", "f'\u{301} host='g", "h\\\u{301}'i"] {
      let text = try ConnectionText("host=/nowhere").text(orPassword: value)
      #expect(try ConnectionText(text).password == value)
      #expect(try ConnectionText(text).values.count == 2)
    }
  }
}
