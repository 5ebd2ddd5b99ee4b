import CXlsxWriter
import Glibc
import ReportReading

/// Writes a spreadsheet from start to end, row by row.
///
/// The memory that it needs does not grow with the number of rows. The same rows and the same
/// creation time give the same bytes.
package final class Workbook {
  private var workbook: UnsafeMutablePointer<lxw_workbook>?
  var worksheet: UnsafeMutablePointer<lxw_worksheet>?
  private let path: String
  private let folder: UnsafeMutablePointer<CChar>?
  private var rows = CSVRows()
  private var columns: [(name: String, kind: ColumnKind)] = []
  /// The name of the current statement, and the number of its sheets so far.
  private var sheet = (name: "", count: 0)
  var row: UInt32 = 0
  /// The widths of the current sheet's columns in characters; long numbers make them wider.
  var widths: [Double] = []
  /// The sums for the end of the current statement; nil if it has none.
  private var totals: CurrencyTotals?
  private var hasTotals = false
  let formats: CellFormats
  private let mostRows: UInt32
  private let footer: String

  /// Starts a workbook.
  ///
  /// - Parameters:
  ///   - path: The file; an existing file is replaced.
  ///   - folder: The folder for temporary files with rows; they are removed at the end.
  ///   - created: The creation time in the workbook's properties, in seconds since 1970.
  ///   - footer: The text at the foot of each printed page.
  ///   - mostRows: The maximum number of rows of a sheet, with the header. Further rows go to
  ///     another sheet.
  /// - Throws: ``WorkbookError``.
  package init(
    path: String, folder: String, created: Int, footer: String = "", mostRows: Int = 1_048_576
  ) throws(WorkbookError) {
    self.path = path
    // In a footer, `&` begins a code such as `&P`, and `&&` is the character.
    self.footer = footer.replacing("&", with: "&&")
    self.mostRows = UInt32(mostRows)
    // The library reads the folder's name again for each sheet, so the copy must stay.
    self.folder = strdup(folder)
    var options = lxw_workbook_options()
    options.constant_memory = 1
    options.tmpdir = self.folder
    workbook = workbook_new_opt(path, &options)
    formats = CellFormats(workbook)
    guard let workbook else { throw WorkbookError(path: path, words: "it cannot be created") }
    var properties = lxw_doc_properties()
    properties.created = time_t(created)
    workbook_set_properties(workbook, &properties)
  }

  deinit {
    // A workbook that was not closed is discarded: its memory is freed, and nothing is written.
    if let workbook {
      closeTemporaryFiles(of: workbook)
      lxw_workbook_free(workbook)
    }
    free(folder)
  }

  /// Closes the files with the rows of sheets; the library does that only when it writes them.
  private func closeTemporaryFiles(of workbook: UnsafeMutablePointer<lxw_workbook>) {
    var next = workbook.pointee.worksheets?.pointee.stqh_first
    while let sheet = next {
      if let file = sheet.pointee.optimize_tmpfile { fclose(file) }
      sheet.pointee.optimize_tmpfile = nil
      next = sheet.pointee.list_pointers.stqe_next
    }
  }

  /// Starts a statement.
  ///
  /// The following rows belong to it, the header first.
  ///
  /// - Parameter hasTotals: Whether it ends with the sums of each currency, by its column
  ///   `currency`.
  package func begin(_ name: String, hasTotals: Bool = false) throws(WorkbookError) {
    try endStatement()
    sheet = (name, 0)
    columns = []
    rows = CSVRows()
    self.hasTotals = hasTotals
  }

  /// Writes a piece of the statement's CSV.
  package func take(_ piece: [UInt8]) throws {
    var rows = self.rows
    // Moves the buffers instead of copying them.
    self.rows = CSVRows()
    try rows.take(piece[...]) { try write($0) }
    self.rows = rows
  }

  /// Finishes the workbook.
  ///
  /// The file is complete then, but not yet synchronized to disk.
  package func close() throws(WorkbookError) {
    try endStatement()
    guard let workbook else { return }
    self.workbook = nil
    let result = workbook_close(workbook)
    guard result == LXW_NO_ERROR else {
      throw WorkbookError(path: path, words: Self.words(of: result))
    }
  }

  /// The library's words about an error, without the full stop at their end.
  private static func words(of error: lxw_error) -> String {
    let words = String(cString: lxw_strerror(error))
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  private func write(_ fields: CSVRows) throws(WorkbookError) {
    if columns.isEmpty {
      columns = fields.ends.indices.map { index in
        let name = String(decoding: fields.field(index), as: UTF8.self)
        return (name, ColumnKind(column: name))
      }
      totals = hasTotals ? CurrencyTotals(columns: columns.map(\.name)) : nil
      return try beginSheet()
    }
    if row == mostRows { try continueOnNextSheet() }
    let key = totals?.key { $0 < fields.ends.count ? fields.field($0) : [] }
    for (index, column) in columns.enumerated() where index < fields.ends.count {
      let field = fields.field(index)
      let value = column.kind.value(of: field)
      try write(value, at: index)
      if column.kind == .number, let key {
        totals?.add(field, of: index, as: value, key: key)
      }
    }
    row += 1
  }

  /// Writes a cell of the current row.
  ///
  /// - Parameters:
  ///   - kind: The kind of the column; nil for the kind of the statement's column.
  ///   - formula: The formula whose result the value is; nil if the value is given.
  func write(
    _ value: CellValue, at column: Int, of kind: ColumnKind? = nil, isTotal: Bool = false,
    formula: String? = nil
  ) throws(WorkbookError) {
    let kind = kind ?? (column < columns.count ? columns[column].kind : .text)
    let isWrapped = column < columns.count && columns[column].name == ColumnKind.wrapped
    let format = formats.format(of: value, isTotal: isTotal, isWrapped: isWrapped)
    if column < widths.count { widths[column] = max(widths[column], value.leastWidth(in: kind)) }
    let column = UInt16(column)
    let result =
      switch value {
      case .blank: LXW_NO_ERROR
      case .text(let words): worksheet_write_string(worksheet, row, column, words, format)
      case .number(let number, _):
        if let formula {
          worksheet_write_formula_num(worksheet, row, column, formula, format, number)
        } else {
          worksheet_write_number(worksheet, row, column, number, format)
        }
      case .day(let number), .instant(let number):
        worksheet_write_number(worksheet, row, column, number, format)
      }
    guard result == LXW_NO_ERROR else {
      throw WorkbookError(path: path, words: Self.words(of: result))
    }
  }

  private func beginSheet() throws(WorkbookError) {
    sheet.count += 1
    try addSheet(sheet.count == 1 ? sheet.name : "\(sheet.name) (\(sheet.count))")
    widths = columns.map { $0.kind.width(of: $0.name) }
    for (index, column) in columns.enumerated() {
      let format = formats.header(of: column.kind)
      worksheet_write_string(worksheet, 0, UInt16(index), column.name, format)
    }
    worksheet_freeze_panes(worksheet, 1, 0)
    worksheet_repeat_rows(worksheet, 0, 0)
    row = 1
  }

  /// The characters beside each other on a page: more would be too small to read on paper.
  static let charactersOfPage = 240.0

  /// Adds a sheet.
  ///
  /// It prints landscape on A4, with all columns on the width of one page, the sheet's name above
  /// and page numbers below. The columns of a wider statement are on several pages, each with the
  /// first two columns.
  func addSheet(_ name: String) throws(WorkbookError) {
    worksheet = workbook_add_worksheet(workbook, name)
    guard worksheet != nil else {
      throw WorkbookError(path: path, words: "the sheet \(name) cannot be created")
    }
    let a4: UInt8 = 9
    worksheet_set_paper(worksheet, a4)
    worksheet_set_landscape(worksheet)
    worksheet_fit_to_pages(worksheet, 1, 0)
    worksheet_set_header(worksheet, "&L&A")
    worksheet_set_footer(worksheet, "&L\(footer)&R&P / &N")
    row = 0
  }

  private func continueOnNextSheet() throws(WorkbookError) {
    try filterRows()
    try completeSheet()
    try beginSheet()
  }

  private func endStatement() throws(WorkbookError) {
    if let totals, worksheet != nil {
      // One row stays empty, so that the totals are outside the filter's range.
      if !totals.sums.isEmpty, Int(row) + 1 + totals.sums.count > Int(mostRows) {
        try continueOnNextSheet()
      }
      try filterRows()
      try write(totals, hasFormulas: sheet.count == 1, below: row)
    } else {
      try filterRows()
    }
    totals = nil
    try completeSheet()
  }

  /// Gives all rows that are written a filter.
  ///
  /// The library accepts no filter that ends before the last row, so the totals come later.
  private func filterRows() throws(WorkbookError) {
    guard let worksheet, row > 0 else { return }
    let error = worksheet_autofilter(
      worksheet, 0, 0, row - 1, UInt16(max(1, columns.count) - 1))
    guard error == LXW_NO_ERROR else {
      throw WorkbookError(path: path, words: Self.words(of: error))
    }
  }

  /// Ends a sheet: its columns get their widths, because all values are known now.
  ///
  /// The library does not report that a row could not be written, such as on a full disk.
  func completeSheet() throws(WorkbookError) {
    guard let worksheet else { return }
    self.worksheet = nil
    for (place, width) in widths.enumerated() {
      worksheet_set_column(worksheet, UInt16(place), UInt16(place), width, nil)
    }
    let pages = (widths.reduce(0, +) / Self.charactersOfPage).rounded(.up)
    if pages > 1 {
      worksheet_fit_to_pages(worksheet, UInt16(pages), 0)
      worksheet_repeat_columns(worksheet, 0, 1)
    }
    guard tieoutWorksheetIsWhole(worksheet) != 0 else {
      throw WorkbookError(path: path, words: String(cString: strerror(errno)))
    }
  }
}

/// The reason why a workbook cannot be written.
package struct WorkbookError: Error, CustomStringConvertible {
  /// The file.
  package let path: String
  /// The message of the library or of the operating system.
  package let words: String

  /// The path and the message, for people.
  package var description: String { "\(path) cannot be written: \(words)" }
}
