/// A rejection for a person who checks files and loads nothing: without the record.
package struct NotedRejection: Sendable {
  /// The kind of the rejection: `file`, `receipt`, `transaction` and so on.
  package let kind: String
  /// The reason, as in rejected_records.csv.
  package let reason: String
  /// The line, or the position of the entry in a catalogue; nil for a file, and if only the number
  /// is kept.
  package let line: Int64?
  /// The problem, and the advice about it; empty if only the place or the number is kept.
  package let detail: String
  /// The number of rejections that it represents.
  package let records: Int

  init(_ key: RejectionKey, line: Int64?, detail: String, records: Int) {
    kind = key.kind.rawValue
    reason = key.code
    self.line = line
    self.detail = detail
    self.records = records
  }
}
