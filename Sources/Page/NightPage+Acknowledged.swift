extension NightPage {
  /// An acknowledged finding: it does not alert, but still exists.
  package struct Acknowledged: Sendable {
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
    /// The finding's name.
    package var name: String
    /// The reason of the acknowledgement.
    package var because: String
    /// The person who acknowledged it, as the person said.
    package var by: String
    /// The system's user who did it.
    package var systemUser: String
    /// The database role of that user.
    package var role: String
    /// The last day of the acknowledgement, 2026-12-01; nil: it lasts until the finding is
    /// resolved.
    package var until: String?
    /// The number of all acknowledged findings of the night; the page shows only some of them.
    package var findings: Int

    /// Creates an acknowledged finding.
    package init(
      rule: String, level: String, subject: String, reason: String?,
      isReasonInSubject: Bool = false, name: String, because: String, by: String,
      systemUser: String, role: String, until: String?, findings: Int
    ) {
      self.rule = rule
      self.level = level
      self.subject = subject
      self.reason = reason
      self.isReasonInSubject = isReasonInSubject
      self.name = name
      self.because = because
      self.by = by
      self.systemUser = systemUser
      self.role = role
      self.until = until
      self.findings = findings
    }
  }

  /// The values for the page's part about acknowledged findings; nil if there are none.
  var acknowledgedValues: [String: Any]? {
    guard let all = acknowledged.first?.findings else { return nil }
    var values: [String: Any] = [
      "lead": "Acknowledged findings still exist, but do not alert and are not counted as open.",
      "items": acknowledged.map { finding -> [String: Any] in
        var values: [String: Any] = [
          "parts": Level.parts(of: finding.rule), "level": Level.values(finding.level),
          "subject": OutsideText.shown(finding.subject, withoutMiddleAbove: 100),
          "because": OutsideText.shown(finding.because, most: 240),
          "by": OutsideText.shown(finding.by, most: 40)
            + " (user \(OutsideText.shown(finding.systemUser, most: 40)), "
            + "role \(OutsideText.shown(finding.role, most: 40)))",
          "until": finding.until.map { "until \($0)" } ?? "until it resolves",
          "command": "tieout explain \(finding.name)",
        ]
        values["reason"] = Self.reason(finding.reason, isInSubject: finding.isReasonInSubject)
        return values
      },
    ]
    if all > acknowledged.count {
      values["more"] =
        "\(Figure.grouped(all)) in total; these \(acknowledged.count) end first."
    }
    return values
  }
}
