import PostgreSQL
import ReconciliationSQL

/// One relation that a night carries forward to the next: a table `carried_…`, and the query that makes
/// it out of what was judged.
///
/// Every row is made by records that are reached together, or is a sum to which they add their part. So
/// a night that judges what it reaches, as it stood and as it stands, knows what to change of it.
struct CarriedRelation {
  /// The relation's name without `carried_`.
  let name: String
  let keys: [String]
  /// Sums of the parts that purchases have in them; the first counts the parts.
  ///
  /// Without sums each row belongs to records that are reached together.
  let sums: [String]

  private init(_ name: String, keys: [String], sums: [String] = []) {
    self.name = name
    self.keys = keys
    self.sums = sums
  }

  /// Made by judge/ itself, because what is judged after them reads them whole.
  static let judged = [
    CarriedRelation("log_instant", keys: ["occurred_at"], sums: ["attempts"]),
    CarriedRelation("source_hour", keys: ["server", "hour"], sums: ["attempts"]),
    CarriedRelation("source_product", keys: ["product_id", "day", "server"], sums: ["attempts"]),
    CarriedRelation("invalid_report", keys: ["product_id"]),
  ]

  /// Made by judge/ out of what sources sent; which of it changes ``SilentHours`` finds out.
  static let silentHour = CarriedRelation("silent_hour", keys: ["server", "hour"])

  /// What nights that judge a part show the whole of.
  static let whole = judged + [silentHour]

  /// Made by carried/, out of what was judged and found of purchases.
  static let found = [
    CarriedRelation("missing_delivery", keys: ["environment", "obligation_key"]),
    CarriedRelation("surplus_restore", keys: ["environment", "family_key"]),
    CarriedRelation("invalid_sighting", keys: ["kind", "environment", "record_id"]),
    CarriedRelation("shared_family", keys: ["environment", "family_key", "namespace"]),
    CarriedRelation(
      "client_restore", keys: ["occurred_at", "app_version", "device_id"], sums: ["restores"]),
    CarriedRelation(
      "revenue",
      keys: [
        "day", "product_id", "product_type", "product_state", "storefront", "currency",
        "price_source", "amount_scale", "refund_scale",
      ],
      sums: [
        "entries", "units_sold", "gross", "units_refunded", "refunds", "net", "units_upgraded",
      ]),
    CarriedRelation("total", keys: ["section", "measure"], sums: ["value"]),
    CarriedRelation("due", keys: ["at", "transaction_id"]),
    CarriedRelation(
      "served",
      keys: [
        "due_hour", "product_id", "product_type", "purchase_hour", "server", "region",
        "app_version",
      ],
      sums: ["deliveries"]),
  ]

  private var table: String { "carried_\(name)" }

  /// Hides the table by an empty one of the transaction's own: what is judged then is not carried on.
  func hide(in database: Connection) throws {
    try database.run(
      "create temporary table \(table) (like tieout.\(table) including all) on commit drop",
      step: table)
  }

  /// Makes the table what `relation` says; what is the same already is left alone.
  ///
  /// - Returns: how many rows were taken out or put in.
  @discardableResult
  func replace(by relation: String, in database: Connection) throws -> Int {
    // On a first night there is nothing that a row could differ from.
    let isEmpty = try database.run("select not exists (select from \(table))", step: table)
    guard isEmpty.first != "t" else {
      // In the order of its key, which then grows at one end.
      return try database.run(
        "insert into \(table) select * from \(relation) order by \(keys.joined(separator: ", "))",
        step: table
      ).affected
    }
    return try exchange(table, for: relation, in: database)
  }

  /// Changes the table by what two judgements of the same records differ in.
  func change(from before: String, to after: String, in database: Connection) throws {
    guard !sums.isEmpty else {
      try exchange(before, for: after, in: database)
      return
    }
    let keyList = keys.joined(separator: ", ")
    let sumList = sums.joined(separator: ", ")
    let difference = "difference_\(name)"
    try database.run(
      """
      create temporary table \(difference) on commit drop as
      select \(keyList), \(sums.map { "sum(\($0)) as \($0)" }.joined(separator: ", "))
      from (
          select \(keyList), \(sumList) from \(after)
          union all
          select \(keyList), \(sums.map { "-\($0)" }.joined(separator: ", ")) from \(before)
      ) as part
      group by \(keyList)
      having \(sums.map { "coalesce(sum(\($0)), 0) <> 0" }.joined(separator: " or "));
      analyze \(difference);
      create temporary table come on commit drop as
      select \(keyList), \(sumList)
      from \(difference) as part
      where not exists (select from \(table) as carried where \(same("carried", "part")));
      update \(table) as carried
      set \(sums.map { "\($0) = carried.\($0) + part.\($0)" }.joined(separator: ", "))
      from \(difference) as part
      where \(same("carried", "part"));
      insert into \(table) (\(keyList), \(sumList))
      select \(keyList), \(sumList)
      from come;
      drop table come;
      delete from \(table) as carried using \(difference) as part
      where \(same("carried", "part")) and carried.\(sums[0]) = 0
      """, step: table)
  }

  /// Takes out what only `before` has, and puts in what only `after` has.
  @discardableResult
  private func exchange(_ before: String, for after: String, in database: Connection) throws -> Int
  {
    try database.run(
      """
      create temporary table gone on commit drop as
      select * from \(before) except select * from \(after);
      create temporary table come on commit drop as
      select * from \(after) except select * from \(before);
      analyze gone
      """, step: table)
    let gone = try database.run(
      "delete from \(table) as carried using gone where \(same("carried", "gone"))", step: table)
    let come = try database.run("insert into \(table) select * from come", step: table)
    try database.run("drop table gone; drop table come", step: table)
    return gone.affected + come.affected
  }

  private func same(_ one: String, _ other: String) -> String {
    keys.map { "\(one).\($0) = \(other).\($0)" }.joined(separator: " and ")
  }
}
