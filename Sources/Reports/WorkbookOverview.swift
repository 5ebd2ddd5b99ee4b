import PostgreSQL
import ReconciliationSQL
import Runs
import Workbook

/// The content of the first sheet of `reconciliation.xlsx`.
struct WorkbookOverview {
  /// The night's as-of, in seconds since 1970.
  let created: Int
  /// Whether the run is one of a past day.
  let isOfPastDay: Bool
  let title: String
  let tables: [Workbook.Table]

  init(from database: Connection) throws(PostgreSQLError) {
    func table(_ caption: String, _ file: SQLFile) throws(PostgreSQLError) -> Workbook.Table {
      let rows = try database.run(file)
      return Workbook.Table(caption: caption, columns: rows.columns, rows: rows.values)
    }
    let head = try database.run(SQLFile.workbookHead)
    let values = head.records.first?.values ?? [:]
    created = try head.records.first?.count("created") ?? 0
    isOfPastDay = head.records.first?.flag("is_of_past_day") ?? false
    title = "Reconciliation as of \(values["as_of"] ?? "")"
    tables = [
      Workbook.Table(
        caption: "This workbook", columns: ["what", "value"],
        rows: head.columns.dropFirst(2).map { [$0, values[$0]] }),
      try table("Deliveries", .workbookObligation),
      try table("Sales by month; price_source catalogue is an estimate", .workbookMonth),
      try table("Open findings", .pageOpen),
    ]
  }
}
