/// The findings of a rule that have the same level; the most severe level comes first.
struct LeveledRule: Hashable, Comparable {
  let level: String
  let name: String

  static func < (one: LeveledRule, other: LeveledRule) -> Bool {
    let ranks = [one, other].map { Level.rank(of: $0.level) }
    return ranks[0] == ranks[1] ? one.name < other.name : ranks[0] < ranks[1]
  }
}

extension NightPage {
  /// The rules, each with its open findings of a level in the last thirty nights.
  var rules: [String: Any] {
    struct Row {
      var byDay: [String: Int] = [:]
      var acknowledged = 0
    }
    var rows: [LeveledRule: Row] = [:]
    let shown = Set(nights.map(\.day))
    for count in open where shown.contains(count.day) {
      let rule = LeveledRule(level: count.level, name: count.rule)
      rows[rule, default: Row()].byDay[count.day, default: 0] += count.findings
      if count.day == day { rows[rule]?.acknowledged += count.acknowledged }
    }
    // The last night can be before the days that have a row.
    let before = lastNight.map { night in
      open.filter { $0.day == night.day }.reduce(into: [LeveledRule: Int]()) {
        $0[LeveledRule(level: $1.level, name: $1.rule), default: 0] += $1.findings
      }
    }
    let list = rows.sorted { $0.key < $1.key }.map { rule, row -> [String: Any] in
      [
        "parts": Level.parts(of: rule.name), "level": Level.values(rule.level),
        "spark": isFirstNight
          ? [[String: Any]]() : [nightsDrawing(of: rule, row.byDay).values],
        "tonight": Figure.grouped(row.byDay[day] ?? 0),
        "acknowledged": row.acknowledged > 0
          ? [Figure.grouped(row.acknowledged)] : [String](),
        "before": before.map { Figure.grouped($0[rule] ?? 0) } ?? "–",
      ]
    }
    var values: [String: Any] = [
      "list": list, "isEmpty": list.isEmpty, "first": nights.first?.label ?? "",
      "last": nights.last?.label ?? "", "isFirstNight": isFirstNight,
    ]
    let states = Set(nights.map(\.state))
    values["hasAcknowledged"] = rows.values.contains { $0.acknowledged > 0 }
    values["hasMissing"] = states.contains(.missing)
    values["hasIncomplete"] = states.contains(.incomplete)
    return values
  }

  /// A column per night, as high as its count.
  ///
  /// A night without a count has its own sign.
  private func nightsDrawing(of rule: LeveledRule, _ byDay: [String: Int]) -> Drawing {
    let most = max(1, byDay.values.max() ?? 0)
    let counted = nights.filter(\.isCounted)
    let told = counted.suffix(3).map { "\($0.label): \(byDay[$0.day] ?? 0)" }
    var drawing = Drawing(
      id: "nights-\(rule.level)-\(rule.name)", kind: "spark", width: 150, height: 24,
      title: "\(rule.name), level \(rule.level), over thirty nights",
      description: "At most \(Figure.grouped(most)). " + told.joined(separator: ", ") + ".")
    drawing.stroke("axis", [(0, 23.5), (150, 23.5)])
    for (place, night) in nights.enumerated() {
      let x = Double(place) * 5 + 0.5
      switch night.state {
      case .tonight, .done:
        let count = byDay[night.day] ?? 0
        // A count above zero is visible, even if the largest count is much larger.
        let height = count == 0 ? 0 : max(1.5, 22 * Double(count) / Double(most))
        drawing.mark(
          night.state == .tonight ? "bar tonight" : "bar", x: x, y: 23 - height, width: 4,
          height: height, hint: "\(night.label): \(Figure.grouped(count))")
      case .missing: drawing.cross("gap", x: x + 2, y: 19.5, size: 1.6)
      case .incomplete:
        drawing.mark(
          "hollow", x: x + 0.4, y: 15, width: 3.2, height: 7.6,
          hint: "\(night.label): \(night.outcome ?? "did not finish")")
      case .before: break
      }
    }
    return drawing
  }
}
