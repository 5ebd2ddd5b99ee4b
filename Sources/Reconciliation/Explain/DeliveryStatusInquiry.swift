import ReconciliationSQL

/// Asks what the evidence says of deliveries when Apple asks about a refund: `tieout delivery-status`.
public struct DeliveryStatusInquiry {
  /// An answer for each transaction, in the order in which they were asked about; of a transaction that is
  /// known in several environments one for each.
  public let answers: [Answer]

  /// What can be sent to Apple about one transaction, and what that stands on.
  ///
  /// As JSON its members are Apple's: App Store Server API 1.19, `ConsumptionRequest`
  /// (developer.apple.com/documentation/appstoreserverapi/consumptionrequest).
  public struct Answer: Encodable, Sendable {
    /// The transaction that was asked about.
    public let transactionId: String
    /// Its environment; nil where no evidence knows it.
    public let environment: String?
    /// What was bought; nil where no evidence knows it.
    public let productId: String?
    /// The body to send; nil where it cannot be known what to say.
    public let consumptionRequest: ConsumptionRequest?
    /// Why it is this, in words.
    public let because: String
    /// The deliveries that it stands on, of the whole family or chain, in the order of time.
    public let deliveries: [Delivery]

    /// Whether evidence knows the transaction.
    public var isKnown: Bool { environment != nil }
  }

  /// The members of Apple's `ConsumptionRequest` that evidence can fill in, and the two that it requires
  /// besides.
  public struct ConsumptionRequest: Encodable, Sendable {
    /// `DELIVERED`, `UNDELIVERED_SERVER_OUTAGE`, `UNDELIVERED_WRONG_ITEM` or `UNDELIVERED_OTHER`; no delivery
    /// record supports `UNDELIVERED_QUALITY_ISSUE`
    /// (developer.apple.com/documentation/appstoreserverapi/deliverystatus).
    public let deliveryStatus: String
    /// How much was consumed, in thousandths of a per cent: 0 where it was not delivered, as Apple requires;
    /// missing where it was delivered, as no delivery record tells, and for auto-renewable subscriptions, for
    /// which Apple refuses it
    /// (developer.apple.com/documentation/appstoreserverapi/consumptionpercentage).
    public let consumptionPercentage: Int?
    /// Whether the customer consented; missing unless the caller said so.
    ///
    /// Apple refuses anything but true.
    public let customerConsented: Bool?
    /// Whether there was a free sample; missing unless the caller said so.
    public let sampleContentProvided: Bool?
  }

  /// One delivery, as its record that stands at as-of tells.
  public struct Delivery: Encodable, Sendable {
    /// The attempt.
    public let deliveryId: String
    /// `delivered`, `failed` or `pending`.
    public let status: String
    /// What was handed over.
    public let productId: String
    /// When, in UTC.
    public let occurredAt: String
    /// The server, if the log names one.
    public let server: String?
    /// What went wrong, if the log says it.
    public let error: String?
    /// The path, inside the inbox, of the file that tells of it.
    public let file: String?
    /// The line there.
    public let line: Int?
  }

  /// So many are judged together.
  private static let together = 500

  /// Asks.
  ///
  /// - Parameters:
  ///   - transactions: Ids of transactions.
  ///   - hasConsent: What to say of the customer's consent.
  ///   - hasSample: What to say of a free sample.
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  /// - Throws: ``ReconciliationError`` or `PostgreSQLError`.
  public init(
    about transactions: [String], hasConsent: Bool? = nil, hasSample: Bool? = nil, database: String
  ) throws {
    var answers: [Answer] = []
    for start in stride(from: 0, to: transactions.count, by: Self.together) {
      let some = Array(transactions[start..<min(start + Self.together, transactions.count)])
      answers += try ReachedPart.of(some, in: database) { part -> [Answer] in
        let statuses = Dictionary(grouping: try part.ask(.explainDeliveryStatus)) {
          $0.text("transaction_id")
        }
        let deliveries = Dictionary(grouping: try part.ask(.explainDeliveryEvidence)) {
          [$0.text("environment"), $0.text("transaction_id")]
        }
        return some.flatMap { id -> [Answer] in
          guard let rows = statuses[id] else { return [Answer(unknown: id)] }
          return rows.map { row in
            Answer(
              row, hasConsent: hasConsent, hasSample: hasSample,
              deliveries: deliveries[[row.text("environment"), id]] ?? [])
          }
        }
      }
    }
    self.answers = answers
  }
}

extension DeliveryStatusInquiry.Answer {
  fileprivate init(unknown id: String) {
    self.init(
      transactionId: id, environment: nil, productId: nil, consumptionRequest: nil,
      because: "no evidence knows this transaction: it cannot be known", deliveries: [])
  }

  fileprivate init(
    _ row: NamedRow, hasConsent: Bool?, hasSample: Bool?, deliveries: [NamedRow]
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
