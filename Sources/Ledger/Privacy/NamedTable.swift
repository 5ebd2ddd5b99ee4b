import Intake
import PostgreSQL
import ReconciliationSQL
import Runs

/// A table whose rows name accounts or devices, with the columns from which a row's hash is made.
struct NamedTable {
  /// The form of a column in the database and in the hash.
  enum Kind {
    case text, identifier, bigint, integer, instant, boolean, hash, age
  }

  /// A column in the loader's form.
  struct Column {
    let name: String
    let kind: Kind
  }

  /// The name of its rows in texts for people.
  let kind: String
  /// The columns that the hash covers, in the order in which the loader writes them.
  let columns: [Column]
  /// The columns that hold names of accounts and devices.
  let people: [String]
  /// The columns of free text, in which a name can be one of several words.
  let texts: [String]
  /// Returns the rows with given names.
  let rows: SQLFile
  /// Run before the replacement in a row.
  ///
  /// If another row has the same content after the replacement, they merge this row into that one.
  let preparations: [SQLFile]
  /// Replaces the names in a row.
  let replacement: SQLFile
  /// The columns of ``rows`` that identify a row.
  let key: [String]

  /// - Parameter staged: The columns of the staging table.
  private init(
    _ kind: String, staged: [String], people: [String], texts: [String] = [], rows: SQLFile,
    preparations: [SQLFile] = [], replacement: SQLFile, key: [String]
  ) {
    self.kind = kind
    columns = Self.covered(staged)
    self.people = people
    self.texts = texts
    self.rows = rows
    self.preparations = preparations
    self.replacement = replacement
    self.key = key
  }

  static let all = [
    NamedTable(
      "pieces of evidence", staged: StagedRows.evidenceColumns,
      people: ["account_id", "device_id", "account_token"],
      rows: .forgetEvidence, preparations: [.forgetEvidenceAge, .forgetEvidenceSame],
      replacement: .forgetEvidenceName,
      key: ["environment_code", "transaction_number", "content_hash"]),
    NamedTable(
      "delivery records", staged: StagedRows.deliveryColumns,
      people: ["account_id", "device_id"], texts: ["error"],
      rows: .forgetDelivery, preparations: [.forgetDeliveryOpen, .forgetDeliverySame],
      replacement: .forgetDeliveryName, key: ["delivery_id", "content_hash"]),
    NamedTable(
      "queue entries", staged: StagedRows.clientTransactionColumns,
      people: ["account_id", "device_id"],
      rows: .forgetClientTransaction, replacement: .forgetClientTransactionName,
      key: ["content_hash"]),
    NamedTable(
      "reports of apps", staged: StagedRows.clientInvalidProductColumns,
      people: ["account_id", "device_id"],
      rows: .forgetClientInvalidProduct, replacement: .forgetClientInvalidProductName,
      key: ["content_hash"]),
  ]

  /// The columns that the hash covers, of those of a staging table.
  ///
  /// It does not cover the first three: the place of the record, and in all tables except that of
  /// evidence the hash itself. An identifier is written as two columns, its number and then its
  /// text, and has the name of the text.
  private static func covered(_ staged: [String]) -> [Column] {
    zip(staged.dropFirst(2), staged.dropFirst(3)).compactMap { before, name in
      if name.hasSuffix("_number") { return nil }
      return Column(
        name: name, kind: before.hasSuffix("_number") ? .identifier : form(of: name))
    }
  }

  private static func form(of column: String) -> Kind {
    switch column {
    case "content_hash": .hash
    case "evidence_at": .age
    case "quantity", "bytes": .bigint
    case "revocation_percentage", "revision": .integer
    case _ where column.hasSuffix("_at"): .instant
    case _ where column.hasPrefix("is_") || column.hasSuffix("_disagree"): .boolean
    default: .text
    }
  }

  /// Replaces names by tokens, and replaces the hash of each changed row.
  ///
  /// - Parameters:
  ///   - tokens: The tokens by name, as the table contains the names.
  ///   - written: The tokens by each spelling of the names, for free text.
  /// - Returns: the number of rows that contained one of the names, and the files that contained
  ///   them first.
  func replace(
    _ tokens: NameTokens, inTexts written: NameTokens, in database: Connection
  ) throws -> (rows: Int, fileIDs: Set<String>) {
    let names = (texts.isEmpty ? tokens : written).all.map(\.name)
    let named = try database.run(rows, [PostgreSQLArray.text(names)]).records
    var rows = 0
    var files: Set<String> = []
    for row in named {
      var values = row.values
      for person in people { values[person] = row[person].map { tokens[$0] ?? $0 } }
      for text in texts { values[text] = row[text].map { WholeWord.replacing(written, in: $0) } }
      // A text can contain a name as a part of a longer word.
      guard (people + texts).contains(where: { values[$0] != row[$0] }) else { continue }
      rows += 1
      if let file = row["file_id"] { files.insert(file) }
      let given = key.map { row[$0] } + [hash(of: values)]
      for preparation in preparations { try database.run(preparation, given) }
      try database.run(replacement, given + (people + texts).map { values[$0] })
    }
    return (rows, files)
  }

  /// The hash of a row with these values, in the form in which ``rows`` returns them.
  func hash(of values: [String: String]) -> String {
    ContentFingerprint.hash(of: columns.map { Self.column($0.kind, values[$0.name]) })
  }

  private static func column(_ kind: Kind, _ value: String?) -> ContentFingerprint.Column {
    switch kind {
    case .text: .text(value)
    case .identifier: .identifier(value)
    case .bigint: .bigint(value.flatMap { Int64($0) })
    case .integer: .integer(value.flatMap { Int32($0) })
    case .instant: .instant(value.flatMap { Int64($0) })
    case .boolean: .boolean(value == "true")
    case .hash: .hash
    case .age: .age
    }
  }
}
