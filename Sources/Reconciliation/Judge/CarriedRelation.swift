import PostgreSQL
import ReconciliationSQL

/// One relation that a night carries forward to the next: a table `carried_…`, and the query that makes
/// it out of what was judged.
///
/// Every row is made by records that are reached together, or is a sum to which they add their part. So
/// a night that judges what it reaches, as it stood and as it stands, knows what to change of it.
struct CarriedRelation {
  /// The query that makes it; it is named for the relation.
  let query: SQLFile
  let keys: [String]
  /// Sums of the parts that purchases have in them; the first counts the parts.
  ///
  /// Without sums each row belongs to records that are reached together.
  let sums: [String]

  private init(_ query: SQLFile, keys: [String], sums: [String] = []) {
    self.query = query
    self.keys = keys
    self.sums = sums
  }

  /// The relation's name without `carried_`.
  var name: String { query.subject }

  /// Made by judge/ itself, because what is judged after them reads them whole.
  static let judged = [
    CarriedRelation(.judgeLogInstant, keys: ["occurred_at"], sums: ["attempts"]),
    CarriedRelation(.judgeSourceHour, keys: ["server", "hour"], sums: ["attempts"]),
    CarriedRelation(
      .judgeSourceProduct, keys: ["product_id", "day", "server"], sums: ["attempts"]),
    CarriedRelation(.judgeInvalidReport, keys: ["product_id"]),
  ]

  /// Made by judge/ out of what sources sent; which of it changes ``SilentHours`` finds out.
  static let silentHour = CarriedRelation(.judgeSilentHour, keys: ["server", "hour"])

  /// What nights that judge a part show the whole of.
  static let whole = judged + [silentHour]

  /// Made by carried/, out of what was judged and found of purchases.
  static let found = [
    CarriedRelation(.carriedMissingDelivery, keys: ["environment", "obligation_key"]),
    CarriedRelation(.carriedSurplusRestore, keys: ["environment", "family_key"]),
    CarriedRelation(.carriedInvalidSighting, keys: ["kind", "environment", "record_id"]),
    CarriedRelation(.carriedSharedFamily, keys: ["environment", "family_key", "namespace"]),
    CarriedRelation(
      .carriedClientRestore, keys: ["occurred_at", "app_version", "device_id"],
      sums: ["restores"]),
    CarriedRelation(
      .carriedRevenue,
      keys: [
        "day", "product_id", "product_type", "product_state", "storefront", "currency",
        "price_source", "amount_scale", "refund_scale",
      ],
      sums: [
        "entries", "units_sold", "gross", "units_refunded", "refunds", "net", "units_upgraded",
      ]),
    CarriedRelation(.carriedTotal, keys: ["section", "measure"], sums: ["value"]),
    CarriedRelation(.carriedDue, keys: ["at", "transaction_id"]),
    CarriedRelation(
      .carriedServed,
      keys: [
        "due_hour", "product_id", "product_type", "purchase_hour", "server", "region",
        "app_version",
      ],
      sums: ["deliveries"]),
  ]

  private var table: String { "carried_\(name)" }

  /// Hides the table by an empty one of the transaction's own: what is judged then is not carried on.
  func hide(in database: Connection) throws {
    try database.run(.hideCarried, ["table": table], step: table)
  }

  /// Makes the table what `relation` says; what is the same already is left alone.
  ///
  /// - Returns: how many rows were taken out or put in.
  @discardableResult
  func replace(by relation: String, in database: Connection) throws -> Int {
    // On a first night there is nothing that a row could differ from.
    let isEmpty = try database.run(.isCarriedEmpty, ["table": table], step: table)
    guard isEmpty.first != "t" else {
      let words = [
        "table": table, "relation": relation, "keys": keys.joined(separator: ", "),
        "columns": try Self.columns(of: table, in: database),
      ]
      return try database.run(.fillCarried, words, step: table).affected
    }
    return try exchange(table, for: relation, in: database)
  }

  /// Changes the table by what two judgements of the same records differ in.
  func change(from before: String, to after: String, in database: Connection) throws {
    guard !sums.isEmpty else {
      try exchange(before, for: after, in: database)
      return
    }
    let words = [
      "table": table, "before": before, "after": after, "difference": "difference_\(name)",
      "keys": keys.joined(separator: ", "),
      "sums": sums.joined(separator: ", "),
      "negatives": sums.map { "-\($0) as \($0)" }.joined(separator: ", "),
      "totals": sums.map { "sum(\($0)) as \($0)" }.joined(separator: ", "),
      "changes": sums.map { "coalesce(sum(\($0)), 0) <> 0" }.joined(separator: " or "),
      "additions": sums.map { "\($0) = carried.\($0) + part.\($0)" }.joined(separator: ", "),
      "count": sums[0],
      "same": same("carried", "part"),
    ]
    try database.run(.compareSums, words, step: table)
    try database.run(.addSums, words, step: table)
  }

  /// Takes out what only `before` has, and puts in what only `after` has.
  @discardableResult
  private func exchange(_ before: String, for after: String, in database: Connection) throws -> Int
  {
    let words = [
      "table": table, "before": before, "after": after, "same": same("carried", "gone"),
      "columns": try Self.columns(of: table, in: database),
    ]
    try database.run(.compareRows, words, step: table)
    let gone = try database.run(.takeOutRows, words, step: table)
    let come = try database.run(.putInRows, words, step: table)
    try database.run(.dropRows, step: table)
    return gone.affected + come.affected
  }

  /// The columns of a table by their names: so no value depends on the order of columns in a query.
  static func columns(of table: String, in database: Connection) throws -> String {
    let columns = try database.run(.columnsOfCarried, with: [table], step: table)
    guard let columns = columns.first else {
      throw ReconciliationError(.totals, "The table \(table) does not exist. Restore a backup.")
    }
    return columns
  }

  private func same(_ one: String, _ other: String) -> String {
    keys.map { "\(one).\($0) = \(other).\($0)" }.joined(separator: " and ")
  }
}
