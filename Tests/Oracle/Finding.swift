import Foundation
import LibCrypto

/// One finding of `findings.csv`.
struct Finding {
  let rule: String
  let level: String
  let environment: ByteText?
  let subject: ByteText
  let reason: String
  /// The family of the purchase that the finding is about, if it is about one.
  let family: Family?

  init(
    _ rule: String, _ level: String, _ environment: ByteText?, _ subject: String,
    reason: String = "", about family: Family? = nil
  ) {
    self.rule = rule
    self.level = level
    self.environment = environment
    self.subject = ByteText(subject)
    self.reason = reason
    self.family = family
  }

  /// The name of the finding.
  var name: String {
    let identity = "\(rule) \(environment?.text ?? "") \(subject.text)"
    return "F-"
      + HashFunction.sha256.digest(of: identity.utf8).hexadecimal.prefix(12)
  }

  /// Sorts by rule, subject, reason and environment.
  ///
  /// A subject is compared as text, even if it is an id. The report has no column for the
  /// environment, but the name of the finding depends on it.
  static func isBefore(_ left: Finding, _ right: Finding) -> Bool {
    if left.rule != right.rule { return ByteText(left.rule) < ByteText(right.rule) }
    if left.subject != right.subject { return left.subject < right.subject }
    if left.reason != right.reason { return ByteText(left.reason) < ByteText(right.reason) }
    return (left.environment ?? ByteText("")) < (right.environment ?? ByteText(""))
  }
}

extension Ledger {
  /// All findings of all rules.
  func findings() -> [Finding] {
    let missing = missingDeliveries()
    var findings = missing.map(\.finding)
    findings += invalidProducts().map(\.finding)
    findings += duplicateRestores().map(\.finding)
    findings += unfinishedDeliveries(missing: missing)
    findings += missingOriginals()
    findings += unrestorableRestores()
    findings += deliveriesWithoutPurchase()
    findings += duplicateDeliveries()
    findings += sharedPurchases()
    findings += conflictingTransactions()
    findings += conflictingDeliveries()
    findings += conflictingProducts()
    findings += purchasesWithoutReceipt()
    findings += automaticRestores()
    findings += suspiciousReceipts()
    findings += catalogueDisagreements()
    findings += silentSources()
    findings += unpricedProducts()
    findings += staleFeeds()
    return findings.sorted(by: Finding.isBefore)
  }
}
