/// An inline SVG drawing of marks, strokes and labels, in its own units.
///
/// Its title and description are for people who cannot see it. The style sheet sets its colours and
/// fonts.
struct Drawing {
  let id: String
  let kind: String
  let width: Double
  let height: Double
  let title: String
  let description: String
  private var marks: [[String: Any]] = []
  private var strokes: [[String: Any]] = []
  private var labels: [[String: Any]] = []

  init(
    id: String, kind: String, width: Double, height: Double, title: String, description: String
  ) {
    self.id = id
    self.kind = kind
    self.width = width
    self.height = height
    self.title = title
    self.description = description
  }

  /// Adds a rectangle, unless it has no area.
  mutating func mark(
    _ kind: String, x: Double, y: Double, width: Double, height: Double, hint: String? = nil
  ) {
    guard width > 0, height > 0 else { return }
    var values: [String: Any] = [
      "kind": kind, "x": Self.text(x), "y": Self.text(y), "w": Self.text(width),
      "h": Self.text(height),
    ]
    values["hint"] = hint.map { [$0] } ?? []
    marks.append(values)
  }

  /// Adds a line through points.
  mutating func stroke(_ kind: String, _ points: [(x: Double, y: Double)]) {
    let path = points.enumerated().map { index, point in
      "\(index == 0 ? "M" : "L")\(Self.text(point.x)) \(Self.text(point.y))"
    }.joined()
    strokes.append(["kind": kind, "path": path])
  }

  /// Adds a cross around a point.
  mutating func cross(_ kind: String, x: Double, y: Double, size: Double) {
    stroke(kind, [(x - size, y - size), (x + size, y + size)])
    stroke(kind, [(x - size, y + size), (x + size, y - size)])
  }

  /// Adds a text; `anchor` is start, middle or end.
  mutating func label(_ words: String, x: Double, y: Double, anchor: String = "start") {
    labels.append([
      "words": words, "x": Self.text(x), "y": Self.text(y), "anchor": anchor,
    ])
  }

  /// The values for the template.
  var values: [String: Any] {
    [
      "id": id, "drawingKind": kind, "width": Self.text(width), "height": Self.text(height),
      "heading": title, "description": description, "marks": marks, "strokes": strokes,
      "labels": labels,
    ]
  }

  /// A number rounded to a tenth, which is exact enough for a pixel.
  private static func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let rest = tenths.magnitude % 10
    return "\(sign)\(tenths.magnitude / 10)\(rest == 0 ? "" : ".\(rest)")"
  }
}
