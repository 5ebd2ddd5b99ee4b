extension NightPage {
  /// The missing deliveries of one range of days overdue.
  private struct Age {
    let label: String
    let missing: Int
    let uncertain: Int
  }

  /// The missing deliveries of all currencies by days overdue, youngest first.
  private var ages: [Age] {
    money.ages.enumerated().map { place, label in
      func deliveries(isUncertain: Bool) -> Int {
        money.atRisk.reduce(0) {
          $0 + ($1.isUncertain == isUncertain ? $1.byAge[place].deliveries : 0)
        }
      }
      return Age(
        label: label, missing: deliveries(isUncertain: false),
        uncertain: deliveries(isUncertain: true))
    }
  }

  /// The missing deliveries by days overdue; nil if there are none.
  var agesDrawing: Drawing? {
    let ages = ages
    guard let most = ages.map({ $0.missing + $0.uncertain }).max(), most > 0 else { return nil }
    var drawing = Drawing(
      id: "ages", kind: "chart", width: 360, height: Double(ages.count) * 22 + 2,
      title: "Missing deliveries by days overdue",
      description: ages.map { age in
        let uncertain =
          age.uncertain > 0 ? ", \(Figure.grouped(age.uncertain)) uncertain" : ""
        return "\(age.label) overdue: \(Figure.grouped(age.missing))\(uncertain)"
      }.joined(separator: "; ") + ".")
    for (place, age) in ages.enumerated() {
      let y = Double(place) * 22
      func width(_ count: Int) -> Double {
        count == 0 ? 0 : max(2, 220 * Double(count) / Double(most))
      }
      let (solid, hollow) = (width(age.missing), width(age.uncertain))
      drawing.label(age.label, x: 58, y: y + 15, anchor: "end")
      drawing.mark("bar", x: 68, y: y + 4, width: solid, height: 15)
      drawing.mark("hollow", x: 68.5 + solid, y: y + 4.5, width: max(0, hollow - 1), height: 14)
      let uncertain = age.uncertain > 0 ? " + \(Figure.grouped(age.uncertain))" : ""
      drawing.label(
        Figure.grouped(age.missing) + uncertain, x: 74 + solid + hollow, y: y + 15)
    }
    drawing.stroke("axis", [(67.5, 0), (67.5, Double(ages.count) * 22)])
    return drawing
  }

  /// The missing deliveries of one server, or of one kind without a server.
  private struct Lane {
    let kind: String
    let server: String?
    var byHour: [Int: Int] = [:]

    var all: Int { byHour.values.reduce(0, +) }
    var isUncertain: Bool { kind == "unknown" }

    /// The hour with the most purchases, the earliest of several; nil without any.
    var worst: (hour: Int, count: Int)? {
      byHour.max { $0.value == $1.value ? $0.key > $1.key : $0.value < $1.value }
        .map { ($0.key, $0.value) }
    }

    /// The name in the chart.
    ///
    /// Long names that differ only in the middle look the same; the table has the whole names.
    var name: String { name { OutsideText.shown($0, withoutMiddleAbove: 40) } }

    /// The name, with the name of a server as `shown` makes it.
    func name(_ shown: (String) -> String) -> String {
      switch kind {
      case "none": "no attempt"
      case "unnamed": "not named"
      case "other": "others"
      case "unknown": "uncertain"
      default: shown(server ?? "")
      }
    }
  }

  private var lanes: [Lane] {
    var lanes: [Lane] = []
    for gap in gaps {
      let place = lanes.firstIndex { $0.kind == gap.kind && $0.server == gap.server }
      if place == nil { lanes.append(Lane(kind: gap.kind, server: gap.server)) }
      lanes[place ?? lanes.count - 1].byHour[gap.hour, default: 0] += gap.missing
    }
    return lanes
  }

  /// The missing deliveries by server and hour; nil if there are none.
  ///
  /// The area of each square shows the count.
  var gapsDrawing: Drawing? {
    let lanes = lanes
    guard let most = lanes.flatMap(\.byHour.values).max(), most > 0 else { return nil }
    let left = 102.0
    let step = (356 - left) / 24
    var drawing = Drawing(
      id: "gaps", kind: "chart", width: 360, height: Double(lanes.count) * 20 + 24,
      title: "Missing deliveries by server and hour of purchase",
      description: lanes.map { lane in
        let most = lane.worst.map {
          ", most at \(Self.hour($0.hour)) with \(Figure.grouped($0.count))"
        }
        return "\(lane.name): \(Figure.grouped(lane.all))\(most ?? "")"
      }.joined(separator: "; ") + ".")
    for hour in [0, 6, 12, 18] {
      let x = left + Double(hour) * step
      drawing.label(Self.hour(hour), x: x, y: 11)
      drawing.stroke("grid", [(x, 15), (x, Double(lanes.count) * 20 + 20)])
    }
    for (place, lane) in lanes.enumerated() {
      let y = Double(place) * 20 + 30
      let name = OutsideText.shown(lane.name, withoutMiddleAbove: 15)
      drawing.label(name, x: left - 8, y: y + 4, anchor: "end")
      drawing.stroke("axis", [(left, y), (356, y)])
      for (hour, count) in lane.byHour.sorted(by: { $0.key < $1.key }) {
        // The area shows the count, so the side is its square root.
        let side = max(2, 15 * (Double(count) / Double(most)).squareRoot())
        drawing.mark(
          lane.isUncertain ? "hollow" : "bar", x: left + (Double(hour) + 0.5) * step - side / 2,
          y: y - side / 2, width: side,
          height: side, hint: "\(lane.name), \(Self.hour(hour)): \(Figure.grouped(count))")
      }
    }
    return drawing
  }

  /// The same data as a table: each server with its count and its worst hour.
  var gapTable: [[String: Any]] {
    lanes.map { lane in
      [
        "name": lane.name { OutsideText.shown($0, most: 255) }, "all": Figure.grouped(lane.all),
        "hour": lane.worst.map { Self.hour($0.hour) } ?? "",
        "most": lane.worst.map { Figure.grouped($0.count) } ?? "",
      ]
    }
  }

  private static func hour(_ hour: Int) -> String { hour < 10 ? "0\(hour):00" : "\(hour):00" }
}
