import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Testing

@testable import Reports
@testable import Workbook

@Suite("The kinds of the workbook's columns")
struct SheetColumnTests {
  @Test("a column of the workbook has numbers exactly if its query gives numbers")
  func numbers() throws {
    let night = try TestNight()
    defer { withExtendedLifetime(night) {} }
    try night.run(asOf: "2026-11-20 03:00")
    let database = try night.database.connect()
    try database.run("set search_path = tieout", step: "test")
    let sheets = Report.all.filter(\.hasSheet).map(\.query)
    #expect(sheets.count == 12)
    let overview: [SQLFile] = [.workbookObligation, .workbookMonth, .pageOpen]
    for query in sheets + overview {
      try database.run(
        "create temporary table described as\n\(query.text)\nwith no data", step: "test")
      let columns = try database.run(
        """
        select
            attname,
            typcategory = 'N' as is_number
        from pg_attribute
        inner join pg_type on atttypid = pg_type.oid
        where attrelid = 'described'::regclass and attnum > 0
        """, step: "test")
      try database.run("drop table described", step: "test")
      #expect(columns.values.count > 1, "\(query.name)")
      for column in columns.records {
        let name = column.text("attname")
        let isNumber = ColumnKind(column: name) == .number
        #expect(isNumber == column.flag("is_number"), "\(query.name): \(name)")
      }
    }
  }
}
