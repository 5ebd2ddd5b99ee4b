import ReportReading

/// An equation for every row of a file: the added columns minus those taken away are the result.
struct RowBalance {
  let file: String
  /// The rows to which it applies: those with this value in this column; nil: all.
  var only: (column: String, value: String)?
  let added: [String]
  let takenAway: [String]
  let result: String

  private static let all = [
    RowBalance(
      file: "liabilities.csv", only: ("liability", "unearned"), added: ["opening", "sold"],
      takenAway: ["earned", "refunded"], result: "closing"),
    RowBalance(
      file: "roll_forward.csv",
      added: ["opening", "new", "reopened", "reclassified_in", "returned"],
      takenAway: ["reclassified_out", "resolved", "acknowledged"], result: "closing"),
    RowBalance(
      file: "roll_forward.csv",
      added: [
        "opening_amount", "new_amount", "reopened_amount", "remeasured_amount",
        "reclassified_in_amount", "returned_amount",
      ],
      takenAway: ["reclassified_out_amount", "resolved_amount", "acknowledged_amount"],
      result: "closing_amount"),
    RowBalance(
      file: "restatement.csv",
      added: [
        "published", "after_as_of", "evidence_arrived", "refunded", "refund_reversed",
        "log_arrived", "catalogue_changed", "settings_changed", "file_withdrawn",
        "account_forgotten", "error_corrected",
      ], takenAway: [], result: "restated"),
    RowBalance(
      file: "tie_out.csv", only: ("state", "compared"),
      added: [
        "ours_units", "cut_off_units", "refund_cut_off_units", "restored_units", "free_units",
        "family_shared_units", "other_environment_units", "upgrades_units",
        "invalid_identifier_units", "only_here_units", "only_apple_units",
        "not_yet_processed_units", "unexplained_units",
      ],
      takenAway: [], result: "apple_units"),
    RowBalance(
      file: "tie_out.csv", only: ("state", "compared"),
      added: [
        "ours_amount", "cut_off_amount", "refund_cut_off_amount", "upgrades_amount",
        "invalid_identifier_amount", "only_here_amount", "only_apple_amount",
        "not_yet_processed_amount", "estimated_amount", "unpriced_amount", "price_amount",
        "unexplained_amount",
      ],
      takenAway: [], result: "apple_amount"),
    RowBalance(
      file: "tie_out.csv", only: ("state", "compared"),
      added: ["ours_units", "difference_units"], takenAway: [], result: "apple_units"),
    RowBalance(
      file: "tie_out.csv", only: ("state", "compared"),
      added: ["ours_amount", "difference_amount"], takenAway: [], result: "apple_amount"),
  ]

  /// What is wrong with a row; nil if its sums are right.
  ///
  /// - Parameter field: The row's bytes in a column.
  static func contradiction(in file: String, _ field: (String) -> ArraySlice<UInt8>) -> String? {
    for balance in all where balance.file == file {
      if let only = balance.only, !field(only.column).elementsEqual(only.value.utf8) { continue }
      var whole = ExactSum()
      var rest = ExactSum()
      for column in balance.added { whole.add(field(column)) }
      for column in balance.takenAway + [balance.result] { rest.add(field(column)) }
      // A sum of more than 38 digits is not compared.
      guard whole.isEqual(to: rest) == false else { continue }
      let formula = ([balance.added.joined(separator: " + ")] + balance.takenAway)
        .joined(separator: " - ")
      return "where \(formula) is not \(balance.result)"
    }
    return nil
  }
}
