import Intake

/// What one file contains, and what a run would reject of it.
public struct CheckedFile: Sendable, Encodable {
  /// What said for which folder of the inbox a file is meant.
  public enum FolderSource: String, Sendable, Encodable {
    case option, path, content
  }

  /// The records of one kind.
  public struct Count: Sendable, Encodable {
    /// The kind, as control_totals.csv names it.
    public let kind: String
    /// All that were found.
    public let read: Int64
    /// Those of them that cannot be used.
    public let rejected: Int64
  }

  /// The rejections of one reason.
  public struct Rejections: Sendable, Encodable {
    /// One of the first.
    public struct Example: Sendable, Encodable {
      /// The line, or the position of the entry in a catalogue; nil for a file.
      public let line: Int64?
      /// What is wrong and what to do.
      public let detail: String
    }

    /// What was rejected, as rejected_records.csv names it.
    public let kind: String
    /// The reason, as rejected_records.csv names it.
    public let reason: String
    /// The number of rejections.
    public internal(set) var records: Int
    /// The first of them.
    public internal(set) var examples: [Example]
  }

  /// The path as it was named.
  public let path: String
  /// The folder of the inbox that it was read for; nil: it fits none.
  public let folder: String?
  /// What said so.
  public let folderFrom: FolderSource?
  /// The form in a word or two; nil: none that the folder could use.
  public let format: String?
  /// How it is compressed, if it is.
  public let compression: String?
  /// The number of bytes on disk.
  public let bytes: Int64
  /// The kinds of which there is at least one.
  public let records: [Count]
  /// What would be rejected, by reason, in the order of first places.
  public let rejections: [Rejections]

  /// The number of all rejections.
  public var rejected: Int { rejections.reduce(0) { $0 + $1.records } }
}

extension CheckedFile.Count {
  /// The kinds of which there is at least one.
  static func all(_ counts: FileCounts) -> [CheckedFile.Count] {
    let tallies = [
      ("documents", counts.documents), ("transactions", counts.transactions),
      ("deliveries", counts.deliveries), ("catalogue_entries", counts.catalogueEntries),
      ("client_records", counts.clientRecords), ("acknowledgements", counts.acknowledgements),
    ]
    return tallies.filter { $0.1.read > 0 }.map {
      CheckedFile.Count(kind: $0.0, read: $0.1.read, rejected: $0.1.rejected)
    }
  }
}

extension [CheckedFile.Rejections] {
  /// The most examples of one reason.
  static var exampleLimit: Int { 3 }

  /// Counts one more, and keeps it as an example if it is one of the first.
  mutating func note(_ noted: NotedRejection) {
    let place = firstIndex { $0.kind == noted.kind && $0.reason == noted.reason } ?? endIndex
    if place == endIndex {
      append(
        CheckedFile.Rejections(kind: noted.kind, reason: noted.reason, records: 0, examples: []))
    }
    self[place].records += noted.records
    if self[place].examples.count < Self.exampleLimit, !noted.detail.isEmpty {
      self[place].examples.append(
        CheckedFile.Rejections.Example(line: noted.line, detail: noted.detail))
    }
  }
}
