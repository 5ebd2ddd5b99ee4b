import ExactText

/// Numbers in Prometheus' text format (version 0.0.4), as the textfile collector of the node
/// exporter reads it.
struct MetricsText {
  private(set) var text = ""

  /// One time series: labels in their order, and a value.
  typealias Sample = (labels: [(name: String, value: String)], value: Double)

  /// Adds a gauge with its samples; one without samples is left out.
  mutating func add(_ name: String, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
      text += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}")
      text += " \(Self.number(sample.value))\n"
    }
  }

  /// Adds a gauge with one value; nil means unknown and is left out.
  mutating func add(_ name: String, _ help: String, _ value: Double?) {
    if let value { add(name, help, [([], value)]) }
  }

  private static func escaped(_ value: String) -> String {
    value.replacingScalars { scalar in
      switch scalar {
      case "\\", "\"": "\\\(scalar)"
      case "\n": "\\n"
      default: nil
      }
    }
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
  }
}
