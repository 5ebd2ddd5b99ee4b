import Configuration
import Ledger
import PostgreSQL
import Reports
import Runs

extension NightWork {
  /// Checks that no more of these records were rejected than the settings allow.
  ///
  /// A night that rejects more stores and publishes nothing, so the message names the most frequent
  /// reasons.
  func requireFewRejections(_ rejected: Int64, of read: Int64, in ledger: Ledger) throws {
    guard let limit = settings.maxRejected, !limit.allows(rejected, of: read) else { return }
    let commonest = try Summary.commonestRejections(of: ledger.runID, limit: 3, in: database)
    let reasons = commonest.rejections.map {
      "\($0.reason) \($0.records == 1 ? "once" : "\($0.records) times"), first in \($0.location)"
    }
    throw ReconciliationError(
      .tooMuchRejected,
      """
      \(rejected) of \(read) records \(rejected == 1 ? "was" : "were") rejected, more than max_rejected allows. Most frequent: \
      \(reasons.joined(separator: "; ")). Nothing was loaded or published. Correct the files, or raise \
      max_rejected.
      """)
  }
}

extension RejectionLimit {
  /// Whether the setting allows this number of rejections among this number of records.
  func allows(_ rejected: Int64, of read: Int64) -> Bool {
    switch self {
    case .count(let most): rejected <= most
    case .percent(let most): Double(rejected) * 100 <= most * Double(read)
    }
  }
}
