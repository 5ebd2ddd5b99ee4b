import Intake
import PostgreSQL

/// A table whose rows name people, with the columns from which the rows' hashes are made.
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

  /// The name that queries read it by.
  let name: String
  /// The table itself; ``name`` may be a view of it.
  let table: String
  /// The name of its rows in texts for people.
  let kind: String
  /// The columns in the order in which the loader writes them.
  let columns: [Column]
  /// The columns that hold names of accounts and devices.
  let people: [String]
  /// The columns that identify a row together with its hash.
  let key: [String]

  private init(
    _ name: String, in table: String? = nil, _ kind: String, people: [String],
    key: [String] = [], _ columns: [(Kind, String)]
  ) {
    self.name = name
    self.table = table ?? name
    self.kind = kind
    self.people = people
    self.key = key
    self.columns = columns.flatMap { kind, names in
      names.split(separator: " ", omittingEmptySubsequences: false).map {
        Column(name: String($0), kind: kind)
      }
    }
  }

  static let all = [
    NamedTable(
      "evidence", in: "stored_evidence", "pieces of evidence",
      people: ["account_id", "device_id", "account_token"],
      key: ["environment", "transaction_number"],
      [
        (.text, "environment"), (.identifier, "transaction_id"), (.hash, ""), (.age, ""),
        (.identifier, "original_transaction_id"), (.text, "product_id"), (.bigint, "quantity"),
        (.instant, "purchased_at original_purchased_at expires_at cancelled_at"),
        (.identifier, "web_order_line_item_id"),
        (
          .boolean,
          "is_trial is_introductory_offer is_promotional_offer is_family_shared is_upgraded"
        ),
        (.text, "price currency storefront account_id device_id trust"),
        (.boolean, "is_signed_transaction"), (.text, "product_type"),
        (.integer, "revocation_percentage"), (.text, "account_token"),
        (.boolean, "dates_disagree environments_disagree"),
      ]),
    NamedTable(
      "delivery_record", in: "stored_delivery", "delivery records",
      people: ["account_id", "device_id"], key: ["delivery_id", "transaction_number"],
      [
        (.text, "delivery_id"), (.identifier, "transaction_id"), (.text, "product_id status"),
        (.instant, "occurred_at"), (.text, "environment"),
        (.identifier, "original_transaction_id web_order_line_item_id"),
        (.text, "account_id device_id"),
        (.text, "server region app_version error"), (.bigint, "bytes"), (.integer, "revision"),
      ]),
    NamedTable(
      "client_transaction", "queue entries", people: ["account_id", "device_id"],
      [
        (.text, "environment transaction_id original_transaction_id product_id state"),
        (.instant, "occurred_at"), (.text, "account_id device_id app_version"),
      ]),
    NamedTable(
      "client_invalid_product", "reports of apps", people: ["account_id", "device_id"],
      [
        (.text, "product_id"), (.instant, "reported_at"),
        (.text, "app_version account_id device_id"),
      ]),
  ]

  /// Replaces names by tokens, and replaces the hash of each changed row.
  ///
  /// - Parameter tokens: The tokens by name, as the table contains the names.
  /// - Returns: the number of rows that contained one of the names, and the files that contained
  ///   them first.
  func replace(
    _ tokens: [String: String], in database: Connection
  ) throws -> (rows: Int, fileIDs: Set<String>) {
    let named = columns.filter { !$0.name.isEmpty }
    let list = named.map { column in
      column.kind == .instant
        ? "extract(epoch from named.\(column.name))::bigint as \(column.name)"
        : "named.\(column.name)::text as \(column.name)"
    }
    let condition = people.map { "named.\($0) = any ($1::text[])" }.joined(separator: " or ")
    let identified = identity.map { "named.\($0)" }.joined(separator: ", ")
    let rows = try database.run(
      """
      select named.file_id, \(identified), \(list.joined(separator: ", "))
      from \(name) as named
      where \(condition)
      """, [PostgreSQLArray.text(Array(tokens.keys))], step: "forget")
    let records = rows.records
    for record in records {
      var values = record
      for person in people { values[person] = record[person].map { tokens[$0] ?? $0 } }
      let hash = StatementFingerprint.hash(
        of: columns.map { Self.column($0.kind, values[$0.name]) })
      try replace(record, with: values, hash: hash, in: database)
    }
    return (records.count, Set(records.compactMap { $0["file_id"] }))
  }

  /// The columns that identify a row.
  private var identity: [String] { ["statement_hash"] + key }

  /// Replaces the names in one row; deletes the row if another row then says the same.
  ///
  /// The row is known by its identity, not by its place: the table can be distributed.
  private func replace(
    _ row: [String: String], with values: [String: String], hash: String,
    in database: Connection
  ) throws {
    guard hash != row["statement_hash"]?.filter({ $0 != "-" }) else { return }
    // The first parameter is the new hash, and the others are the row's identity.
    let given = [hash] + identity.map { row[$0] }
    func isSame(_ one: String) -> String {
      key.enumerated().map { "\(one).\($1) = $\($0 + 3)::\(Self.type(of: $1)) and " }.joined()
    }
    let before = "\(isSame("one"))one.statement_hash = $2::uuid"
    let after = "\(isSame("other"))other.statement_hash = $1::uuid"
    try database.run(
      """
      update open_statement
      set statement_hash = $1::uuid
      where kind = '\(name)' and statement_hash = $2::uuid
      """, [hash, row["statement_hash"]], step: "forget")
    if name == "evidence" {
      // The row that stays has the ages and the place of both, as if they were loaded as one.
      try database.run(
        """
        update \(table) as other
        set
            (evidence_at, file_id, line, pointer) = (
                select place.evidence_at, place.file_id, place.line, place.pointer
                from (
                    values
                    (one.evidence_at, one.file_id, one.line, one.pointer),
                    (other.evidence_at, other.file_id, other.line, other.pointer)
                ) as place (evidence_at, file_id, line, pointer)
                order by place.evidence_at, place.file_id, place.line, place.pointer
                limit 1
            ),
            last_evidence_at = greatest(other.last_evidence_at, one.last_evidence_at)
        from \(table) as one
        where \(before) and \(after)
        """, given, step: "forget")
    }
    try database.run(
      """
      delete from \(table) as one
      using \(table) as other
      where \(before) and \(after)
      """, given, step: "forget")
    let sets = people.enumerated().map { "\($1) = $\($0 + given.count + 1)" }.joined(separator: ", ")
    try database.run(
      "update \(table) as one set statement_hash = $1::uuid, \(sets) where \(before)",
      given + people.map { values[$0] }, step: "forget")
  }

  /// The type of a column of ``identity``.
  private static func type(of column: String) -> String {
    column == "transaction_number" ? "bigint" : "text"
  }

  private static func column(_ kind: Kind, _ value: String?) -> StatementFingerprint.Column {
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
