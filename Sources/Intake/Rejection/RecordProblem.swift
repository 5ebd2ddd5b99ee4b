/// What is wrong with a record, a document or a file, in words for whoever has to mend it.
struct RecordProblem: Error {
  /// The reason, from the closed list.
  let reason: RejectionReason
  /// What was found and what to do, in one sentence.
  let detail: String
  /// Apple's status, where that is the reason.
  let status: Int64

  init(_ reason: RejectionReason, _ detail: String, status: Int64 = 0) {
    self.reason = reason
    self.detail = detail
    self.status = status
  }

  /// The reason as it is written into rows.
  var code: String {
    reason == .status ? "status_\(status)" : reason.rawValue
  }
}
