/// The totals that a financial report states at its end.
struct AppleReportTrailer {
  private var totals: [String: AppleDecimal] = [:]

  /// Adds a line of the trailer, which may repeat an earlier one.
  mutating func add(_ line: AppleReportLine) throws(RecordProblem) {
    let name = line.fields[0].string
    guard line.fields.count >= 2, let total = AppleDecimal(line.fields[1]) else {
      throw RecordProblem(
        .badNumber,
        "Line \(line.number): \(name) states no number. Download the report from Apple again.")
    }
    if let other = totals[name], other != total {
      throw RecordProblem(
        .badNumber,
        "Line \(line.number): \(name) is \(total), but was \(other) before. Download the report "
          + "from Apple again.")
    }
    totals[name] = total
  }

  /// Compares the totals with the rows.
  ///
  /// An amount is compared only if all rows are in one currency: a sum across currencies has no
  /// meaning.
  func check(_ rows: [AppleReportRow]) throws(RecordProblem) {
    let scale = Int128(1_000_000_000)
    let lacking = ["Total_Rows", "Total_Amount", "Total_Units"].filter { totals[$0] == nil }
    guard lacking.isEmpty else {
      throw RecordProblem(
        .truncated,
        "The totals at the end lack \(lacking.joined(separator: ", ")). Download the report from Apple again."
      )
    }
    var found = [
      "Total_Rows": Int128(rows.count) * scale,
      "Total_Units": rows.reduce(0) { $0 + Int128($1.units) * scale },
    ]
    if Set(rows.map(\.proceedsCurrency)).count <= 1 {
      found["Total_Amount"] = rows.reduce(0) { $0 + ($1.extendedProceeds?.billionths ?? 0) }
    }
    for (name, sum) in found.sorted(by: { $0.key < $1.key }) {
      guard let stated = totals[name], stated.billionths != sum else { continue }
      throw RecordProblem(
        .wrongTotal,
        "The totals at the end state \(name) \(stated), but the rows give "
          + "\(AppleDecimal(billionths: sum)): rows are missing or damaged. Download the report "
          + "from Apple again.")
    }
  }
}
