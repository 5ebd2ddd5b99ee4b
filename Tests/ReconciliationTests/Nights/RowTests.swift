import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("A row of a result") struct RowTests {
  @Test("null counts as 0, and a value that is not a whole number of 64 bits is an error")
  func count() throws {
    let night = try TestNight(hasTables: false)
    let rows = try night.database.connect().run(
      "select 7 as whole, null as missing, 1.5 as part, 99999999999999999999 as large",
      step: "test")
    let row = try #require(rows.records.first)
    #expect(try row.count("whole") == 7)
    #expect(try row.count("missing") == 0)
    for column in ["part", "large"] {
      #expect(throws: PostgreSQLError.self) { try row.count(column) }
    }
  }
}
