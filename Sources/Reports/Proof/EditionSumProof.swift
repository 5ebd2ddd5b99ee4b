import ReportReading
import Runs

/// Adds up the CSV files of an edition again, while they are read for their checksums.
struct EditionSumProof {
  private let manifest: Manifest
  private var file: Manifest.File?
  private var rows = CSVRows(longestRow: Self.longestRow)
  private var count = 0
  private var columns: [String: Int] = [:]
  private var found: (file: String, words: String)?

  private var totals = ControlTotals()
  private var missing: (certain: Int, uncertain: Int) = (0, 0)
  /// The units that are missing, by delivery and by month.
  private var unitsMissing: (deliveries: ExactSum, months: ExactSum) = (ExactSum(), ExactSum())
  /// Whether the edition has the units of each missing delivery; older editions do not.
  private var hasUnitsMissing = false
  private var findings: [[UInt8]: Int] = [:]
  private var fileRows: [String: Int] = [:]
  private var days: [[UInt8]: [ExactSum]] = [:]
  private var months: [[UInt8]: [ExactSum]] = [:]

  /// The columns of money and units that `revenue.csv` and `months.csv` have in common.
  private static let summed = [
    "units_sold", "gross", "units_refunded", "refunds", "net", "units_upgraded",
  ]
  /// The maximum number of different values of a kind that are kept.
  ///
  /// A folder from elsewhere can contain any number of them. The rest is not added up.
  private static let mostKeys = 1_000_000
  /// The maximum size of a row in memory, in bytes; rows that the program writes are smaller.
  private static let longestRow = 64 << 20

  init(_ manifest: Manifest) {
    self.manifest = manifest
  }

  mutating func begin(_ file: Manifest.File) {
    self.file = file.name.hasSuffix(".csv") ? file : nil
    (rows, count, columns) = (CSVRows(longestRow: Self.longestRow), 0, [:])
  }

  mutating func take(_ piece: some Sequence<UInt8>) {
    guard let file else { return }
    // A copy: the closure changes self while the rows are read.
    var rows = rows
    rows.take(Array(piece)[...]) { row($0.fields, of: file.name) }
    self.rows = rows
  }

  mutating func end() {
    guard let file else { return }
    fileRows[file.name] = count - 1
    if !rows.isComplete { note(file.name, "does not end with a whole row") }
    if file.rows != count - 1 {
      let said = file.rows.map { "\($0)" } ?? "no number of"
      note(file.name, "has \(count - 1) rows, and the manifest says \(said) rows")
    }
  }

  private mutating func note(_ file: String, _ words: String) {
    if found == nil { found = (file, words) }
  }

  private mutating func row(_ fields: [ArraySlice<UInt8>], of file: String) {
    defer { count += 1 }
    guard count > 0 else {
      for (place, field) in fields.enumerated() {
        columns[String(decoding: field, as: UTF8.self)] = place
      }
      if file == "missing_deliveries.csv" { hasUnitsMissing = columns["units"] != nil }
      return
    }
    func field(_ column: String) -> ArraySlice<UInt8> {
      columns[column].flatMap { $0 < fields.count ? fields[$0] : nil } ?? []
    }
    if let words = RowBalance.contradiction(in: file, field) {
      note(file, "has a row \(count) \(words)")
    }
    switch file {
    case "control_totals.csv" where count <= Self.mostKeys:
      if !totals.add(fields) {
        note(file, "has a row \(count) that is not a new measure with a whole number")
      }
    case "missing_deliveries.csv":
      if field("reason").elementsEqual("no_records".utf8) {
        missing.uncertain += 1
      } else {
        missing.certain += 1
        unitsMissing.deliveries.add(field("units"))
      }
    case "months.csv":
      unitsMissing.months.add(field("units_missing"))
      if months.count < Self.mostKeys { Self.add(field, field("month"), to: &months) }
    case "findings.csv" where findings.count < Self.mostKeys:
      findings[Array(field("rule")), default: 0] += 1
    case "revenue.csv" where days.count < Self.mostKeys:
      Self.add(field, field("day").prefix(7), to: &days)
    default: break
    }
  }

  private static func add(
    _ field: (String) -> ArraySlice<UInt8>, _ month: ArraySlice<UInt8>,
    to sums: inout [[UInt8]: [ExactSum]]
  ) {
    let key = [month, field("currency"), field("price_source")].joined(separator: [0x2c])
    var values = sums[Array(key)] ?? summed.map { _ in ExactSum() }
    for (place, column) in summed.enumerated() { values[place].add(field(column)) }
    sums[Array(key)] = values
  }
}

extension EditionSumProof {
  /// The first sum that does not agree, and its file; nil if all agree.
  var contradiction: (file: String, words: String)? {
    found ?? contradictionOfTotals ?? contradictionOfCounts ?? contradictionOfMonths
      ?? contradictionOfUnits
  }

  private var contradictionOfTotals: (file: String, words: String)? {
    let file = "control_totals.csv"
    guard totals == manifest.totals else {
      return (file, "does not have the control totals that the manifest has")
    }
    func unequal(_ section: String, _ sum: String, _ parts: [String]) -> String? {
      guard let whole = totals[section, sum] else { return nil }
      let values = parts.map { totals[section, $0] ?? 0 }
      // A folder from elsewhere can contain numbers of any size.
      let sum = values.reduce((0, false)) { sum, value in
        let (result, overflows) = sum.0.addingReportingOverflow(value)
        return (result, sum.1 || overflows)
      }
      guard sum.1 || sum.0 != whole else { return nil }
      return "says \(whole) for \(section) \(sum), and its parts are "
        + values.map { "\($0)" }.joined(separator: " + ")
    }
    let parts = (totals.values["disposition"] ?? [:]).keys.filter { $0 != "total" }.sorted()
    let words =
      unequal("disposition", "total", parts)
      ?? unequal("obligation", "due", ["delivered", "missing", "uncertain"])
      ?? totals.values.keys.sorted().lazy.compactMap { section in
        unequal(section, "read", ["new", "already_known", "rejected"])
      }.first
    return words.map { (file, $0) }
  }

  private var contradictionOfCounts: (file: String, words: String)? {
    for (measure, count) in [("missing", missing.certain), ("uncertain", missing.uncertain)] {
      if let told = totals["obligation", measure], told != count {
        return (
          "missing_deliveries.csv",
          "has \(count) rows that are \(measure), and control_totals.csv says \(told)"
        )
      }
    }
    for report in Report.all {
      guard let rule = report.rule else { continue }
      let (file, count) = (report.fileName, findings[Array(rule.utf8)] ?? 0)
      if let rows = fileRows[file], rows < count {
        return (file, "has \(rows) rows, and findings.csv has \(count) findings of \(rule)")
      }
    }
    return nil
  }

  /// The units of the missing deliveries, if those of the months are other ones.
  private var contradictionOfUnits: (file: String, words: String)? {
    let (deliveries, months) = unitsMissing
    guard hasUnitsMissing, deliveries.isEqual(to: months) == false else { return nil }
    return (
      "missing_deliveries.csv",
      """
      has \(deliveries.text ?? "") units without no_records, and units_missing of months.csv adds \
      up to \(months.text ?? "")
      """
    )
  }

  /// The first sum of `months.csv` that differs from the sum of the month's days in `revenue.csv`.
  ///
  /// Only months that `revenue.csv` has completely are compared.
  private var contradictionOfMonths: (file: String, words: String)? {
    let since = Array(manifest.revenueSince.utf8)
    let keys = Set(days.keys).union(months.keys)
      .filter { !($0.prefix(7) + "-01".utf8).lexicographicallyPrecedes(since) }
    let none = Self.summed.map { _ in ExactSum() }
    for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      for (place, column) in Self.summed.enumerated() {
        let day = (days[key] ?? none)[place]
        let month = (months[key] ?? none)[place]
        // A sum of more than 38 digits is not compared.
        guard day.isEqual(to: month) == false else { continue }
        return (
          "months.csv",
          """
          has \(column) \(month.text ?? "") for \(String(decoding: key, as: UTF8.self)), \
          and the days of revenue.csv add up to \(day.text ?? "")
          """
        )
      }
    }
    return nil
  }
}
