/// The folders of the inbox, one for each kind of record.
public enum Folder: String, Sendable, CaseIterable {
  /// Evidence of purchases: answers of Apple's `verifyReceipt`, receipts, signed texts and others.
  case receipts
  /// Attempts of the content server to deliver a product.
  case deliveries
  /// Product identifiers that are for sale, with what is known about each.
  case catalog
  /// Reports of apps: their payment queues, and identifiers that the App Store called invalid.
  case client
  /// Findings that were acknowledged and do not have to alert.
  case acknowledgements
  /// Reports of Apple about sales and proceeds.
  case apple
}
