extension NightPage {
  /// One of the worst findings.
  package struct Worst: Sendable, Equatable {
    /// The name of its rule.
    package var rule: String
    /// error, warning or info.
    package var level: String
    /// The finding's subject.
    package var subject: String
    /// One of the rule's reasons, if the rule has reasons.
    package var reason: String?
    /// Whether the subject contains the reason, so that it is shown only once.
    package var isReasonInSubject: Bool
    /// The detail, one sentence.
    package var detail: String
    /// A transaction for `tieout explain`, if one is known.
    package var transactionID: String?
    /// The finding's name; nil if the database does not have it, as in a run of a past day.
    package var name: String?
    /// The as-of day of the first run that found it.
    package var firstFlaggedOn: String
    /// open or reopened.
    package var status: String
    /// The number of open findings of the rule that have its level.
    package var findings: Int
    /// Whether it was opened or reopened by one of the runs whose new findings are listed first.
    package var isNew: Bool

    /// Creates a finding.
    package init(
      rule: String, level: String, subject: String, reason: String?,
      isReasonInSubject: Bool = false, detail: String, transactionID: String?, name: String?,
      firstFlaggedOn: String, status: String, findings: Int, isNew: Bool = false
    ) {
      self.rule = rule
      self.level = level
      self.subject = subject
      self.reason = reason
      self.isReasonInSubject = isReasonInSubject
      self.detail = detail
      self.transactionID = transactionID
      self.name = name
      self.firstFlaggedOn = firstFlaggedOn
      self.status = status
      self.findings = findings
      self.isNew = isNew
    }
  }

  /// The worst findings of each rule and level, ordered by level and then by name.
  var worstByRule: [[String: Any]] {
    let byRule = Dictionary(grouping: worst) { LeveledRule(level: $0.level, name: $0.rule) }
    return byRule.sorted { $0.key < $1.key }.map { rule, findings in
      var values: [String: Any] = [
        "rule": rule.name, "parts": Level.parts(of: rule.name), "level": Level.values(rule.level),
        "open": Figure.grouped(findings.first?.findings ?? 0) + " open",
        "items": findings.map(Self.values),
      ]
      if let all = findings.first?.findings, all > findings.count {
        values["more"] = "the worst \(findings.count)"
      }
      return values
    }
  }

  private static func values(_ finding: Worst) -> [String: Any] {
    var values: [String: Any] = [
      "subject": OutsideText.shown(finding.subject, withoutMiddleAbove: 100),
      "detail": OutsideText.shown(finding.detail, most: 240),
      "since": finding.firstFlaggedOn, "command": command(for: finding),
    ]
    values["reason"] = reason(finding.reason, isInSubject: finding.isReasonInSubject)
    values["status"] = finding.status == "open" ? nil : OutsideText.shown(finding.status, most: 20)
    return values
  }

  /// The reason as shown after the subject; nil if the subject already contains it.
  static func reason(_ reason: String?, isInSubject: Bool) -> String? {
    isInSubject ? nil : reason.map { OutsideText.shown($0, most: 40) }
  }

  /// A shell command that shows more about the finding.
  package static func command(for finding: Worst) -> String {
    if let word = finding.transactionID.flatMap(OutsideText.shellWord) ?? finding.name {
      return "tieout explain \(word)"
    }
    return "tieout findings --rule \(finding.rule)"
  }
}
