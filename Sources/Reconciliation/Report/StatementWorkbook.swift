import FileSystem
import PostgreSQL
import ReconciliationSQL
import Workbook

/// `reconciliation.xlsx`: the statements as sheets, from the same rows as the CSV files.
final class StatementWorkbook {
  static let fileName = "reconciliation.xlsx"

  private let folder: OpenFolder
  private let file: Workbook
  /// Whether the current report is a statement; night papers exist only as CSV.
  private var isStatement = false

  /// Begins the workbook; until it is closed, its rows are in the folder that is being written.
  init(in folder: OpenFolder, from database: Connection) throws {
    self.folder = folder
    // The instant in the file is the night's as-of, so that the same night gives the same bytes.
    let asOf = try database.run(
      "select extract(epoch from as_of)::bigint from night", step: "workbook")
    // The file gets the mode of every report; the library writes to the existing file.
    _ = try ReportFile(Self.fileName, in: folder).close()
    do {
      file = try Workbook(
        path: "\(folder.pathOfDescriptor)/\(Self.fileName)", folder: folder.pathOfDescriptor,
        created: asOf.first.flatMap { Int($0) } ?? 0)
    } catch { throw Self.failure(error) }
  }

  func begin(_ report: Report) throws {
    isStatement = report.isStatement
    guard report.isStatement else { return }
    do { try file.begin(report.query.subject) } catch { throw Self.failure(error) }
  }

  func take(_ piece: [UInt8]) throws {
    guard isStatement else { return }
    do { try file.take(piece) } catch { throw Self.failure(error) }
  }

  /// Completes the workbook and makes it durable.
  ///
  /// - Returns: its SHA-256 in hexadecimal digits.
  func close() throws -> String {
    do { try file.close() } catch { throw Self.failure(error) }
    return try ReportFile.sum(of: FilePlace(Self.fileName, in: folder))
  }

  private static func failure(_ error: any Error) -> ReconciliationError {
    ReconciliationError(.reports, "\(error). Is the disk full?")
  }
}
