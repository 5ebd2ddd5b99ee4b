public import ReconciliationSQL

/// One thing that can be wrong between the App Store's records and ours.
public struct Rule: Hashable, Sendable, CustomStringConvertible {
  /// The name that findings and reports carry.
  public let name: String
  /// The query that gives level, environment, subject, reason and detail of what is wrong.
  public let query: SQLFile

  /// Every rule, in the order in which they are applied.
  public static let all = SQLFile.rules.map { Rule(name: $0.subject, query: $0) }

  /// The rule's name, which is how tests and logs show it.
  public var description: String { name }
}
