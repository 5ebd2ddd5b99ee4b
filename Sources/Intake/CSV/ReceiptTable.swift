/// A table with a column that contains evidence, such as an export of a database.
final class ReceiptTable: Sendable {
  /// The byte between fields.
  let separator: UInt8
  /// The names of the columns, as the header writes them.
  let names: [[UInt8]]
  /// For each column, the member that it gives; nil if the column is searched for evidence.
  let beside: [BesideMember?]
  /// The columns that no rejection shows.
  let secrets: SecretColumns

  init(names: [String], separator: UInt8, in file: FileContext) throws(RecordProblem) {
    self.separator = separator
    self.names = names.map { Array($0.utf8) }
    var beside: [BesideMember?] = []
    for name in names {
      let column = BesideMember.allCases.first { $0.name(in: file) == name }
      if let column, beside.contains(column) {
        throw RecordProblem(
          .missingColumn, "The header names the column \(name) twice; name each column once.")
      }
      beside.append(column)
    }
    let known = BesideMember.allCases.map { $0.name(in: file) }
    let written = OtherSpelling.pairs(
      of: known.filter { !names.contains($0) }, among: names.filter { !known.contains($0) })
    guard written.isEmpty else {
      throw RecordProblem(
        .missingColumn,
        "The header row has another spelling of a known name. \(OtherSpelling.advice(written)), or "
          + "name your columns in the setting receipt_columns.")
    }
    self.beside = beside
    secrets = SecretColumns(among: names)
  }

  /// Whether a row is the header row again.
  func isHeader(_ row: [CSVField], of bytes: Bytes) -> Bool {
    row.count == names.count
      && zip(row, names).allSatisfy { CSVHeader.name(bytes, $0).utf8.elementsEqual($1) }
  }

  /// Whether a row names the columns beside evidence, in capitals or not.
  func namesColumnsBeside(_ row: [CSVField], of bytes: Bytes) -> Bool {
    let known = zip(names, beside).filter { $1 != nil }.map { $0.0.map(\.lowercased) }
    let written = Set(row.map { CSVHeader.name(bytes, $0).utf8.map(\.lowercased) })
    return !known.isEmpty && written.isSuperset(of: known)
  }

  /// The scanner of the rows, for reader and parser.
  func scanner(limit: Int) -> CSVScanner {
    Self.scanner(separator, limit: limit, width: names.count)
  }

  /// The scanner of rows with so many fields; nil for any number.
  static func scanner(_ separator: UInt8, limit: Int, width: Int?) -> CSVScanner {
    CSVScanner(
      separator: separator, limit: limit, keepsQuotesInside: separator == Byte.tab, width: width)
  }
}
