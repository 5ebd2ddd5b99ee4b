/// The members of a signed payload that are read, in Apple's own spelling.
enum SignedField: Int, RecordField {
  case transactionId, originalTransactionId, webOrderLineItemId, bundleId, productId
  case purchaseDate, originalPurchaseDate, expiresDate, signedDate, receiptCreationDate
  case quantity, type, appAccountToken, inAppOwnershipType
  case revocationDate, revocationType, revocationPercentage
  case isUpgraded, offerType, offerDiscountType
  case environment, receiptType, storefront, price, currency
  case notificationType, notificationUUID, data, summary, externalPurchaseToken, appData
  case signedTransactionInfo

  @inline(__always)
  var place: Int { rawValue }

  /// The member's name.
  var name: String { "\(self)" }

  static let names = NameTable(allCases.map { ($0.name, $0.rawValue) })
}
