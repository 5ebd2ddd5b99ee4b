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

  /// A column in the loader's form; columns of the kinds hash and age have no name.
  struct Column {
    let name: String
    let kind: Kind
  }

  /// The name of its rows in texts for people.
  let kind: String
  /// The columns in the order in which the loader writes them.
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

  private init(
    _ kind: String, people: [String], texts: [String] = [], rows: SQLFile,
    preparations: [SQLFile] = [], replacement: SQLFile, key: [String],
    _ columns: [(Kind, String)]
  ) {
    self.kind = kind
    self.people = people
    self.texts = texts
    self.rows = rows
    self.preparations = preparations
    self.replacement = replacement
    self.key = key
    self.columns = columns.flatMap { kind, names in
      names.split(separator: " ", omittingEmptySubsequences: false).map {
        Column(name: String($0), kind: kind)
      }
    }
  }

  static let all = [
    NamedTable(
      "pieces of evidence", people: ["account_id", "device_id", "account_token"],
      rows: .forgetEvidence, preparations: [.forgetEvidenceAge, .forgetEvidenceSame],
      replacement: .forgetEvidenceName,
      key: ["environment_code", "transaction_number", "content_hash"],
      [
        (.text, "environment_code"), (.identifier, "transaction_id"), (.hash, ""), (.age, ""),
        (.identifier, "original_transaction_id"), (.text, "product_id"), (.bigint, "quantity"),
        (.instant, "purchased_at original_purchased_at expires_at cancelled_at"),
        (.identifier, "web_order_line_item_id"),
        (
          .boolean,
          "is_trial is_introductory_offer is_promotional_offer is_family_shared is_upgraded"
        ),
        (.text, "price currency storefront account_id device_id"),
        (.boolean, "is_signed is_signed_transaction"), (.text, "product_type"),
        (.integer, "revocation_percentage"), (.text, "account_token"),
        (.boolean, "dates_disagree environments_disagree"),
      ]),
    NamedTable(
      "delivery records", people: ["account_id", "device_id"], texts: ["error"],
      rows: .forgetDelivery, preparations: [.forgetDeliveryOpen, .forgetDeliverySame],
      replacement: .forgetDeliveryName, key: ["delivery_id", "content_hash"],
      [
        (.text, "delivery_id"), (.identifier, "transaction_id"), (.text, "product_id status"),
        (.instant, "occurred_at"), (.text, "environment"),
        (.identifier, "original_transaction_id web_order_line_item_id"),
        (.text, "account_id device_id"),
        (.text, "server region app_version error"), (.bigint, "bytes"), (.integer, "revision"),
      ]),
    NamedTable(
      "queue entries", people: ["account_id", "device_id"],
      rows: .forgetClientTransaction, replacement: .forgetClientTransactionName,
      key: ["content_hash"],
      [
        (.text, "environment transaction_id original_transaction_id product_id state"),
        (.instant, "occurred_at"), (.text, "account_id device_id app_version"),
      ]),
    NamedTable(
      "reports of apps", people: ["account_id", "device_id"],
      rows: .forgetClientInvalidProduct, replacement: .forgetClientInvalidProductName,
      key: ["content_hash"],
      [
        (.text, "product_id"), (.instant, "reported_at"),
        (.text, "app_version account_id device_id"),
      ]),
  ]

  /// Replaces names by tokens, and replaces the hash of each changed row.
  ///
  /// - Parameters:
  ///   - tokens: The tokens by name, as the table contains the names.
  ///   - written: The tokens by each spelling of the names, for free text.
  /// - Returns: the number of rows that contained one of the names, and the files that contained
  ///   them first.
  func replace(
    _ tokens: [String: String], inTexts written: [String: String], in database: Connection
  ) throws -> (rows: Int, fileIDs: Set<String>) {
    let names = texts.isEmpty ? tokens.keys : written.keys
    let named = try database.run(rows, [PostgreSQLArray.text(Array(names))]).records
    var rows = 0
    var files: Set<String> = []
    for row in named {
      var values: [String: String] = [:]
      for column in columns where !column.name.isEmpty { values[column.name] = row[column.name] }
      for person in people { values[person] = row[person].map { tokens[$0] ?? $0 } }
      for text in texts { values[text] = row[text].map { WholeWord.replacing(written, in: $0) } }
      // A text can contain a name as a part of a longer word.
      guard (people + texts).contains(where: { values[$0] != row[$0] }) else { continue }
      rows += 1
      if let file = row["file_id"] { files.insert(file) }
      let hash = ContentFingerprint.hash(
        of: columns.map { Self.column($0.kind, values[$0.name]) })
      let given = key.map { row[$0] } + [hash]
      for preparation in preparations { try database.run(preparation, given) }
      try database.run(replacement, given + (people + texts).map { values[$0] })
    }
    return (rows, files)
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
