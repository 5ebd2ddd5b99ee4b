extension NightPage {
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
    // Some subjects end with the reason already.
    values["reason"] = finding.reason.flatMap { reason in
      finding.subject.hasSuffix(" \(reason)") ? nil : OutsideText.shown(reason, most: 40)
    }
    values["status"] = finding.status == "open" ? nil : OutsideText.shown(finding.status, most: 20)
    return values
  }

  /// The command that tells more of a finding, to be copied into a shell.
  static func command(for finding: Worst) -> String {
    if let word = explained(finding).flatMap(OutsideText.shellWord) {
      return "tieout explain \(word)"
    }
    return "tieout findings --rule \(finding.rule)"
  }

  /// What can be asked about: the transaction of the statement; else what the subject begins with.
  private static func explained(_ finding: Worst) -> String? {
    if let transaction = finding.transactionID { return transaction }
    let words = finding.subject.split(separator: " ", omittingEmptySubsequences: false)
    switch finding.rule {
    case "unfinished_delivery", "missing_original", "unrestorable_restore", "duplicate_delivery",
      "conflicting_transaction", "purchase_without_receipt", "suspicious_receipt",
      "missing_delivery", "duplicate_restore":
      return words.first.map(String.init)
    case "delivery_without_purchase":
      return finding.subject
    case "shared_purchase":
      return words.first == "appAccountToken" ? nil : words.first.map(String.init)
    default:
      return nil
    }
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
