import CanonicalJSON
import FileSystem
import ReportReading
import Runs

/// The rows of `control_totals.csv`: numbers by section and measure.
struct ControlTotals: Sendable, Equatable {
  private(set) var values: [String: [String: Int]] = [:]

  /// Adds a row.
  ///
  /// - Returns: false if it is not a new measure with a whole number.
  mutating func add(_ fields: [ArraySlice<UInt8>]) -> Bool {
    guard fields.count == 3 else { return false }
    let texts = fields.map { String(decoding: $0, as: UTF8.self) }
    guard let value = Int(texts[2]), "\(value)" == texts[2],
      values[texts[0], default: [:]].updateValue(value, forKey: texts[1]) == nil
    else { return false }
    return true
  }

  /// Reads `control_totals.csv` in the folder that is being written.
  init(in folder: OpenFolder) throws {
    let name = "control_totals.csv"
    let bytes = try FilePlace(name, in: folder).contents(atMost: Manifest.mostBytes)
    var rows = CSVRows()
    var isHeader = true
    var isWhole = true
    rows.take(bytes[...]) { row in
      if !isHeader, !add(row.fields) { isWhole = false }
      isHeader = false
    }
    guard isWhole else {
      throw ReconciliationError(
        .totals,
        "\(name) has a row that is not a new measure with a whole number. Nothing was published.")
    }
  }

  /// The totals in a manifest.
  init?(_ json: CanonicalJSON) {
    guard let sections = json.members else { return nil }
    for section in sections {
      guard let measures = section.value.members else { return nil }
      for measure in measures {
        guard let value = measure.value.integer else { return nil }
        values[section.name, default: [:]][measure.name] = value
      }
    }
  }

  init() {}

  subscript(section: String, measure: String) -> Int? { values[section]?[measure] }

  var json: CanonicalJSON {
    .object(
      values.map { section, measures in
        CanonicalJSON.Member(
          section, .object(measures.map { CanonicalJSON.Member($0.key, .integer($0.value)) }))
      })
  }
}
