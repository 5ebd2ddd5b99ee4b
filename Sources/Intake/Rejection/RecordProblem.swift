import SignatureVerification

/// The problem of a record, a document or a file, in words for the person who has to fix it.
struct RecordProblem: Error {
  /// The reason, from the closed list.
  let reason: RejectionReason
  /// The problem and the advice, in one sentence.
  let detail: String
  /// Apple's status, if that is the reason.
  let status: Int64

  /// The maximum number of characters of a detail, which can quote a name of megabytes from the
  /// file.
  private static let detailLimit = 1000

  init(_ reason: RejectionReason, _ detail: String, status: Int64 = 0) {
    self.reason = reason
    self.detail = RejectedRecord.visible(detail, limit: Self.detailLimit)
    self.status = status
  }

}

extension RejectionKey {
  /// The reason as it is written into rows.
  var code: String {
    reason == .status ? "status_\(status)" : reason.rawValue
  }
}

extension RecordProblem {
  /// The problem of something that Apple should have signed.
  init(_ problem: VerificationProblem) {
    let reason: RejectionReason =
      switch problem.reason {
      case .malformed: .malformed
      case .badSignature: .badSignature
      case .untrustedChain: .untrustedChain
      case .expiredCertificate: .expiredCertificate
      case .xcode: .xcode
      }
    self.init(reason, problem.detail)
  }

  /// Returns what `check` returns; what it finds wrong becomes the problem of the record.
  static func checking<Value>(
    _ check: () throws(VerificationProblem) -> Value
  ) throws(RecordProblem) -> Value {
    do throws(VerificationProblem) {
      return try check()
    } catch {
      throw RecordProblem(error)
    }
  }

  static func malformed(_ what: String) -> RecordProblem { RecordProblem(.malformed, what) }

  static func unsigned(_ what: String) -> RecordProblem { RecordProblem(.unsigned, what) }

  /// Evidence that Xcode or another test of the developer made.
  static let test = RecordProblem(
    .xcode,
    "It comes from a test on a developer's machine: nothing was sold. Keep it out of the inbox.")
}
