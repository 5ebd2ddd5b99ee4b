package import PostgreSQL
package import ReconciliationSQL
package import Runs

/// The relations of judge/ and the findings of the rules, as temporary tables.
///
/// They hide the views of the same names. So a night of any as-of can be judged while other
/// sessions read the database.
package struct JudgedRelations {
  let database: Connection

  /// Judges on this connection.
  package init(database: Connection) {
    self.database = database
  }

  /// Makes every relation of judge/ for the selected night, and an empty table `found`.
  ///
  /// - Parameters:
  ///   - size: How much of the ledger is judged. A few rows need no statistics.
  ///   - made: Called after each relation is made, with its file.
  ///   - instead: Called before each relation is made; true if it does not have to be made.
  package func make(
    steps: Steps, of size: AffectedSize = .much, made: (SQLFile) throws -> Void = { _ in },
    instead: (SQLFile) throws -> Bool = { _ in false }
  ) throws {
    try database.samplingFewRows(step: "judged relations") {
      for file in SQLFile.judgedRelations where try !instead(file) {
        try make(file, of: size, steps: steps)
        try made(file)
      }
    }
    try database.run(SQLFile.nightFound)
  }

  private func make(_ file: SQLFile, of size: AffectedSize, steps: Steps) throws {
    let isAffected = !Self.ofAllNights.contains(file)
    let isEmpty = size == .nothing && isAffected
    try steps.measure(file.name, size: StepSize.written) {
      let rows = try database.run(
        isEmpty ? .makeEmptyTable : .makeTable, ["table": file.subject, "query": file.text],
        step: file.name)
      if size == .much || !isAffected {
        try database.analyze(file.subject, columns: Self.analyzed[file] ?? "", step: file.name)
      }
      return rows
    }
    guard let columns = Self.indexes[file] else { return }
    try database.run(.indexTable, ["table": file.subject, "columns": columns], step: file.name)
  }

  /// Inserts the findings of the rules into `found`.
  ///
  /// A subject consists of parts joined by spaces. Two keys with spaces in their identifiers can
  /// give the same subject. They are then one finding.
  package func apply(_ rules: [Rule], steps: Steps) throws {
    for rule in rules {
      try steps.measure(rule.query.name, size: StepSize.written) {
        try database.run(
          .withQuery,
          ["name": "judged", "query": rule.query.text, "text": SQLFile.nightRule.text],
          with: [rule.name], step: rule.query.name)
      }
    }
    try database.analyze("found", step: "found")
  }

  /// Adds to each finding about one purchase what the purchase cost.
  func price() throws {
    try database.run(SQLFile.nightPrice)
  }

  /// Drops the temporary relations, so that the views are visible again.
  func drop() throws {
    let views = CarriedRelation.whole.map(\.name)
    try dropViews(views)
    let tables = SQLFile.judgedRelations.map(\.subject).filter { !views.contains($0) } + ["found"]
    try database.drop(tables: tables, step: "judged relations")
  }

  /// Drops views that show whole relations.
  ///
  /// Unlike the temporary tables, these views would outlive the transaction.
  func dropViews(_ names: [String]) throws {
    try database.drop(views: names, step: "judged relations")
  }

  /// Checks the pairs of totals that must be equal, as night_balance.sql returns them.
  ///
  /// - Returns: the number of transactions that the rules judged.
  func assertBalanced() throws -> Int {
    let notComputed = ReconciliationError(.totals, "The control totals were not computed.")
    let pairs = try database.run(SQLFile.nightBalance).records
    var transactions: Int?
    for pair in pairs {
      guard let count = pair["count"], let sum = pair["sum"] else { throw notComputed }
      guard count == sum else {
        throw ReconciliationError(
          .totals,
          """
          Control totals do not agree: \(count) \(pair.text("counted")), but \(sum) \(pair.text("summed")). \
          Nothing was published.
          """)
      }
      if pair["measure"] == "transactions" { transactions = Int(count) }
    }
    guard let transactions else { throw notComputed }
    return transactions
  }

  /// The relations that do not follow from the judged records: they are whole on every night.
  private static let ofAllNights: Set<SQLFile> = [
    .judgeNight, .judgeProduct, .judgePrice, .judgeSilentHour, .judgeSilence, .judgeBooks,
  ]

  /// The columns by which a large relation is joined, grouped and filtered.
  ///
  /// Sampling all columns takes longer, above all the columns with sets of accounts. Every column
  /// by which a query filters must be in this list. Without statistics of a column, the planner
  /// assumes that `is null` is rare, and looks up a million rows one by one.
  private static let analyzed: [SQLFile: String] = [
    .judgeConsideredTransaction:
      """
    (environment, transaction_id, original_transaction_id, product_type, web_order_line_item_id, \
    line_item_number, is_configured)
    """,
    .judgeMember: """
    (environment, transaction_id, original_transaction_id, family_key, obligation_key, place, \
    is_completed_purchase, disposition, product_id, product_type, product_state, is_configured, \
    purchased_at, refunded_at, reversed_refunds, is_conflicting, is_claimed, trust)
    """,
    .judgeFamily: """
    (environment, family_key, obligation_key, original_transaction_id, product_id, product_type, \
    is_configured, is_completed, disposition, purchased_at, is_upgrade, refunded_at, price, \
    restored_transactions)
    """,
    .judgeDelivery: """
    (environment, delivery_id, transaction_id, product_id, transaction_family_key, \
    original_transaction_id, web_order_line_item_id)
    """,
    .judgeAttempt: """
    (environment, is_configured, family_key, obligation_key, transaction_id, product_id, status, \
    occurred_at, grace_ends_at, is_listed, account_id, device_id)
    """,
    .judgeObligation: """
    (environment, obligation_key, subject, product_id, delivery, purchased_at, due_at, class, \
    is_refunded)
    """,
    .judgeUndelivered: "(environment, obligation_key, family_key)",
    .judgeSale: """
    (environment, family_key, disposition, product_id, product_type, product_state, sold_on, \
    refunded_on, price_source, currency, storefront)
    """,
  ]

  /// The indexes for the few lookups by key that a hash join cannot serve.
  private static let indexes: [SQLFile: String] = [
    .judgeLogHour: "hour", .judgeSourceHour: "server, hour",
    .judgeSourceProduct: "product_id, month",
  ]
}
