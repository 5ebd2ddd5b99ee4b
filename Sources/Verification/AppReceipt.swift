/// What an app receipt says: what the app is, and what was bought in it.
///
/// The fields are Apple's; their numbers stand in "Receipt Fields" of Apple's Receipt Validation
/// Programming Guide. A missing text and an empty one are the same: none.
public struct AppReceipt: Sendable, Equatable {
  /// Attribute 0: `Production`, `ProductionSandbox`, `ProductionVPP`, `ProductionVPPSandbox`.
  public internal(set) var receiptType: String?
  /// Attribute 2.
  public internal(set) var bundleID: String?
  /// Attribute 3.
  public internal(set) var appVersion: String?
  /// Attribute 19: the version that was first bought.
  public internal(set) var originalAppVersion: String?
  /// Attribute 12: when Apple made the receipt, RFC 3339 as it was signed.
  public internal(set) var createdAt: String?
  /// Attribute 21: when the receipt ends, RFC 3339 as it was signed.
  public internal(set) var expiresAt: String?
  /// Attribute 17, once for each purchase, in the receipt's own order.
  public internal(set) var purchases: [InAppPurchase] = []
  /// Every other attribute, and those above whose value is not of their type.
  public internal(set) var otherAttributes: [UnknownAttribute] = []
}

/// One purchase as an app receipt tells it.
public struct InAppPurchase: Sendable, Equatable {
  /// What attribute 1707 says the product is.
  ///
  /// Apple does not document it; genuine receipts agree.
  public enum ProductType: Int64, Sendable {
    /// Bought once, kept for ever.
    case nonConsumable = 0
    /// Bought and used up.
    case consumable = 1
    /// A subscription that ends by itself.
    case nonRenewing = 2
    /// A subscription that renews itself.
    case autoRenewable = 3
    /// A subscription of the old Newsstand that costs nothing.
    case freeSubscription = 4
  }

  /// Attribute 1701.
  public internal(set) var quantity: Int64?
  /// Attribute 1702.
  public internal(set) var productID: String?
  /// Attribute 1703.
  public internal(set) var transactionID: String?
  /// Attribute 1704, RFC 3339 as it was signed.
  public internal(set) var purchaseDate: String?
  /// Attribute 1705.
  public internal(set) var originalTransactionID: String?
  /// Attribute 1706, RFC 3339 as it was signed.
  public internal(set) var originalPurchaseDate: String?
  /// Attribute 1707; none where it is missing or a number that is not known.
  public internal(set) var productType: ProductType?
  /// Attribute 1708, RFC 3339 as it was signed.
  public internal(set) var expiresDate: String?
  /// Attribute 1711 in decimal; none where it is 0, as it is for what is no subscription.
  public internal(set) var webOrderLineItemID: String?
  /// Attribute 1712, RFC 3339 as it was signed.
  public internal(set) var cancellationDate: String?
  /// Attribute 1713.
  public internal(set) var isTrial: Bool?
  /// Attribute 1719.
  public internal(set) var isIntroductoryOffer: Bool?
  /// Attribute 1721: the identifier of the promotional offer; none where the purchase used none.
  ///
  /// It is not in Apple's guide; open-source decoders of receipts agree on it.
  public internal(set) var promotionalOfferID: String?
  /// Every other attribute, and those above whose value is not of their type.
  public internal(set) var otherAttributes: [UnknownAttribute] = []
}

/// An attribute of a receipt that has no name here.
public struct UnknownAttribute: Sendable, Equatable {
  /// Its number.
  public let type: Int64
  /// Its value as it was signed.
  public let value: ArraySlice<UInt8>
}
