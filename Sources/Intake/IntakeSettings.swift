public import Verification

/// The settings for reading files.
public struct IntakeSettings: Sendable {
  /// The maximum number of bytes of one document, line or catalogue.
  public var documentLimitBytes: Int
  /// The maximum number of bytes that are kept of a rejected record.
  public var rejectionLimitBytes: Int
  /// The maximum number of rejections of one reason and file that are kept; the others are counted.
  public var rejectionsKept: Int
  /// The bundle identifiers of our apps; if there are none, the receipts of all apps are accepted.
  public var bundleIDs: [String]
  /// The names of a delivery's columns in the files, by the column's name in ``DeliveryColumn``.
  public var deliveryColumns: [String: String]
  /// The names of the columns beside evidence in the files, by the column's name in
  /// ``ReceiptColumn``.
  public var receiptColumns: [String: String]
  /// The trust that evidence needs.
  ///
  /// With `signed`, only the signed receipts inside an answer of `verifyReceipt` are used; an
  /// answer without one is rejected.
  public var trust: Trust
  /// The roots that signatures must lead to.
  public var roots: TrustedRoots
  /// The cache for chains of certificates, which all threads of a night share.
  public var chains: ChainCache
  /// How names of accounts and devices are kept.
  public var pseudonyms: Pseudonyms
  /// The number of bytes of a block; a block with a longer record has more.
  public var blockBytes: Int

  /// Makes settings; the default values are those in the documentation.
  public init(
    documentLimitBytes: Int = 16 << 20,
    rejectionLimitBytes: Int = 64 << 10,
    rejectionsKept: Int = 20_000,
    bundleIDs: [String] = [],
    deliveryColumns: [String: String] = [:],
    receiptColumns: [String: String] = [:],
    trust: Trust = .appleResponse,
    roots: TrustedRoots = .apple,
    chains: ChainCache = ChainCache(),
    pseudonyms: Pseudonyms = .none,
    blockBytes: Int = 1 << 20
  ) {
    self.documentLimitBytes = max(1, documentLimitBytes)
    self.rejectionLimitBytes = max(0, rejectionLimitBytes)
    self.rejectionsKept = max(0, rejectionsKept)
    self.bundleIDs = bundleIDs
    self.deliveryColumns = deliveryColumns
    self.receiptColumns = receiptColumns
    self.trust = trust
    self.roots = roots
    self.chains = chains
    self.pseudonyms = pseudonyms
    self.blockBytes = max(1, blockBytes)
  }
}
