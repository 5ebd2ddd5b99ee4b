extension NightPage {
  /// Findings of a rule that changed in the same way with the same cause.
  package struct Change: Sendable {
    /// The rule's name.
    package var rule: String
    /// opened, resolved or reopened.
    package var change: String
    /// The cause of the change; nil if none is known.
    package var cause: String?
    /// The number of findings.
    package var findings: Int

    /// Creates a change.
    package init(rule: String, change: String, cause: String?, findings: Int) {
      self.rule = rule
      self.change = change
      self.cause = cause
      self.findings = findings
    }
  }

  /// Whether no night before this one was done.
  var isFirstNight: Bool { lastNight == nil }

  /// What changed since the last night; nil on a first night, where everything is new.
  var changeValues: [String: Any]? {
    guard !isFirstNight else { return nil }
    let kinds = ["opened", "reopened", "resolved"]
    let rules = Set(changes.map(\.rule)).sorted()
    let list = rules.map { rule -> [String: Any] in
      let counts = kinds.map { kind -> [String: Any] in
        let all = changes.filter { $0.rule == rule && $0.change == kind }
        let causes = all.compactMap { change in
          change.cause.map { "\(Figure.grouped(change.findings)) \($0.replacing("_", with: " "))" }
        }
        return [
          "value": Figure.grouped(all.reduce(0) { $0 + $1.findings }),
          "causes": causes.isEmpty ? [String]() : [causes.joined(separator: ", ")],
        ]
      }
      return ["parts": Level.parts(of: rule), "counts": counts]
    }
    return ["list": list, "isEmpty": list.isEmpty]
  }
}
