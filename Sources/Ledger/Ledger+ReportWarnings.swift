import Intake
import PostgreSQL
import ReconciliationSQL
import Runs

extension Ledger {
  /// The maximum number of reports that ``warningsOfReports()`` names because they replace others.
  private static let namedReplacements = 10

  /// Warnings about the reports of Apple that the run has loaded: several about one period, those
  /// that replace an earlier report, and Financial Reports that are not about a fiscal month.
  package func warningsOfReports() throws -> [String] {
    let notes = try database.run(SQLFile.loadReportNote, [runID]).records
    let ambiguous = notes.filter { $0["note"] == "ambiguous" }.map { row in
      """
      \(row.text("reports")) different reports \(row.text("kind")) of \(Self.days(row)) came in one run, and nothing \
      in them says which is newer. The one in \(row.text("path")) counts. If Apple has replaced that report, withdraw \
      its file.
      """
    }
    let replaced = notes.filter { $0["note"] == "replaced" }
    var warnings = ambiguous
    warnings += replaced.prefix(Self.namedReplacements).map { row in
      """
      The numbers of \(row.text("kind")) of \(Self.days(row)) have changed: \(row.text("path")) counts instead of \
      \(row.text("earlier_path")), because it was loaded later. If it is not Apple's correction, withdraw it.
      """
    }
    if replaced.count > Self.namedReplacements {
      warnings.append(
        "\(replaced.count - Self.namedReplacements) more reports of Apple count instead of earlier ones."
      )
    }
    return try warnings + warningsOfFiscalMonths()
  }

  private func warningsOfFiscalMonths() throws -> [String] {
    try database.run(SQLFile.loadReportDays, [runID]).records.compactMap { row in
      guard let first = row.bigint("first_number"), let last = row.bigint("last_number"),
        first <= last, FiscalMonth(containing: first)?.days != first...last
      else { return nil }
      return """
        The Financial Report in \(row.text("path")) names the days \(row.text("first_day")) to \
        \(row.text("last_day")), which are no month of Apple's fiscal calendar. It counts for \
        \(row.text("counts_from")) to \(row.text("counts_to")). If this is wrong, withdraw it and download it from Apple again.
        """
    }
  }

  private static func days(_ row: Row) -> String {
    let (first, last) = (row.text("first_day"), row.text("last_day"))
    return first == last ? first : "\(first) to \(last)"
  }
}
