public import ReconciliationSQL

/// One CSV file of a day's folder.
public struct Report: Hashable, Sendable, CustomStringConvertible {
  /// The query whose select list is the header.
  public let query: SQLFile

  /// Every report, the statements first.
  public static let all = SQLFile.reports.map { Report(query: $0) }

  /// The file's name in the day's folder.
  public var fileName: String { "\(query.subject).csv" }

  /// The file's name, which is how tests and logs show it.
  public var description: String { fileName }
}
