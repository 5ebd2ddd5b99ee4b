/// One transaction as a receipt tells it.
public struct TransactionEntry: Sendable {
  /// The transaction's own id.
  public var transactionID: String
  /// The id of the purchase behind it, if the receipt says so.
  public var originalTransactionID: String?
  /// What was bought.
  public var productID: String
  /// How many, if the receipt says so.
  public var quantity: Int?
  /// When it was bought or restored.
  public var purchaseDate: Instant
  /// When the purchase behind it was made.
  public var originalPurchaseDate: Instant?
  /// When a subscription's period ends.
  public var expiresDate: Instant?
  /// When it was refunded.
  public var cancellationDate: Instant?
  /// The id of a subscription's period; empty and 0 mean none.
  public var webOrderLineItemID: String?
  /// Whether it is a trial.
  public var isTrialPeriod: Bool?
  /// Whether it is at an introductory price.
  public var isInIntroOfferPeriod: Bool?
  /// The promotional offer that was taken.
  public var promotionalOfferID: String?
  /// The offer code that was redeemed.
  public var offerCodeRefName: String?
  /// Whether an upgrade replaced it.
  public var isUpgraded: Bool?
  /// `PURCHASED` or `FAMILY_SHARED`.
  public var inAppOwnershipType: String?
  /// What was paid for the whole quantity, in major units.
  public var price: String?
  /// The currency that it was paid in.
  public var currency: String?
  /// Whether its purchase date reads otherwise in text than in milliseconds, where both are given.
  public var isMisdated = false

  /// Makes an entry that says only what every entry must.
  public init(transactionID: String, productID: String, purchaseDate: Instant) {
    self.transactionID = transactionID
    self.productID = productID
    self.purchaseDate = purchaseDate
  }
}

/// One answer of `verifyReceipt`, and what the envelope around it says.
public struct ReceiptDocument: Sendable {
  /// The two forms that the answer takes.
  public enum Body: Sendable {
    /// A receipt of many transactions, in two lists.
    case lists(inApp: [TransactionEntry], latest: [TransactionEntry])
    /// A receipt that is one transaction, with up to two more beside it.
    case older(
      receipt: TransactionEntry, latest: TransactionEntry?, latestExpired: TransactionEntry?)
  }

  /// How the values are written; it changes no meaning.
  public struct Style: Sendable {
    /// The ways to write a date.
    public enum Dates: Sendable {
      /// As text and as milliseconds.
      case both
      /// As text only, which has no fraction of a second.
      case text
      /// As milliseconds only.
      case milliseconds
    }

    /// How dates are written.
    public var dates = Dates.both
    /// Whether numbers stand without quotes.
    public var hasBareNumbers = false
    /// Whether booleans stand without quotes.
    public var hasBareBooleans = false
    /// How far ahead of Greenwich the clock of `received_at` is.
    public var offsetHours = 0

    /// Makes the style that Apple's own answers have.
    public init() {}
  }

  /// The transactions.
  public var body: Body
  /// Apple's status; 0 and 21006 are usable.
  public var status = 0
  /// The environment, where the answer says it.
  public var environment: String?
  /// When the answer was asked for.
  public var requestDate: Instant?
  /// When the receipt was made.
  public var receiptCreationDate: Instant?
  /// Whether an envelope is around the answer; without one the next four are not written.
  public var hasEnvelope = true
  /// When the document came in.
  public var receivedAt: Instant?
  /// Whose it is.
  public var accountID: String?
  /// Which device sent it.
  public var deviceID: String?
  /// The storefront of the account.
  public var storefront: String?
  /// How it is written.
  public var style = Style()

  /// Makes a document around transactions.
  public init(body: Body) {
    self.body = body
  }
}
