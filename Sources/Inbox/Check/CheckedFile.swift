import Intake

/// The content of one file, and the records that a run would reject.
package struct CheckedFile: Sendable, Encodable {
  /// How the inbox folder of a file was determined.
  package enum FolderSource: String, Sendable, Encodable {
    case option, path, content
  }

  /// The records of one kind.
  package struct Count: Sendable, Encodable {
    /// The kind, as control_totals.csv names it.
    package let kind: String
    /// The number of records that were found.
    package let read: Int64
    /// The number of records that cannot be used.
    package let rejected: Int64
  }

  /// The rejections of one reason.
  package struct Rejections: Sendable, Encodable {
    /// One of the first rejections.
    package struct Example: Sendable, Encodable {
      /// The line, or the position of the entry in a catalogue; nil for a file.
      package let line: Int64?
      /// The problem and what to do about it.
      package let detail: String
    }

    /// The kind of the rejected records, as rejected_records.csv names it.
    package let kind: String
    /// The reason, as rejected_records.csv names it.
    package let reason: String
    /// The number of rejections.
    package internal(set) var records: Int
    /// The first rejections.
    package internal(set) var examples: [Example]
  }

  /// The path as the user gave it.
  package let path: String
  /// The inbox folder that the file was read for; nil if it fits none.
  package let folder: String?
  /// How the folder was determined.
  package let folderFrom: FolderSource?
  /// The format in one or two words; nil if the folder cannot use the file's format.
  package let format: String?
  /// The compression, if the file is compressed.
  package let compression: String?
  /// The number of bytes on disk.
  package let bytes: Int64
  /// The counts of each kind of record in the file.
  package let records: [Count]
  /// The rejections by reason, in the order in which the reasons first occur.
  package let rejections: [Rejections]
  /// Why no run reads the file, if it is in the inbox; otherwise nil.
  package let note: String?

  /// The number of all rejections.
  package var rejected: Int { rejections.reduce(0) { $0 + $1.records } }

  /// Whether the content was checked; otherwise there is only a note.
  package var isChecked: Bool { format != nil || !rejections.isEmpty }
}

extension CheckedFile.Count {
  /// The counts of each kind of record that occurs at least once.
  static func all(_ counts: FileCounts) -> [CheckedFile.Count] {
    FileCounts.kinds.map { kind in
      let tally = counts[keyPath: kind.tally]
      return CheckedFile.Count(kind: kind.name, read: tally.read, rejected: tally.rejected)
    }
    .filter { $0.read > 0 }
  }
}

extension [CheckedFile.Rejections] {
  /// The maximum number of examples for one reason.
  static var exampleLimit: Int { 3 }

  /// Counts one more rejection, and keeps it as an example if it is one of the first.
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
