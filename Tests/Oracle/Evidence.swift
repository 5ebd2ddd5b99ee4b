/// One place where a transaction was seen, with the content of that place.
struct Evidence {
  let environment: ByteText
  let entry: TransactionEntry
  /// The instant of the evidence, in seconds since 1970: smaller is older.
  ///
  /// A list without its own date has the age of its arrival: `in_app` never uses `request_date`.
  let age: Int
  let account: ByteText?
  let device: ByteText?
  let storefront: ByteText?
  /// The signed transaction, with values that only signed transactions have; nil for a receipt.
  var signed: SignedTransaction?
  /// The reason why it looks forged; nil if it does not.
  var suspicion: String?

  /// Makes the evidence of a signed transaction.
  init(_ transaction: SignedTransaction) {
    var entry = transaction.entry
    if transaction.reversesRefund {
      entry.cancellationDate = nil
      entry.isUpgraded = nil
    }
    self.entry = entry
    environment = ByteText(transaction.environment)
    age = transaction.signedAt.seconds
    account = ByteText(transaction.accountID)
    device = ByteText(transaction.deviceID)
    storefront = ByteText(transaction.storefront)
    signed = transaction
  }

  /// The evidence of a document; none if its status is an error.
  static func of(_ document: ReceiptDocument) -> [Evidence] {
    guard document.status == 0 || document.status == 21006 else { return [] }
    let requested = document.requestDate
    switch document.body {
    case .lists(let inApp, let latest):
      return inApp.map { Evidence($0, in: document, asked: document.receiptCreationDate) }
        + latest.map { Evidence($0, in: document, asked: requested) }
    case .older(let receipt, let latest, let latestExpired):
      return [receipt, latest, latestExpired].compactMap { $0 }
        .map { Evidence($0, in: document, asked: requested) }
    }
  }

  private init(_ entry: TransactionEntry, in document: ReceiptDocument, asked: Instant?) {
    self.entry = entry
    environment = ByteText(document.environment ?? "Production")
    let received = document.hasEnvelope ? document.receivedAt : nil
    age = (asked ?? received ?? entry.purchaseDate).seconds
    account = document.hasEnvelope ? ByteText(document.accountID) : nil
    device = document.hasEnvelope ? ByteText(document.deviceID) : nil
    storefront = document.hasEnvelope ? ByteText(document.storefront) : nil
    if entry.isMisdated && document.style.dates == .both || Self.isRefundedBeforePurchase(entry) {
      suspicion = "dates_disagree"
    } else if let expiry = entry.expiresDate, expiry.seconds >= 3_818_448_000 {
      suspicion = "far_expiry"
    }
  }

  /// Whether the refund is more than a second before the purchase, or before the original purchase of
  /// a restored transaction.
  private static func isRefundedBeforePurchase(_ entry: TransactionEntry) -> Bool {
    guard let refund = entry.cancellationDate?.seconds else { return false }
    let original = entry.originalPurchaseDate?.seconds
    if StoreID(entry.originalTransactionID) ?? StoreID(entry.transactionID)
      != StoreID(entry.transactionID), original == nil
    {
      return false
    }
    let purchase = entry.purchaseDate.seconds
    return refund + 1 < min(purchase, original ?? purchase)
  }

  var lineItem: StoreID? {
    StoreID.lineItem(entry.webOrderLineItemID)
  }

  var ownAmount: OwnAmount? {
    guard let price = entry.price.flatMap({ Amount($0) }), let currency = ByteText(entry.currency)
    else { return nil }
    return OwnAmount(amount: price, currency: currency)
  }

  var isOffer: Bool {
    entry.isInIntroOfferPeriod == true || ByteText(entry.promotionalOfferID) != nil
      || ByteText(entry.offerCodeRefName) != nil
  }
}

extension [Evidence] {
  /// The value of the first piece of evidence that has one.
  ///
  /// Signed evidence comes before unsigned evidence, then older before younger evidence; of equally
  /// old values the smallest counts.
  func oldest<Value: Comparable>(_ value: (Evidence) -> Value?) -> Value? {
    var best: (rank: (Int, Int), value: Value)?
    for evidence in self {
      guard let candidate = value(evidence) else { continue }
      let rank = (evidence.signed == nil ? 1 : 0, evidence.age)
      guard let standing = best else {
        best = (rank, candidate)
        continue
      }
      if rank < standing.rank || (rank == standing.rank && candidate < standing.value) {
        best = (rank, candidate)
      }
    }
    return best?.value
  }

  /// All different values of the evidence.
  func distinct<Value: Hashable>(_ value: (Evidence) -> Value?) -> Set<Value> {
    Set(compactMap(value))
  }
}
