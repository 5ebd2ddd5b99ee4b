/// A column that CSV records of some kind can have, or the NDJSON member with the same name.
protocol RecordColumn: RecordField, RawRepresentable, Equatable where RawValue == String {
  /// Whether a record without it is rejected.
  var isRequired: Bool { get }
  /// Whether it holds a number.
  var isNumber: Bool { get }
  /// The advice for a header that lacks required columns.
  static var hint: String { get }
  /// More advice for a record that lacks a required column.
  static var hintForMissing: String { get }
  /// The meanings of the column names of a file.
  static func names(in file: FileContext) -> NameTable
  /// The column's name in a file.
  func name(in file: FileContext) -> String
}

extension RecordColumn {
  var isNumber: Bool { false }

  static var hintForMissing: String { "" }

  func name(in file: FileContext) -> String { rawValue }
}

/// The checked values of one record's columns.
struct ColumnReader<Column: RecordColumn> {
  let texts: RecordTexts
  let file: FileContext

  /// The text of a column; throws if a required column has none.
  @inline(__always)
  func present(_ column: Column) throws(RecordProblem) -> Bytes? {
    let text = texts[column.place]
    if text == nil, column.isRequired {
      throw .missing(column.name(in: file), Column.hintForMissing)
    }
    return text
  }

  /// An identifier that Apple issued.
  @inline(__always)
  func identifier(_ column: Column) throws(RecordProblem) -> Bytes? {
    guard let text = try present(column) else { return nil }
    guard FieldText.isIdentifier(text) else { throw .badIdentifier(column.name(in: file)) }
    return text
  }

  /// A name that the company gave; it may contain spaces.
  @inline(__always)
  func name(_ column: Column) throws(RecordProblem) -> Bytes? {
    guard let text = try present(column) else { return nil }
    guard FieldText.isProductIdentifier(text) else { throw .badName(column.name(in: file)) }
    return text
  }

  /// A short text by which records are grouped, such as the name of a server.
  @inline(__always)
  func label(_ column: Column) throws(RecordProblem) -> Bytes? {
    try text(column, limit: FieldText.labelLimit)
  }

  /// Any text that PostgreSQL can keep.
  @inline(__always)
  func text(
    _ column: Column, limit: Int = FieldText.textLimit
  ) throws(RecordProblem) -> Bytes? {
    guard let text = try present(column) else { return nil }
    guard FieldText.isText(text, limit: limit) else {
      throw RecordProblem(
        .badText,
        "\(column.name(in: file)) is longer than \(limit) bytes or contains a NUL "
          + "character, which PostgreSQL cannot keep; correct it at the source.")
    }
    return text
  }

  /// An RFC 3339 instant since the App Store opened, in seconds since 1970.
  ///
  /// A delivery that a server with a wrong clock dated earlier would let the books begin too early.
  @inline(__always)
  func instant(_ column: Column) throws(RecordProblem) -> Int64? {
    guard let text = try present(column) else { return nil }
    guard let instant = Instant.parseRFC3339(text) else { throw .badDate(column.name(in: file)) }
    guard instant >= Instant.openingOfAppStore else { throw .tooEarly(column.name(in: file)) }
    return instant
  }
}
