extension NightPage {
  /// A finding that somebody has acknowledged: it rings no more, and still holds.
  public struct Acknowledged: Sendable {
    /// Its rule.
    public var rule: String
    /// error, warning or info.
    public var level: String
    /// What it is about.
    public var subject: String
    /// Which of the rule's reasons.
    public var reason: String?
    /// The finding's name.
    public var name: String
    /// Why it need not ring.
    public var because: String
    /// Who said so.
    public var by: String
    /// The last day on which that holds, 2026-12-01; nil: until the finding resolves.
    public var until: String?
    /// How many findings are acknowledged in all.
    public var findings: Int

    /// Makes one.
    public init(
      rule: String, level: String, subject: String, reason: String?, name: String,
      because: String, by: String, until: String?, findings: Int
    ) {
      self.rule = rule
      self.level = level
      self.subject = subject
      self.reason = reason
      self.name = name
      self.because = because
      self.by = by
      self.until = until
      self.findings = findings
    }
  }

  /// The part of the page that tells of them; nil where there are none.
  var acknowledgedValues: [String: Any]? {
    guard let all = acknowledged.first?.findings else { return nil }
    var values: [String: Any] = [
      "lead": "Acknowledged findings still exist, but do not alert and are not counted as open.",
      "items": acknowledged.map { finding -> [String: Any] in
        var values: [String: Any] = [
          "parts": Level.parts(of: finding.rule), "level": Level.values(finding.level),
          "subject": OutsideText.shown(finding.subject),
          "because": OutsideText.shown(finding.because, most: 240),
          "by": OutsideText.shown(finding.by, most: 40),
          "until": finding.until.map { "until \($0)" } ?? "until it resolves",
          "command": "tieout explain \(finding.name)",
        ]
        values["reason"] = Self.reason(finding.reason, after: finding.subject)
        return values
      },
    ]
    if all > acknowledged.count {
      values["more"] =
        "\(Amount.grouped(all)) in total; these \(acknowledged.count) end first."
    }
    return values
  }
}
