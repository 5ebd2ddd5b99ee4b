import Reports

/// The output of `tieout restate`.
enum RestatementText {
  private static let columns = [
    "month", "product_id", "currency", "price_source", "measure", "edition", "published",
    "difference", "restated",
  ]

  /// A table with one line for each number that has changed, and its causes at the end.
  ///
  /// - Parameter month: The month that was asked for; nil: all.
  static func of(_ restatement: Restatement, _ month: String?) -> String {
    guard restatement.hasPublished else {
      let what = month.map { "\($0) has not" } ?? "No ended month has"
      return "\(what) been published yet, so nothing is compared.\n"
    }
    guard !restatement.rows.isEmpty else {
      return "Nothing has changed since \(month ?? "each ended month") was published.\n"
    }
    let rows = restatement.rows.map { row in
      columns.map { Visible.text(row.values[$0] ?? "") } + [row.causes.joined(separator: ", ")]
    }
    return TextTable(header: columns + ["causes"], rows: rows).text
  }
}
