/// The facts of one piece of evidence about one transaction, in any form.
///
/// Instants are seconds since 1970. The bytes belong to the record that is being read.
struct TransactionEvidence {
  let environment: Bytes
  let transactionID: Bytes
  let productID: Bytes
  let purchasedAt: Int64
  /// How the transaction is known.
  let trust: EvidenceTrust
  /// The instant that dates the evidence.
  var evidenceAt: Int64
  var originalTransactionID: Bytes?
  var quantity: Int64?
  var originalPurchasedAt: Int64?
  var expiresAt: Int64?
  var cancelledAt: Int64?
  var webOrderLineItemID: Bytes?
  var isTrial = false
  var isIntroductoryOffer = false
  var isPromotionalOffer = false
  var isFamilyShared = false
  var isUpgraded = false
  /// The price that the customer paid for the whole quantity, a plain decimal in major units of the
  /// currency.
  var price: Bytes?
  var currency: Bytes?
  var storefront: Bytes?
  var accountID: Bytes?
  var deviceID: Bytes?
  /// Whether Apple signed this transaction by itself; a refund would then be part of it.
  var isSignedTransaction = false
  /// The type of the product, if Apple signed it.
  var productType: ProductType?
  /// The part of the price that was refunded, in thousandths of a per cent; 100000 is all.
  var revocationPercentage: Int32?
  /// The app's own name for the customer, in Apple's `appAccountToken`.
  var accountToken: Bytes?
  /// Whether a date in text and the same date in milliseconds differ, or the refund is before the
  /// purchase.
  var datesDisagree = false
  /// Whether the answer names two environments.
  var environmentsDisagree = false

  init(
    environment: Bytes, transactionID: Bytes, productID: Bytes, purchasedAt: Int64,
    trust: EvidenceTrust
  ) {
    self.environment = environment
    self.transactionID = transactionID
    self.productID = productID
    self.purchasedAt = purchasedAt
    self.trust = trust
    evidenceAt = purchasedAt
  }

  /// Whether the refund is before the purchase by more than a rounded second.
  ///
  /// A restored transaction has the date of its restore, which can be after the refund; only its
  /// original date tells.
  var isRefundedTooEarly: Bool {
    guard let cancelledAt else { return false }
    let isRestored = originalTransactionID.map { !$0.elementsEqual(transactionID) } ?? false
    guard let boughtAt = originalPurchasedAt ?? (isRestored ? nil : purchasedAt) else {
      return false
    }
    return cancelledAt < min(boughtAt, purchasedAt) - 1
  }
}

/// How a transaction is known, the strongest first.
public enum EvidenceTrust: Sendable {
  /// Apple's signature was checked.
  case signed
  /// An answer of `verifyReceipt` contains this, without a signature of Apple.
  case appleResponse
}

extension ProductType {
  /// The word for the type in rows.
  var bytes: Bytes {
    switch self {
    case .consumable: Bytes(literal: "consumable")
    case .nonConsumable: Bytes(literal: "non_consumable")
    case .autoRenewable: Bytes(literal: "auto_renewable")
    case .nonRenewing: Bytes(literal: "non_renewing")
    }
  }
}
