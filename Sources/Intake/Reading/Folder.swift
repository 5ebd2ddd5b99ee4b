/// The folders of the inbox: what kind of record a file holds.
public enum Folder: String, Sendable, CaseIterable {
  /// Answers of Apple's `verifyReceipt`, plain or in an envelope.
  case receipts
  /// Attempts of the content server to hand a product over.
  case deliveries
  /// Product identifiers that are for sale, with what is known of each.
  case catalog
  /// What apps report: their payment queues, and identifiers that the App Store called invalid.
  case client
  /// Findings that somebody has looked into, and that need not ring.
  case acknowledgements
}
