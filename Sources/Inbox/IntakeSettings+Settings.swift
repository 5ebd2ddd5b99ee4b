package import Configuration
package import Intake
package import SignatureVerification

extension IntakeSettings {
  /// Defines how files are read, for a night and for every command that must agree with it.
  package init(_ settings: Settings, trusting roots: TrustedRoots, naming pseudonyms: Pseudonyms) {
    self.init(
      documentLimitBytes: settings.documentLimitBytes,
      rejectionLimitBytes: settings.rejectionLimitBytes,
      rejectionsKept: settings.rejectionsKept,
      bundleIDs: settings.bundleIDs, deliveryColumns: settings.deliveryColumns,
      receiptColumns: settings.receiptColumns,
      trust: settings.trust == .signed ? .signed : .appleResponse, roots: roots,
      pseudonyms: pseudonyms)
  }
}
