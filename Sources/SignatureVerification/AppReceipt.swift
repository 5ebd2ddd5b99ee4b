/// The content of an app receipt: facts about the app, and the purchases in it.
///
/// The fields are Apple's; "Receipt Fields" in Apple's Receipt Validation Programming Guide lists
/// their numbers. A missing text and an empty text are the same: none.
public struct AppReceipt: Sendable, Equatable {
  /// Attribute 0: `Production`, `ProductionSandbox`, `ProductionVPP`, `ProductionVPPSandbox`, or
  /// `Xcode`; it can be missing.
  package internal(set) var receiptType: String?
  /// Attribute 2.
  package internal(set) var bundleID: String?
  /// Attribute 12: when Apple made the receipt, RFC 3339 as it was signed.
  package internal(set) var createdAt: String?
  /// Attribute 17, once for each purchase, in the receipt's own order.
  ///
  /// Of more than ``purchaseLimit`` purchases only the first ones.
  package internal(set) var purchases: [InAppPurchase] = []
  /// The number of purchases that the receipt has.
  package internal(set) var purchaseCount = 0
  /// The maximum number of purchases that are kept: the content is read before its signature is
  /// checked.
  package static let purchaseLimit = 50_000
}

/// One purchase in an app receipt.
package struct InAppPurchase: Sendable, Equatable {
  /// The type of the product, from attribute 1707.
  ///
  /// Apple does not document it; genuine receipts agree.
  package enum ProductType: Int64, Sendable {
    /// Bought once and kept permanently.
    case nonConsumable = 0
    /// Bought and used up.
    case consumable = 1
    /// A subscription that ends without renewal.
    case nonRenewing = 2
    /// A subscription that renews itself.
    case autoRenewable = 3
    /// A subscription of the former Newsstand that costs nothing.
    case freeSubscription = 4
  }

  /// Attribute 1701.
  package internal(set) var quantity: Int64?
  /// Attribute 1702.
  package internal(set) var productID: String?
  /// Attribute 1703.
  package internal(set) var transactionID: String?
  /// Attribute 1704, RFC 3339 as it was signed.
  package internal(set) var purchaseDate: String?
  /// Attribute 1705.
  package internal(set) var originalTransactionID: String?
  /// Attribute 1706, RFC 3339 as it was signed.
  package internal(set) var originalPurchaseDate: String?
  /// Attribute 1707; nil if it is missing or an unknown number.
  package internal(set) var productType: ProductType?
  /// Attribute 1708, RFC 3339 as it was signed.
  package internal(set) var expiresDate: String?
  /// Attribute 1711 in decimal; nil if it is 0, as it is for anything but a subscription.
  package internal(set) var webOrderLineItemID: String?
  /// Attribute 1712, RFC 3339 as it was signed.
  package internal(set) var cancellationDate: String?
  /// Attribute 1713.
  package internal(set) var isTrial: Bool?
  /// Attribute 1719.
  package internal(set) var isIntroductoryOffer: Bool?
  /// Attribute 1721: the identifier of the promotional offer; nil if the purchase used none.
  ///
  /// It is not in Apple's guide; open-source decoders of receipts agree on it.
  package internal(set) var promotionalOfferID: String?
}
