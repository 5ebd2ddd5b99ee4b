import CXlsxWriter
import Glibc

/// Writes a spreadsheet from start to end, row by row.
///
/// The needed memory does not grow with it.
///
/// The same rows and the same instant give the same bytes.
public final class Workbook {
  private var workbook: UnsafeMutablePointer<lxw_workbook>?
  private var worksheet: UnsafeMutablePointer<lxw_worksheet>?
  private let path: String
  private let folder: UnsafeMutablePointer<CChar>?
  private var rows = CSVRows()
  private var columns: [(name: String, kind: ColumnKind)] = []
  /// The name of the current statement, and the number of its sheets so far.
  private var sheet = (name: "", count: 0)
  private var row: UInt32 = 0
  private let header: UnsafeMutablePointer<lxw_format>?
  private let text: UnsafeMutablePointer<lxw_format>?
  private let day: UnsafeMutablePointer<lxw_format>?
  private let instant: UnsafeMutablePointer<lxw_format>?
  private var numbers: [Int: UnsafeMutablePointer<lxw_format>?] = [:]
  private let mostRows: UInt32

  /// Starts a workbook.
  ///
  /// - Parameters:
  ///   - path: The file; an existing file is replaced.
  ///   - folder: The folder for temporary files with rows; they are removed at the end.
  ///   - created: The creation time in the workbook's properties, in seconds since 1970.
  ///   - mostRows: The maximum number of rows of a sheet, with the header. Further rows go to
  ///     another sheet.
  /// - Throws: ``WorkbookError``.
  public init(
    path: String, folder: String, created: Int, mostRows: Int = 1_048_576
  ) throws(WorkbookError) {
    self.path = path
    self.mostRows = UInt32(mostRows)
    // The library reads the folder's name again for each sheet, so the copy must stay.
    self.folder = strdup(folder)
    var options = lxw_workbook_options()
    options.constant_memory = 1
    options.tmpdir = self.folder
    workbook = workbook_new_opt(path, &options)
    guard let workbook else { throw WorkbookError(path: path, words: "it cannot be created") }
    func format(_ number: String?) -> UnsafeMutablePointer<lxw_format>? {
      let format = workbook_add_format(workbook)
      if let number { format_set_num_format(format, number) }
      return format
    }
    header = format(nil)
    format_set_bold(header)
    format_set_bottom(header, 1)
    text = format("@")
    day = format("yyyy-mm-dd")
    instant = format("yyyy-mm-dd hh:mm:ss")
    var properties = lxw_doc_properties()
    properties.created = time_t(created)
    workbook_set_properties(workbook, &properties)
  }

  deinit {
    // A workbook that was not closed is discarded: its memory is freed, and nothing is written.
    if let workbook { lxw_workbook_free(workbook) }
    free(folder)
  }

  /// Starts a statement.
  ///
  /// The following rows belong to it, the header first.
  public func begin(_ name: String) throws(WorkbookError) {
    try endSheet()
    sheet = (name, 0)
    columns = []
    rows = CSVRows()
  }

  /// Writes a piece of the statement's CSV.
  public func take(_ piece: [UInt8]) throws {
    var rows = self.rows
    // Moves the buffers instead of copying them.
    self.rows = CSVRows()
    try rows.take(piece) { try write($0) }
    self.rows = rows
  }

  /// Finishes the workbook.
  ///
  /// The file is complete then, but not yet synchronized to disk.
  public func close() throws(WorkbookError) {
    try endSheet()
    guard let workbook else { return }
    self.workbook = nil
    let result = workbook_close(workbook)
    guard result == LXW_NO_ERROR else {
      throw WorkbookError(path: path, words: String(cString: lxw_strerror(result)))
    }
  }

  private func write(_ fields: CSVRows) throws(WorkbookError) {
    if columns.isEmpty {
      columns = fields.ends.indices.map { index in
        let name = String(decoding: fields.field(index), as: UTF8.self)
        return (name, ColumnKind(column: name))
      }
      return try beginSheet()
    }
    if row == mostRows {
      try endSheet()
      try beginSheet()
    }
    for (index, column) in columns.enumerated() where index < fields.ends.count {
      try write(column.kind.value(of: fields.field(index)), at: UInt16(index))
    }
    row += 1
  }

  private func write(_ value: CellValue, at column: UInt16) throws(WorkbookError) {
    let result =
      switch value {
      case .blank: LXW_NO_ERROR
      case .text(let words): worksheet_write_string(worksheet, row, column, words, text)
      case .number(let number, let decimals):
        worksheet_write_number(worksheet, row, column, number, format(decimals: decimals))
      case .day(let number): worksheet_write_number(worksheet, row, column, number, day)
      case .instant(let number): worksheet_write_number(worksheet, row, column, number, instant)
      }
    guard result == LXW_NO_ERROR else {
      throw WorkbookError(path: path, words: String(cString: lxw_strerror(result)))
    }
  }

  private func beginSheet() throws(WorkbookError) {
    sheet.count += 1
    let name = sheet.count == 1 ? sheet.name : "\(sheet.name) (\(sheet.count))"
    worksheet = workbook_add_worksheet(workbook, name)
    guard worksheet != nil else {
      throw WorkbookError(path: path, words: "the sheet \(name) cannot be created")
    }
    for (index, column) in columns.enumerated() {
      let place = UInt16(index)
      worksheet_set_column(worksheet, place, place, column.kind.width(of: column.name), nil)
      worksheet_write_string(worksheet, 0, place, column.name, header)
    }
    worksheet_freeze_panes(worksheet, 1, 0)
    row = 1
  }

  private func endSheet() throws(WorkbookError) {
    guard let worksheet else { return }
    worksheet_autofilter(worksheet, 0, 0, row - 1, UInt16(max(1, columns.count) - 1))
    self.worksheet = nil
    guard tieoutWorksheetIsWhole(worksheet) != 0 else {
      throw WorkbookError(path: path, words: String(cString: strerror(errno)))
    }
  }

  private func format(decimals: Int) -> UnsafeMutablePointer<lxw_format>? {
    if let format = numbers[decimals] { return format }
    let format = workbook_add_format(workbook)
    format_set_num_format(
      format, decimals == 0 ? "#,##0" : "#,##0." + String(repeating: "0", count: decimals))
    numbers[decimals] = format
    return format
  }
}

/// The reason why a workbook cannot be written.
public struct WorkbookError: Error, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The message of the library or of the operating system.
  public let words: String

  /// The path and the message, for people.
  public var description: String { "\(path) cannot be written: \(words)" }
}
