public import Verification

/// What whoever runs the program may set about reading files.
public struct IntakeSettings: Sendable {
  /// The most bytes that one document, line or catalogue may have.
  public var documentLimitBytes: Int
  /// The most bytes of a rejected record that are kept.
  public var rejectionLimitBytes: Int
  /// The most rejections of one reason and file of which more is kept than their number.
  public var rejectionsKept: Int
  /// The apps whose receipts are ours; none: all are.
  public var bundleIDs: [String]
  /// The names that a delivery's columns have in the files, by the name that ``DeliveryColumn`` gives.
  public var deliveryColumns: [String: String]
  /// The names that columns beside evidence have in the files, by the name that ``ReceiptColumn`` gives.
  public var receiptColumns: [String: String]
  /// What counts at least: with `signed`, an answer of `verifyReceipt` is rejected.
  public var trust: Trust
  /// The roots that signatures must lead to.
  public var roots: TrustedRoots
  /// What all threads of a night learn about chains of certificates.
  public var chains: ChainCache
  /// How names of accounts and devices are kept.
  public var pseudonyms: Pseudonyms
  /// How many bytes a block has, but for a record that is longer.
  public var blockBytes: Int

  /// Makes settings; what is left out is as the documentation says.
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
