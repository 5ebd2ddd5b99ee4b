extension NightPage {
  /// One of the worst findings.
  public struct Worst: Sendable {
    /// Its rule.
    public var rule: String
    /// error, warning or info.
    public var level: String
    /// What it is about.
    public var subject: String
    /// Which of the rule's reasons.
    public var reason: String?
    /// One sentence.
    public var detail: String
    /// A transaction to have explained, where the statement knows one.
    public var transactionID: String?
    /// The finding's name, where the database knows it: not of a past day that is made again.
    public var name: String?
    /// The as-of day of the first run that found it.
    public var firstFlaggedOn: String
    /// open or reopened.
    public var status: String
    /// How many findings of the rule are open in all.
    public var findings: Int

    /// Makes a finding.
    public init(
      rule: String, level: String, subject: String, reason: String?, detail: String,
      transactionID: String?, name: String?,
      firstFlaggedOn: String, status: String, findings: Int
    ) {
      self.rule = rule
      self.level = level
      self.subject = subject
      self.reason = reason
      self.detail = detail
      self.transactionID = transactionID
      self.name = name
      self.firstFlaggedOn = firstFlaggedOn
      self.status = status
      self.findings = findings
    }
  }

  /// The worst of each rule, the rules with errors first.
  var worstByRule: [[String: Any]] {
    var order: [String] = []
    var byRule: [String: [Worst]] = [:]
    for finding in worst {
      if byRule[finding.rule] == nil { order.append(finding.rule) }
      byRule[finding.rule, default: []].append(finding)
    }
    let ranked = order.sorted { one, other in
      let places = [one, other].map { Level.place(byRule[$0]?.first?.level ?? "") }
      return places[0] == places[1] ? one < other : places[0] < places[1]
    }
    return ranked.map { rule in
      let findings = byRule[rule] ?? []
      var values: [String: Any] = [
        "rule": rule, "parts": Level.parts(of: rule),
        "level": Level.values(findings.first?.level ?? ""),
        "open": Amount.grouped(findings.first?.findings ?? 0) + " open",
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
      "subject": OutsideText.shown(finding.subject),
      "detail": OutsideText.shown(finding.detail, most: 240),
      "since": finding.firstFlaggedOn, "command": command(for: finding),
    ]
    values["reason"] = reason(finding.reason, after: finding.subject)
    values["status"] = finding.status == "open" ? nil : OutsideText.shown(finding.status, most: 20)
    return values
  }

  /// What the reason adds to the subject: some subjects end with it already.
  static func reason(_ reason: String?, after subject: String) -> String? {
    reason.flatMap { subject.hasSuffix(" \($0)") ? nil : OutsideText.shown($0, most: 40) }
  }

  /// The command that tells more of a finding, to be copied into a shell.
  static func command(for finding: Worst) -> String {
    if let word = finding.purchase.flatMap(OutsideText.shellWord) ?? finding.name {
      return "tieout explain \(word)"
    }
    return "tieout findings --rule \(finding.rule)"
  }
}

extension NightPage.Worst {
  /// The one purchase or transaction that it is about, by which people know it; nil where the finding's own name
  /// alone says which is meant.
  fileprivate var purchase: String? {
    switch rule {
    case "missing_delivery", "duplicate_restore", "missing_original":
      transactionID ?? firstWord
    case "unfinished_delivery", "unrestorable_restore", "duplicate_delivery",
      "conflicting_transaction", "purchase_without_receipt", "suspicious_receipt":
      firstWord
    default: nil
    }
  }

  private var firstWord: String? {
    subject.split(separator: " ", omittingEmptySubsequences: false).first.map(String.init)
  }
}

/// How severe something is: a sign and a word, so that colour is not all that tells.
enum Level {
  static func place(_ level: String) -> Int {
    switch level {
    case "error": 1
    case "warning": 2
    default: 3
    }
  }

  static func values(_ level: String) -> [String: Any] {
    let sign =
      switch level {
      case "error": "■"
      case "warning": "▲"
      default: "○"
      }
    return ["name": level, "sign": sign]
  }

  /// A rule's name in parts, between which a narrow line may break.
  static func parts(of rule: String) -> [String] {
    let words = rule.split(separator: "_").map(String.init)
    return words.dropLast().map { "\($0)_" } + words.suffix(1)
  }
}
