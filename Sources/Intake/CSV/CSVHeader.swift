/// The meaning of the columns of a CSV file.
final class CSVHeader: Sendable {
  /// The byte between fields.
  let separator: UInt8
  /// The form of the rows.
  let form: RecordForm
  /// For each column of the file, the place of the record's column with that name; nil if there is
  /// none.
  let columns: [Int?]
  /// The columns that no rejection shows.
  let secrets: SecretColumns
  /// Names of required columns, as this file writes them.
  ///
  /// A row with none of them is no header.
  let searchedNames: [[UInt8]]

  /// Reads the names of the header row; throws if one is repeated or a required column is missing.
  init(names: [String], separator: UInt8, in file: FileContext) throws(RecordProblem) {
    self.separator = separator
    secrets = SecretColumns(among: names)
    form = RecordForm(ofColumns: names, in: file)
    let searched: [String]
    switch form {
    case .delivery:
      columns = try Self.places(of: names, among: DeliveryColumn.self, in: file)
      searched = [DeliveryColumn.deliveryID.name(in: file)]
    case .queueEntry:
      columns = try Self.places(of: names, among: QueueColumn.self, in: file)
      searched = Self.searchedInClient
    case .invalidProduct:
      columns = try Self.places(of: names, among: InvalidProductColumn.self, in: file)
      searched = Self.searchedInClient
    case .acknowledgement:
      columns = try Self.places(of: names, among: AcknowledgementColumn.self, in: file)
      searched = [AcknowledgementColumn.finding.name(in: file)]
    }
    searchedNames = searched.map { Array($0.utf8) }
  }

  /// A header row of each kind has one of these names, even if it lacks another required column.
  private static let searchedInClient = [
    QueueColumn.productID.rawValue, QueueColumn.transactionDate.rawValue,
    InvalidProductColumn.reportedAt.rawValue,
  ]

  /// The scanner of the rows, for reader and parser.
  func scanner(limit: Int) -> CSVScanner {
    CSVScanner(separator: separator, limit: limit, width: columns.count)
  }

  private static func places<Column: RecordColumn>(
    of names: [String], among known: Column.Type, in file: FileContext
  ) throws(RecordProblem) -> [Int?] {
    let table = Column.names(in: file)
    var columns: [Int?] = []
    var seen: Set<String> = []
    for name in names {
      let bytes = Array(name.utf8)
      let column = bytes.withUnsafeBufferPointer { table.meaning(of: $0) }
      // A column that is ignored may have any name, and the name of another one.
      guard column == nil || seen.insert(name).inserted else {
        throw RecordProblem(
          .missingColumn, "The header names the column \(name) twice; name each column once.")
      }
      columns.append(column)
    }
    let absent = Column.allCases.filter { !columns.contains($0.place) }
    let missing = absent.filter { $0.isRequired }.map { $0.name(in: file) }
    let unknown = zip(names, columns).compactMap { $1 == nil ? $0 : nil }
    let written = OtherSpelling.pairs(of: absent.map { $0.name(in: file) }, among: unknown)
    guard missing.isEmpty, written.isEmpty else {
      throw Self.problem(missing, written, in: names, hint: Column.hint)
    }
    return columns
  }

  /// The problem of a header that lacks required columns, or has other spellings of known names.
  private static func problem(
    _ missing: [String], _ written: [OtherSpelling.Pair], in names: [String], hint: String
  ) -> RecordProblem {
    let what =
      missing.isEmpty
      ? "The header row has another spelling of a known name."
      : "The header row lacks \(missing.joined(separator: ", "))."
    let advice: String
    if !written.isEmpty {
      let isAll = missing.allSatisfy { name in written.contains { $0.known == name } }
      advice = OtherSpelling.advice(written) + (isAll ? "." : ", and add the other columns.")
    } else if names.first?.hasPrefix("#") == true {
      advice = "The first line is read as the header row. If it is a comment, remove it."
    } else if names.count == 1 {
      advice = "If the separator is not a comma, begin the file with a line like sep=;"
    } else {
      advice = hint
    }
    return RecordProblem(.missingColumn, "\(what) \(advice)")
  }
}

extension CSVHeader {
  /// Reads the line that names the separator, if there is one, and the header row.
  convenience init(readingFrom unread: UnreadBytes, in file: FileContext) throws(RecordProblem) {
    let (names, separator) = try Self.readNames(from: unread, in: file)
    try self.init(names: names, separator: separator, in: file)
  }

  /// Reads the line that names the separator, if there is one, and the header row's names.
  ///
  /// - Parameter usual: The separator if no line names it.
  static func readNames(
    from unread: UnreadBytes, in file: FileContext, separator usual: UInt8 = UInt8(ascii: ",")
  ) throws(RecordProblem) -> (names: [String], separator: UInt8) {
    let limit = file.settings.documentLimitBytes
    var separator = usual
    while true {
      unread.drop(unread.bytes.prefix { $0.isWhiteSpace && $0 != separator }.count)
      let scanner = CSVScanner(separator: separator, limit: limit)
      switch scanner.scan(unread.bytes, from: 0, isFinal: unread.isAtEnd) {
      case .incomplete where unread.isAtEnd || unread.count > limit:
        throw .tooLong(unread.count, limit: limit)
      case .incomplete:
        unread.fillMore(upTo: limit + 1)
      case .broken(_, let why):
        throw RecordProblem(
          .malformedCSV, "The header row is not CSV: \(why); correct it at the source.")
      case .record(let next):
        let row = unread.bytes.part(0..<next)
        if let named = Self.namedSeparator(row) {
          separator = named
          unread.drop(next)
          continue
        }
        guard scanner.fields.count < CSVScanner.mostFields else {
          throw RecordProblem(
            .malformedCSV,
            "The header has \(CSVScanner.mostFields) columns or more; correct it at the source.")
        }
        let names = scanner.fields.map { Self.name(row, $0) }
        // With CR alone as the line end, the whole file would be read as one header row.
        guard !names.contains(where: { $0.utf8.contains(Byte.carriageReturn) }) else {
          throw RecordProblem(
            .missingColumn,
            "The lines end with a carriage return alone. Save the file with line ends LF or CR LF.")
        }
        unread.drop(next)
        return (names, separator)
      }
    }
  }

  /// The separator that a first line like `sep=;` names, also if the line is in quotes.
  static func namedSeparator(_ row: Bytes) -> UInt8? {
    let line = row.withoutLineEnd.withoutQuotes
    guard line.count == 5, line.starts(with: "sep=") else { return nil }
    return line[4] == Byte.quote || line[4] >= 0x80 ? nil : line[4]
  }

  /// A column's name, without the spaces that a spreadsheet may have put around it.
  static func name(_ row: Bytes, _ field: CSVField) -> String {
    let bytes = row.part(field.range).trimmed
    guard field.hasDoubledQuotes else { return bytes.string }
    let arena = TextArena(capacity: bytes.count)
    return arena.keep(unquoting: bytes).string
  }
}
