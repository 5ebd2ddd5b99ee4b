import Rules

extension Explanation {
  /// The findings of one rule and level.
  package struct FindingCount: Encodable, Equatable, Sendable {
    /// The name of the rule.
    package let rule: String
    /// The level of the findings.
    package let level: String
    /// The number of findings.
    package let findings: Int
  }
}

extension Explanation.FindingCount {
  /// Counts the findings of verdicts, by rule and level: errors first, then warnings; each in the
  /// order of the rules.
  ///
  /// Left out are findings that say nothing about a single purchase, as for the first sentence.
  static func counts(of verdicts: [Explanation.Verdict]) -> [Self] {
    let leftOut = Set(Rule.all.filter(\.isOnlySaidIfAsked).map(\.name))
    // Several things of an account can have the same finding.
    let findings = Dictionary(
      verdicts.filter { $0.verdict == "found" && !leftOut.contains($0.rule) }
        .map { ([$0.rule, $0.finding ?? $0.subject].map { Array($0.utf8) }, $0) },
      uniquingKeysWith: { first, _ in first })
    let groups = Dictionary(grouping: findings.values) { [$0.level ?? "", $0.rule] }
    return levels.flatMap { level in
      Rule.all.compactMap { rule in
        groups[[level, rule.name]].map { Self(rule: rule.name, level: level, findings: $0.count) }
      }
    }
  }

  /// The findings in words, such as `warning shared_purchase (2), info duplicate_delivery`.
  static func words(_ counts: [Self]) -> String {
    counts.map { "\($0.level) \($0.rule)" + ($0.findings == 1 ? "" : " (\($0.findings))") }
      .joined(separator: ", ")
  }

  /// The levels, the most severe first.
  static let levels = ["error", "warning", "info"]
}
