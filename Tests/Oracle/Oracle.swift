/// A second implementation of the meaning of a night, in plain dictionaries and loops: slow and
/// easy to check.
///
/// It shares no code with the program. So if both give the same result, both are probably right.
public struct Oracle {
  private let input: NightInput

  /// Makes an oracle for a night.
  public init(_ input: NightInput) {
    self.input = input
  }

  /// The contents of the statements by file name, as for the first night of a database, and
  /// the sections `disposition` and `obligation` of `control_totals.csv`.
  ///
  /// `detail` in `findings.csv` is empty, because only the program decides its wording.
  public func reports() -> [String: String] {
    let ledger = Ledger(input)
    return [
      "missing_deliveries.csv": ledger.missingDeliveriesReport(),
      "invalid_product_ids.csv": ledger.invalidProductsReport(),
      "duplicate_restores.csv": ledger.duplicateRestoresReport(),
      "revenue.csv": ledger.revenueReport(),
      "months.csv": ledger.monthsReport(),
      "liabilities.csv": ledger.liabilitiesReport(),
      "findings.csv": ledger.findingsReport(),
      "causes.csv": ledger.causesReport(),
      // The oracle's inputs have no reports of Apple.
      "proceeds.csv":
        "report,period_begin,period_end,product_id,country,currency,units,customer_price,"
        + "proceeds_currency,proceeds,commission,tax\r\n",
      "tie_out.csv":
        "report,state,period_begin,period_end,product_id,country,currency,ours_units,"
        + "apple_units,difference_units,cut_off_units,refund_cut_off_units,restored_units,"
        + "free_units,family_shared_units,other_environment_units,upgrades_units,"
        + "invalid_identifier_units,only_here_units,only_apple_units,"
        + "not_yet_processed_units,unexplained_units,ours_amount,apple_amount,"
        + "difference_amount,cut_off_amount,refund_cut_off_amount,upgrades_amount,"
        + "invalid_identifier_amount,only_here_amount,only_apple_amount,"
        + "not_yet_processed_amount,estimated_amount,unpriced_amount,price_amount,"
        + "unexplained_amount,ours_refunded_units,apple_refunded_units\r\n",
      "disposition": ledger.dispositionsText(),
      "obligation": ledger.obligationsText(),
    ]
  }

  /// The findings that have rule, environment and subject in common.
  ///
  /// No two findings may. This is for the tests of the random nights themselves.
  public func ambiguousFindings() -> [String] {
    let identities = Ledger(input).findings().map {
      [$0.rule, $0.environment?.text ?? "", $0.subject.text].joined(separator: " | ")
    }
    return Dictionary(grouping: identities) { ByteText($0) }.values.filter { $0.count > 1 }
      .compactMap(\.first)
  }
}
