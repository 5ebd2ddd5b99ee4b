import FileSystem
import PostgreSQL
import ReconciliationSQL
import Runs
import Workbook

/// `reconciliation.xlsx`: an overview, and the statements as sheets, from the same rows as the CSV
/// files.
package final class StatementWorkbook {
  /// The name of the file.
  package static let fileName = "reconciliation.xlsx"

  private let folder: OpenFolder
  private let file: Workbook
  /// Whether the run is one of a past day, which has no roll-forward and no restatement.
  private let isOfPastDay: Bool
  /// Whether the current report has a sheet.
  private var hasSheet = false

  /// Begins the workbook with its overview.
  ///
  /// Until the workbook is closed, its rows are in temporary files in the folder that is being
  /// written.
  init(in folder: OpenFolder, from database: Connection) throws {
    self.folder = folder
    let overview = try WorkbookOverview(from: database)
    isOfPastDay = overview.isOfPastDay
    // The file gets the mode of every report; the library writes to the existing file.
    try ReportFile(Self.fileName, in: folder).close()
    do {
      file = try Workbook(
        path: "\(folder.pathOfDescriptor)/\(Self.fileName)", folder: folder.pathOfDescriptor,
        created: overview.created, footer: overview.title)
      try file.writeOverview("overview", title: overview.title, overview.tables)
    } catch { throw Self.failure(error, in: folder) }
  }

  func begin(_ report: Report) throws {
    hasSheet = report.hasSheet && (report.isStatement || !isOfPastDay)
    guard hasSheet else { return }
    do { try file.begin(report.query.subject, hasTotals: report.hasTotals) } catch {
      throw Self.failure(error, in: folder)
    }
  }

  func take(_ piece: [UInt8]) throws {
    guard hasSheet else { return }
    do { try file.take(piece) } catch { throw Self.failure(error, in: folder) }
  }

  /// Completes the workbook and makes it durable.
  func close() throws -> FileSum {
    do { try file.close() } catch { throw Self.failure(error, in: folder) }
    return try ReportFile.keep(FilePlace(Self.fileName, in: folder))
  }

  /// The error with the path of the file, which is written through a descriptor.
  private static func failure(_ error: any Error, in folder: OpenFolder) -> ReconciliationError {
    let words = (error as? WorkbookError)?.words ?? "\(error)"
    return ReconciliationError(
      .reports,
      "\(folder.path)/\(fileName) cannot be written: \(words). Is the disk full? Its temporary "
        + "files need three times the space of the CSV files; workbook: false leaves it out.")
  }
}
