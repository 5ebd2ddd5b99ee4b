public import SignatureVerification

/// The settings for reading files.
public struct IntakeSettings: Sendable {
  /// The maximum number of bytes of one document, line or catalogue.
  package var documentLimitBytes: Int
  /// The maximum number of bytes that are kept of a rejected record.
  package var rejectionLimitBytes: Int
  /// The maximum number of rejections of one reason and file that are kept; the others are counted.
  package var rejectionsKept: Int
  /// The bundle identifiers of our apps; if there are none, the receipts of all apps are accepted.
  package var bundleIDs: [String]
  /// The names of a delivery's columns in the files, by the column's name in ``DeliveryColumn``.
  package var deliveryColumns: [String: String]
  /// The names of the columns beside evidence in the files, by the column's name in
  /// ``BesideMember``.
  package var receiptColumns: [String: String]
  /// The trust that evidence needs.
  ///
  /// With `signed`, only the signed receipts inside an answer of `verifyReceipt` are used; an
  /// answer without one is rejected.
  package var trust: EvidenceTrust
  /// The roots that signatures must lead to.
  package var roots: TrustedRoots
  /// The cache for chains of certificates, which all threads of a night share.
  package var chains: ChainCache
  /// How names of accounts and devices are kept.
  package var pseudonyms: Pseudonyms
  /// The number of bytes of a block; a block with a longer record has more.
  package var blockBytes: Int

  /// Makes settings; the default values are those in the documentation.
  public init(
    documentLimitBytes: Int = 16 << 20,
    rejectionLimitBytes: Int = 64 << 10,
    rejectionsKept: Int = 20_000,
    bundleIDs: [String] = [],
    deliveryColumns: [String: String] = [:],
    receiptColumns: [String: String] = [:],
    trust: EvidenceTrust = .appleResponse,
    roots: TrustedRoots = .apple,
    chains: ChainCache = ChainCache(),
    pseudonyms: Pseudonyms = .none,
    blockBytes: Int = 1 << 20
  ) {
    self.documentLimitBytes = documentLimitBytes
    self.rejectionLimitBytes = rejectionLimitBytes
    self.rejectionsKept = rejectionsKept
    self.bundleIDs = bundleIDs
    self.deliveryColumns = deliveryColumns
    self.receiptColumns = receiptColumns
    self.trust = trust
    self.roots = roots
    self.chains = chains
    self.pseudonyms = pseudonyms
    self.blockBytes = blockBytes
  }
}
