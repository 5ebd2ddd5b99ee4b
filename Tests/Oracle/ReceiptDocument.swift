/// One transaction in a receipt.
public struct TransactionEntry: Sendable {
  /// The id of the transaction.
  public var transactionID: String
  /// The id of the original transaction, if the receipt contains it.
  public var originalTransactionID: String?
  /// The product.
  public var productID: String
  /// The quantity, if the receipt contains it.
  public var quantity: Int?
  /// The date of the purchase or restore.
  public var purchaseDate: Instant
  /// The date of the original purchase.
  public var originalPurchaseDate: Instant?
  /// The end of the period of a subscription.
  public var expiresDate: Instant?
  /// The date of the refund.
  public var cancellationDate: Instant?
  /// The web order line item: the id of the period of a subscription; empty and 0 mean none.
  public var webOrderLineItemID: String?
  /// Whether it is a trial.
  public var isTrialPeriod: Bool?
  /// Whether it has an introductory price.
  public var isInIntroOfferPeriod: Bool?
  /// The id of the promotional offer that was used.
  public var promotionalOfferID: String?
  /// The name of the offer code that was used.
  public var offerCodeRefName: String?
  /// Whether an upgrade replaced it.
  public var isUpgraded: Bool?
  /// `PURCHASED` or `FAMILY_SHARED`.
  public var inAppOwnershipType: String?
  /// The price of the whole quantity, in major units of the currency.
  public var price: String?
  /// The currency of the price.
  public var currency: String?
  /// Whether its purchase date in text differs from the date in milliseconds.
  ///
  /// It applies only if the document contains both.
  public var isMisdated = false

  /// Makes an entry with only the values that every entry must have.
  public init(transactionID: String, productID: String, purchaseDate: Instant) {
    self.transactionID = transactionID
    self.productID = productID
    self.purchaseDate = purchaseDate
  }
}

/// One answer of `verifyReceipt`, with the content of its envelope.
public struct ReceiptDocument: Sendable {
  /// The two forms of the answer.
  public enum Body: Sendable {
    /// A receipt with many transactions, in two lists.
    case lists(inApp: [TransactionEntry], latest: [TransactionEntry])
    /// A receipt of one transaction, with at most two other transactions.
    case older(
      receipt: TransactionEntry, latest: TransactionEntry?, latestExpired: TransactionEntry?)
  }

  /// The format of the values; it does not change their meaning.
  public struct Style: Sendable {
    /// The formats of a date.
    public enum Dates: Sendable {
      /// As text and as milliseconds.
      case both
      /// As text only, without a fraction of a second.
      case text
      /// As milliseconds only.
      case milliseconds
    }

    /// The format of dates.
    public var dates = Dates.both
    /// Whether numbers are written without quotes.
    public var hasBareNumbers = false
    /// Whether booleans are written without quotes; if numbers are too, as 1 and 0.
    public var hasBareBooleans = false
    /// The offset of `received_at` from UTC, in hours.
    public var offsetHours = 0

    /// Makes the style of Apple's own answers.
    public init() {}
  }

  /// The transactions.
  public var body: Body
  /// Apple's status; the answer is used if it is 0 or 21006.
  public var status = 0
  /// The environment, if the answer contains it.
  public var environment: String?
  /// The time of the request.
  public var requestDate: Instant?
  /// The time at which the receipt was created.
  public var receiptCreationDate: Instant?
  /// Whether the answer is in an envelope.
  ///
  /// Without an envelope, the next four values are not written.
  public var hasEnvelope = true
  /// The time at which the document arrived.
  public var receivedAt: Instant?
  /// The account.
  public var accountID: String?
  /// The device that sent it.
  public var deviceID: String?
  /// The storefront of the account.
  public var storefront: String?
  /// The format of the values.
  public var style = Style()

  /// Makes a document with the given transactions.
  public init(body: Body) {
    self.body = body
  }
}
