import PostgreSQL

extension Row {
  /// The environment and the key of the thing that the row is about.
  var thing: [[UInt8]] { [text("environment"), text("thing_key")].map { Array($0.utf8) } }
}

extension Explanation.Obligation {
  /// The obligation in the row of a cause; nil if nothing is owed.
  init?(_ row: Row) throws(PostgreSQLError) {
    // The cause of a thing that is no purchase has no obligation.
    guard row.has("delivery"), let delivery = row["delivery"], let dueAt = row["due_at"] else {
      return nil
    }
    try self.init(
      transactionId: row.text("transaction_id"), productId: row.text("product_id"),
      delivery: delivery, dueAt: dueAt, attempts: row.count("attempts"))
  }
}

extension Explanation.AskedDelivery {
  init(_ row: Row) {
    self.init(isOnly: row.flag("is_only"), missed: row["missed"])
  }
}

extension Explanation.Shown {
  init(_ row: Row) throws(PostgreSQLError) {
    try self.init(
      transactions: row.count("transactions"),
      shownTransactions: row.count("shown_transactions"),
      deliveries: row.count("deliveries"),
      shownDeliveries: row.count("shown_deliveries"))
  }
}

extension Explanation.Member {
  init(_ row: Row) {
    self.init(
      transactionId: row.text("transaction_id"),
      originalTransactionId: row.text("original_transaction_id"),
      productId: row.text("product_id"), webOrderLineItemId: row["web_order_line_item_id"],
      purchasedAt: row.text("purchased_at"), refundedAt: row["refunded_at"],
      disposition: row.text("disposition"), because: row.text("because"), trust: row.text("trust"))
  }
}

extension Explanation.Event {
  init(_ row: Row) {
    self.init(
      at: row.text("at"), event: row.text("event"), words: row.text("words"), file: row["file"],
      line: row.number("line"), pointer: row["pointer"])
  }
}

extension Explanation.Verdict {
  init(_ row: Row) {
    self.init(
      rule: row.text("rule"), verdict: row.text("verdict"), level: row["level"],
      reason: row["reason"], words: row.text("words"), finding: row["finding"],
      status: row["status"], subject: row.text("subject"), productId: row["product_id"],
      refundedAt: row["refunded_at"], refundVerb: row["refund_verb"], deviceId: row["device_id"],
      error: row["error"])
  }
}

extension Explanation.PossibleMatch {
  init(_ row: Row) throws(PostgreSQLError) {
    try self.init(
      place: row.count("place"), deliveryId: row.text("delivery_id"),
      differs: row.text("differs"), words: row.text("words"),
      transactionId: row.text("transaction_id"), productId: row.text("product_id"),
      accountId: row["account_id"], server: row["server"], occurredAt: row.text("occurred_at"),
      file: row["file"], line: row.number("line"))
  }
}

extension Explanation.Rejection {
  init(_ row: Row) {
    self.init(
      file: row.text("file"), line: row.number("line"), kind: row.text("kind"),
      reason: row.text("reason"), detail: row.text("detail"), excerpt: row.text("excerpt"),
      asOf: row.text("as_of"), isEncoded: row.flag("is_encoded"))
  }
}

extension Explanation.Fact {
  init(_ row: Row) {
    self.init(
      section: row.text("section"), name: row.text("name"), words: row["words"],
      missing: row.number("missing"), delivered: row.number("delivered"), at: row["at"],
      file: row["file"], line: row.number("line"))
  }
}

extension Explanation.LeftOut {
  /// The facts that a row stands for; nil if the row is a fact itself.
  init?(_ row: Row) {
    guard let facts = row.number("left_out") else { return nil }
    self.init(
      section: row.text("section"), property: row["name"], facts: facts,
      missing: row.number("missing"), delivered: row.number("delivered"))
  }
}
