import ExactText
import PostgreSQL
import ReconciliationSQL

/// The delivery status for Apple, when Apple asks about a refund: `tieout delivery-status`.
package struct DeliveryStatusInquiry {
  /// The answers, in the order of the requested transactions.
  ///
  /// A transaction that is known in several environments has an answer for each of them.
  package let answers: [Answer]

  /// The answer that can be sent to Apple about one transaction, and the evidence for it.
  ///
  /// As JSON its members are Apple's: App Store Server API 1.19, `ConsumptionRequest`
  /// (developer.apple.com/documentation/appstoreserverapi/consumptionrequest).
  package struct Answer: Encodable, Sendable {
    /// The transaction that was asked about.
    package let transactionId: String
    /// Its environment; nil if no record contains the transaction.
    package let environment: String?
    /// The product that was bought; nil if no record contains the transaction.
    package let productId: String?
    /// The body to send; nil if the right answer is unknown.
    package let consumptionRequest: ConsumptionRequest?
    /// The reason for this answer, in words.
    package let because: String
    /// The deliveries that support the answer, of the whole family or chain, in the order of time.
    package private(set) var deliveries: [Delivery]
    /// The number of deliveries that are left out; nil if none is.
    package private(set) var deliveriesLeftOut: Int?

    /// Whether evidence, a delivery or an app's log contains the transaction.
    package var isKnown: Bool { environment != nil }
  }

  /// The members of Apple's `ConsumptionRequest` that evidence can fill in, and the two required
  /// ones.
  package struct ConsumptionRequest: Encodable, Sendable {
    /// `DELIVERED`, `UNDELIVERED_SERVER_OUTAGE`, `UNDELIVERED_WRONG_ITEM` or `UNDELIVERED_OTHER`.
    ///
    /// No delivery record supports `UNDELIVERED_QUALITY_ISSUE`
    /// (developer.apple.com/documentation/appstoreserverapi/deliverystatus).
    package let deliveryStatus: String
    /// The consumed share, in thousandths of a per cent.
    ///
    /// It is 0 if the product was not delivered, as Apple requires. It is missing if the product
    /// was delivered, because no delivery record contains it. It is also missing for auto-renewable
    /// subscriptions, because Apple refuses it for them
    /// (developer.apple.com/documentation/appstoreserverapi/consumptionpercentage).
    package let consumptionPercentage: Int?
    /// Whether the customer consented; missing unless the caller gave it.
    ///
    /// Apple refuses every value except true.
    package let customerConsented: Bool?
    /// Whether there was a free sample; missing unless the caller gave it.
    package let sampleContentProvided: Bool?
  }

  /// One delivery, from its record that is valid at as-of.
  package struct Delivery: Encodable, Sendable {
    /// The identifier of the delivery attempt.
    package let deliveryId: String
    /// `delivered`, `failed` or `pending`.
    package let status: String
    /// The product that was delivered.
    package let productId: String
    /// When the delivery occurred, in UTC.
    package let occurredAt: String
    /// The server, if the log names one.
    package let server: String?
    /// The error, if the log contains one.
    package let error: String?
    /// The path, inside the inbox, of the file that contains the record.
    package let file: String?
    /// The line in that file.
    package let line: Int?
  }

  /// The maximum number of transactions that are judged together.
  private static let together = 500

  /// Determines the answers.
  ///
  /// - Parameters:
  ///   - transactions: The identifiers of the transactions.
  ///   - hasConsent: The value to send for the customer's consent.
  ///   - hasSample: The value to send for a free sample.
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  /// - Throws: ``ReconciliationError`` or `PostgreSQLError`.
  package init(
    about transactions: [String], hasConsent: Bool? = nil, hasSample: Bool? = nil, database: String
  ) throws {
    let ask = { (names: [String]) -> [Answer] in
      try Self.answers(about: names, hasConsent, hasSample, in: database)
    }
    let first = try ask(transactions)
    // An unknown one may have been copied with quotation marks, for example.
    let spellings = first.filter { !$0.isKnown }.flatMap {
      NameSpelling.others(of: $0.transactionId)
    }
    let known = Dictionary(
      grouping: try ask(spellings.sortedByBytes()).filter(\.isKnown),
      by: { Array($0.transactionId.utf8) })
    answers = first.flatMap { answer -> [Answer] in
      guard !answer.isKnown else { return [answer] }
      let others = NameSpelling.others(of: answer.transactionId)
      return others.compactMap { known[Array($0.utf8)] }.first ?? [answer]
    }
  }

  private static func answers(
    about transactions: [String], _ hasConsent: Bool?, _ hasSample: Bool?, in database: String
  ) throws -> [Answer] {
    var answers: [Answer] = []
    for start in stride(from: 0, to: transactions.count, by: together) {
      let some = Array(transactions[start..<min(start + together, transactions.count)])
      answers += try AffectedPart.of(some, in: database) { part -> [Answer] in
        try part.make(.explainLatestAttempt)
        try part.make("thing", by: .explainStatusThing)
        for file in [
          SQLFile.explainRepresentingPurchase, .explainFirstPurchase, .explainMadeDelivery,
          .explainDeliveredElsewhere, .explainSilentServer, .explainLaterDelivery,
          .explainLaterRecord, .explainStatusLater, .explainReadLater,
        ] { try part.make(file) }
        _ = try part.withPlacedRecords(.explainOutageRecord) { try part.make(.explainOutage) }
        try part.make("rejected_name", by: .explainStatusName)
        for file in [
          SQLFile.explainRejectedDelivery, .explainClaimCause, .explainSupersededDelivery,
          .explainContradictedDelivery, .judgeUnreadFile, .explainUnsearchedDelivery,
          .explainWithdrawnSource, .explainDisputedProduct,
        ] { try part.make(file) }
        try part.findPossibleMatches()
        for file in [SQLFile.explainStatusCause, .explainStatusOther] { try part.make(file) }
        let statuses = Dictionary(grouping: try part.ask(.explainDeliveryStatus)) {
          Array($0.text("transaction_id").utf8)
        }
        let deliveries = Dictionary(grouping: try part.ask(.explainDeliveryEvidence)) {
          [$0.text("environment"), $0.text("transaction_id")].map { Array($0.utf8) }
        }
        return some.flatMap { id -> [Answer] in
          guard let rows = statuses[Array(id.utf8)] else { return [Answer(unknown: id)] }
          return rows.map { row in
            Answer(
              row, hasConsent: hasConsent, hasSample: hasSample,
              deliveries: deliveries[[row.text("environment"), id].map { Array($0.utf8) }] ?? [])
          }
        }
      }
    }
    return answers
  }
}

extension DeliveryStatusInquiry.Answer {
  /// The number of deliveries at the beginning and at the end that a short answer has.
  private static let shownDeliveries = 100

  /// The answer with the first hundred deliveries, the last hundred, and those that the reason
  /// names.
  package var shortened: Self {
    let named = Set(because.split { " ,:;()".contains($0) }.map(String.init))
    var answer = self
    answer.deliveries = deliveries.enumerated().filter { place, delivery in
      place < Self.shownDeliveries || place >= deliveries.count - Self.shownDeliveries
        || named.contains(delivery.deliveryId)
    }.map(\.element)
    let leftOut = deliveries.count - answer.deliveries.count
    answer.deliveriesLeftOut = leftOut > 0 ? leftOut : nil
    return answer
  }

  fileprivate init(unknown id: String) {
    self.init(
      transactionId: id, environment: nil, productId: nil, consumptionRequest: nil,
      because:
        "no transaction with this ID is known; tieout explain also searches rejected records",
      deliveries: [])
  }

  fileprivate init(
    _ row: Row, hasConsent: Bool?, hasSample: Bool?, deliveries: [Row]
  ) {
    self.init(
      transactionId: row.text("transaction_id"), environment: row["environment"],
      productId: row["product_id"],
      consumptionRequest: row["delivery_status"].map { status in
        DeliveryStatusInquiry.ConsumptionRequest(
          deliveryStatus: status, consumptionPercentage: row.number("consumption_percentage"),
          customerConsented: hasConsent, sampleContentProvided: hasSample)
      },
      because: row.text("because"),
      deliveries: deliveries.map { row in
        DeliveryStatusInquiry.Delivery(
          deliveryId: row.text("delivery_id"), status: row.text("status"),
          productId: row.text("product_id"), occurredAt: row.text("occurred_at"),
          server: row["server"], error: row["error"], file: row["file"], line: row.number("line"))
      })
  }
}
