/// The header of rows, which another one below it can replace, as in joined files.
protocol RowHeader: Sendable {
  /// The number of columns.
  var width: Int { get }
  /// The columns that no rejection shows.
  var secrets: SecretColumns { get }
  /// Each header row below this one contains one of these names, in capitals or not; empty if there
  /// is no such name.
  var searchedNames: [[UInt8]] { get }
  /// The content of a block of rows below the header.
  var content: Block.Content { get }

  /// The scanner of the rows, for reader and parser.
  func scanner(limit: Int) -> CSVScanner

  /// The header that a row with a searched name is, or why the rows below it cannot be read; nil
  /// if the row is no header.
  func header(
    of fields: [CSVField], in rows: Bytes, _ file: FileContext
  ) -> Result<any RowHeader, RecordProblem>?
}

extension Block.Content {
  /// The header of the rows; nil if there is none.
  var header: (any RowHeader)? {
    switch self {
    case .rows(let header): header
    case .table(let table): table
    default: nil
    }
  }
}

extension ReceiptTable: RowHeader {
  var width: Int { names.count }
  var searchedNames: [[UInt8]] { zip(names, beside).first { $1 != nil }.map { [$0.0] } ?? [] }
  var content: Block.Content { .table(self) }

  /// A header names all columns beside evidence, and has a column's name in each of their places.
  ///
  /// Customers can choose the values of other places, such as a note, so that names there are not
  /// enough: the accounts of all rows below would depend on them.
  func header(
    of fields: [CSVField], in rows: Bytes, _ file: FileContext
  ) -> Result<any RowHeader, RecordProblem>? {
    let written = fields.map { CSVHeader.name(rows, $0) }
    let own = BesideMember.allCases.map { $0.name(in: file).lowercased() }
    let known = Set(names.map { String(decoding: $0, as: UTF8.self).lowercased() } + own)
    guard namesColumnsBeside(fields, of: rows),
      zip(beside, written).allSatisfy({ $0 == nil || known.contains($1.lowercased()) }),
      !fields.contains(where: { $0.hasEvidence(in: rows) })
    else { return nil }
    do throws(RecordProblem) {
      return .success(try ReceiptTable(names: written, separator: separator, in: file))
    } catch {
      return .failure(error)
    }
  }
}
