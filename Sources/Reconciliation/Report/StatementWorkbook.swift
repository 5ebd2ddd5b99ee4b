import FileSystem
import PostgreSQL
import ReconciliationSQL
import Workbook

/// `reconciliation.xlsx`: the statements as sheets, out of the same rows as the CSV files.
final class StatementWorkbook {
  static let fileName = "reconciliation.xlsx"

  private let folder: OpenFolder
  private let file: Workbook
  /// Whether the report under way is a statement: night papers are told in CSV alone.
  private var isStatement = false

  /// Begins it in the folder that is being written, where its rows lie until it is closed.
  init(in folder: OpenFolder, from database: Connection) throws {
    self.folder = folder
    // The instant in the file is the night's, so that the same night gives the same bytes.
    let asOf = try database.run(
      "select extract(epoch from as_of)::bigint from night", step: "workbook")
    // Its mode is that of every report; the library writes into the file that is there.
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

  /// Ends it and makes it durable.
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
