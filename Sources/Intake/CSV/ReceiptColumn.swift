/// The columns of a table with evidence that give its account, device, storefront and time.
///
/// The raw values are the names in the documentation. The column with the evidence has no fixed
/// name: the search finds it.
public enum ReceiptColumn: String, Sendable, CaseIterable {
  /// The customer's account.
  case accountID = "account_id"
  /// The device that presented the evidence.
  case deviceID = "device_id"
  /// The storefront, ISO 3166 alpha-3.
  case storefront
  /// When the evidence was received.
  case receivedAt = "received_at"

  var member: BesideMember {
    switch self {
    case .accountID: .accountID
    case .deviceID: .deviceID
    case .storefront: .storefront
    case .receivedAt: .receivedAt
    }
  }

  /// The column's name in a file.
  func name(in file: FileContext) -> String {
    file.settings.receiptColumns[rawValue] ?? rawValue
  }
}

/// A table with a column that contains evidence, such as an export of a database.
final class ReceiptTable: Sendable {
  /// The maximum number of rows that are read to find out whether a text is such a table.
  private static let probeRows = 1000
  /// The maximum length of a column's name in bytes.
  private static let nameLimit = 128

  /// The byte between fields.
  let separator: UInt8
  /// The names of the columns, as the header writes them.
  let names: [[UInt8]]
  /// For each column, the member that it gives; nil if the column is searched for evidence.
  let beside: [BesideMember?]
  /// The columns that no rejection shows, because their names are names of secrets.
  private let secrets: [Int]

  /// Whether a column has the name of a secret.
  var hasSecrets: Bool { !secrets.isEmpty }

  init(names: [String], separator: UInt8, in file: FileContext) throws(RecordProblem) {
    self.separator = separator
    self.names = names.map { Array($0.utf8) }
    var beside: [BesideMember?] = []
    for name in names {
      let column = ReceiptColumn.allCases.first { $0.name(in: file) == name }
      if let column, beside.contains(column.member) {
        throw RecordProblem(
          .missingColumn, "The header names the column \(name) twice; name each column once.")
      }
      beside.append(column?.member)
    }
    self.beside = beside
    secrets = names.indices.filter { Secrets.isSecret(Array(names[$0].utf8)) }
  }

  /// A row as a rejection may show it, with an asterisk for each byte of a secret; nil if there is
  /// no secret.
  ///
  /// A row that is broken, or does not have a field for each column, is hidden as a whole.
  func hidingSecrets(
    _ row: Bytes, _ fields: [CSVField], isBroken: Bool, in bytes: Bytes
  ) -> [UInt8]? {
    guard !secrets.isEmpty else { return nil }
    var shown = Array(row)
    let start = row.startOffset(in: bytes)
    let hidden =
      fields.count == names.count && !isBroken
      ? secrets.map { fields[$0].range.lowerBound - start..<fields[$0].range.upperBound - start }
      : [0..<row.count]
    for place in hidden.joined() where shown.indices.contains(place) {
      shown[place] = UInt8(ascii: "*")
    }
    return shown
  }

  /// The scanner of the rows, for reader and parser.
  func scanner(limit: Int) -> CSVScanner {
    Self.scanner(separator, limit: limit, width: names.count)
  }

  private static func scanner(_ separator: UInt8, limit: Int, width: Int?) -> CSVScanner {
    CSVScanner(
      separator: separator, limit: limit, keepsQuotesInside: separator == Byte.tab, width: width)
  }

  /// The result of a probe.
  enum Probe {
    case table(separator: UInt8)
    case other, needsMore
  }

  /// Finds out whether a text is a header row and rows with evidence in a field.
  ///
  /// A header row with a column name from the settings is enough.
  static func probe(
    _ bytes: Bytes, isWhole: Bool, isEnough: Bool, in file: FileContext
  ) -> Probe {
    let lines = NonBlankLines(bytes, isWhole: isWhole)
    guard let header = lines.header, !header.contains(Byte.openBrace) else { return .other }
    var start = header.startOffset(in: bytes)
    while start > 0, bytes[start - 1] != Byte.lineFeed { start -= 1 }
    let named = lines.namedSeparator
    var needsMore = false
    for separator in named.map({ [$0] }) ?? ["\t", ",", ";", "|"].map({ UInt8(ascii: $0) }) {
      let table = bytes.part(start..<bytes.count)
      switch probe(table, separator, isWhole: isWhole, in: file) {
      case .table: return .table(separator: separator)
      case .needsMore: needsMore = true
      case .other: break
      }
    }
    return needsMore && !isEnough ? .needsMore : .other
  }

  private static func probe(
    _ bytes: Bytes, _ separator: UInt8, isWhole: Bool, in file: FileContext
  ) -> Probe {
    let scanner = scanner(separator, limit: file.settings.documentLimitBytes, width: nil)
    guard case .record(var at) = scanner.scan(bytes, from: 0, isFinal: isWhole) else {
      return .other
    }
    let names = scanner.fields.map { bytes.part($0.range).trimmed }
    guard names.allSatisfy({ $0.count <= nameLimit }) else { return .other }
    if names.count == 1 {
      guard DocumentField.names.meaning(of: names[0]) != nil else { return .other }
    }
    let mapped = Set(file.settings.receiptColumns.values)
    if names.contains(where: { mapped.contains($0.string) }) { return .table(separator: separator) }
    for row in 0..<probeRows {
      guard at < bytes.count else { return isWhole ? .other : .needsMore }
      switch scanner.scan(bytes, from: at, isFinal: isWhole) {
      case .incomplete: return .needsMore
      case .broken(let next, _):
        if row == 0 { return .other }
        at = next
      case .record(let next):
        let isBlank = bytes.part(at..<next).trimmed.isEmpty
        if !isBlank, row == 0, scanner.fields.count != names.count { return .other }
        for field in scanner.fields where hasEvidence(bytes.part(field.range), field) {
          return .table(separator: separator)
        }
        at = next
      }
    }
    return .other
  }

  private static func hasEvidence(_ text: Bytes, _ field: CSVField) -> Bool {
    guard text.count >= EvidenceSearch.shortestText else { return false }
    guard field.hasDoubledQuotes else { return hasEvidence(text) }
    let arena = TextArena(capacity: text.count)
    return hasEvidence(arena.keep(unquoting: text))
  }

  private static func hasEvidence(_ text: Bytes) -> Bool {
    if !EvidenceSearch(text).found.isEmpty { return true }
    guard text.position(of: UInt8(ascii: "\\")) != nil else { return false }
    return TextDecoding.unescapedRow(text).withUnsafeBufferPointer {
      !EvidenceSearch($0).found.isEmpty
    }
  }
}
