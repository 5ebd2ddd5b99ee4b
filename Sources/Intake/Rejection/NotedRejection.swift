/// A rejection as it is told to a person who loads nothing: without the record.
public struct NotedRejection: Sendable {
  /// What was rejected: `file`, `receipt`, `transaction` and so on.
  public let kind: String
  /// The reason as rejected_records.csv has it.
  public let reason: String
  /// The line, or the position of the entry in a catalogue; nil for a file, and where only the number is known.
  public let line: Int64?
  /// What is wrong and what to do; empty for those of which only place or number is kept.
  public let detail: String
  /// The number of rejections that it stands for.
  public let records: Int

  init(_ key: RejectionKey, line: Int64?, detail: String, records: Int) {
    kind = key.kind.rawValue
    reason = key.code
    self.line = line
    self.detail = detail
    self.records = records
  }
}
