import FileSystem
import PostgreSQL
import ReconciliationSQL
package import Runs

/// The reports that a run has written, and the edition that has them.
package struct WrittenEdition {
  /// How many rows each report has.
  package let rows: [Report: Int]
  /// The edition that has these reports.
  package let edition: Edition
  /// Whether the edition is yet to be published; otherwise it is there with the same reports
  /// (``Report/makesEdition``).
  package let isNew: Bool
  /// Whether the day is the newest one of the reports folder, to which `latest` points.
  let isOfNewestDay: Bool

  /// Compares the reports with the newest edition of their day.
  ///
  /// If a report of that edition was removed or changed since, the reports make a new edition.
  ///
  /// - Parameter sums: The checksum of each report.
  init(
    rows: [Report: Int], sums: [String: String], of day: String, among published: PublishedEditions,
    in place: OpenFolder, _ database: Connection
  ) throws {
    self.rows = rows
    let memory = try database.run(SQLFile.publishEdition).records.first
    isOfNewestDay = memory?.flag("is_of_newest_day") == true
    let newest = published.newest(of: day)
    let known = newest.map { EditionSums.read($0, in: place) } ?? [:]
    if let newest,
      Report.all.allSatisfy({ !$0.makesEdition || known[$0.fileName] == sums[$0.fileName] }),
      Self.isWhole(newest, known, in: place)
    {
      edition = newest
      isNew = false
    } else {
      let remembered = try memory?.count("edition") ?? 0
      // The database knows the path of a folder, not that it was renamed; the list goes with it.
      let listed = try EditionList(in: place).lines.map(\.line.edition).filter { $0.day == day }
      let used = listed.map(\.number) + [newest?.number ?? 0, remembered]
      edition = Edition(day: day, number: (used.max() ?? 0) + 1)
      isNew = true
    }
  }

  /// Whether the reports in an edition's folder are those of its list of checksums.
  private static func isWhole(
    _ edition: Edition, _ known: [String: String], in place: OpenFolder
  ) -> Bool {
    guard let folder = try? place.folder(edition.folder) else { return false }
    return Report.all.allSatisfy { report in
      let sum = try? ReportFile.sum(of: FilePlace(report.fileName, in: folder))
      return sum?.sha256 == known[report.fileName]
    }
  }
}
