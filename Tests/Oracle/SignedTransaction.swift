/// One transaction that Apple signed separately, with the content of its envelope.
public struct SignedTransaction: Sendable {
  /// The content; a refund is in `cancellationDate`.
  public var entry: TransactionEntry
  /// The type of the product, as catalogues write it.
  public var type: String?
  /// The time at which Apple signed it.
  public var signedAt: Instant
  /// The environment.
  public var environment: String
  /// The storefront of the purchase.
  public var storefront: String?
  /// The `appAccountToken`.
  public var accountToken: String?
  /// The refunded part, in thousandths of a per cent.
  public var revocationPercentage: Int?
  /// Whether it is in a notification that a refund was reversed.
  ///
  /// Then it contains no refund.
  public var reversesRefund = false
  /// The account in the envelope.
  public var accountID: String?
  /// The device in the envelope.
  public var deviceID: String?

  /// The payload, in the format of Apple.
  var payload: String {
    var members: [(name: String, value: JSONText)] = [
      ("bundleId", .string("com.example.reader")), ("environment", .string(environment)),
      ("transactionId", .string(entry.transactionID)), ("productId", .string(entry.productID)),
      ("purchaseDate", .bare(String(entry.purchaseDate.milliseconds))),
      ("signedDate", .bare(String(signedAt.milliseconds))),
    ]
    func add(_ name: String, _ text: String?) {
      if let text { members.append((name, .string(text))) }
    }
    func add(_ name: String, bare text: String?) {
      if let text { members.append((name, .bare(text))) }
    }
    add("originalTransactionId", entry.originalTransactionID)
    add("webOrderLineItemId", entry.webOrderLineItemID)
    add("originalPurchaseDate", bare: entry.originalPurchaseDate.map { "\($0.milliseconds)" })
    add("expiresDate", bare: entry.expiresDate.map { "\($0.milliseconds)" })
    add("quantity", bare: entry.quantity.map { "\($0)" })
    add("type", type.flatMap { Self.appleTypes[$0] })
    add("appAccountToken", accountToken)
    add("inAppOwnershipType", entry.inAppOwnershipType)
    add("revocationDate", bare: entry.cancellationDate.map { "\($0.milliseconds)" })
    if let revocationPercentage {
      add("revocationType", revocationPercentage == 100_000 ? "REFUND_FULL" : "REFUND_PRORATED")
      add("revocationPercentage", bare: "\(revocationPercentage)")
    }
    add("isUpgraded", bare: entry.isUpgraded == true ? "true" : nil)
    add("offerType", bare: offerType.map { "\($0)" })
    add("offerDiscountType", entry.isTrialPeriod == true ? "FREE_TRIAL" : nil)
    add("storefront", storefront)
    if let thousandths = entry.price.flatMap({ Amount($0) })?.widened(to: 3), entry.currency != nil
    {
      add("price", bare: "\(thousandths.digits)")
      add("currency", entry.currency)
    }
    return JSONText.object(members).text
  }

  private static let appleTypes = [
    "auto_renewable": "Auto-Renewable Subscription", "consumable": "Consumable",
    "non_consumable": "Non-Consumable", "non_renewing": "Non-Renewing Subscription",
  ]

  private var offerType: Int? {
    if entry.promotionalOfferID != nil { return 2 }
    if entry.offerCodeRefName != nil { return 3 }
    return entry.isInIntroOfferPeriod == true ? 1 : nil
  }

  /// The document as one line of NDJSON.
  ///
  /// - Parameter sign: signs a payload as Apple does.
  public func json(signedBy sign: (String) throws -> String) rethrows -> String {
    var members: [(name: String, value: JSONText)] = []
    if let accountID { members.append(("account_id", .string(accountID))) }
    if let deviceID { members.append(("device_id", .string(deviceID))) }
    let transaction = try sign(payload)
    guard reversesRefund else {
      members.append(("signedTransactionInfo", .string(transaction)))
      return JSONText.object(members).text
    }
    let notification = JSONText.object([
      ("notificationType", .string("REFUND_REVERSED")),
      ("notificationUUID", .string("\(entry.transactionID)-\(signedAt.milliseconds)")),
      ("signedDate", .bare(String(signedAt.milliseconds))),
      (
        "data",
        .object([
          ("bundleId", .string("com.example.reader")), ("environment", .string(environment)),
          ("signedTransactionInfo", .string(transaction)),
        ])
      ),
    ])
    members.append(("signedPayload", .string(try sign(notification.text))))
    return JSONText.object(members).text
  }
}

extension NightBuilder {
  /// Draws signed transactions for some of a customer's transactions, some of them several times.
  mutating func drawSigned(of facts: [Fact], for customer: Customer) {
    let token = random.chance(60) ? "token-\(customer.account.utf8.count)-\(newID())" : nil
    let moments = [moment(), moment(), asOf - random.number(0...86400)]
    for fact in facts where fact.environment != "Xcode" && random.chance(30) {
      for _ in 0..<random.weighted([(50, 1), (30, 2), (20, 3)], else: 1) {
        drawSigned(
          of: fact, at: random.pick(from: moments, else: asOf), for: customer, token: token)
      }
    }
  }

  private mutating func drawSigned(
    of fact: Fact, at signed: Int, for customer: Customer, token: String?
  ) {
    var entry = told(fact, at: signed)
    if let refund = fact.entry.cancellationDate, refund.seconds <= signed,
      entry.cancellationDate == nil
    {
      // Apple may state no date for the refund of an upgrade.
      entry.isUpgraded = fact.entry.isUpgraded
    }
    if let price = entry.price.flatMap({ Amount($0)?.shortened }), price.scale <= 3,
      entry.currency != nil
    {
      entry.price = price.text
    } else {
      (entry.price, entry.currency) = (nil, nil)
    }
    var transaction = SignedTransaction(
      entry: entry, signedAt: instant(signed), environment: fact.environment)
    if random.chance(80) { transaction.type = fact.product.type }
    if random.chance(70) { transaction.storefront = customer.storefront }
    transaction.accountToken = random.chance(95) ? token : "token-other-\(newID())"
    if entry.cancellationDate != nil {
      transaction.revocationPercentage = random.pick(nil, 100_000, 50_000, 33_333)
      transaction.reversesRefund = random.chance(25)
    }
    if random.chance(80) { transaction.accountID = customer.account }
    if random.chance(60) { transaction.deviceID = customer.devices.randomElement(using: &random) }
    if signed > asOf {
      // Of repeated evidence only the oldest and the youngest age are known. So no evidence after
      // as-of repeats evidence from before it.
      transaction.deviceID = "d-late-\(newID())"
    }
    self.signed.append(transaction)
    if random.chance(10) { self.signed.append(transaction) }
  }
}
