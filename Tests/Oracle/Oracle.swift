/// The meaning of a night a second time, in plain dictionaries and loops: slow and obviously right.
///
/// It shares nothing with the program, so that where the two agree both are likely right.
public struct Oracle {
  private let input: NightInput

  /// Takes the night to speak about.
  public init(_ input: NightInput) {
    self.input = input
  }

  /// The six statements by file name, as if this were the first night ever, and `dispositions`.
  ///
  /// `detail` in `findings.csv` is empty: its wording is the program's own.
  public func reports() -> [String: String] {
    let ledger = Ledger(input)
    return [
      "missing_deliveries.csv": ledger.missingDeliveriesReport(),
      "invalid_product_ids.csv": ledger.invalidProductsReport(),
      "duplicate_restores.csv": ledger.duplicateRestoresReport(),
      "revenue.csv": ledger.revenueReport(),
      "findings.csv": ledger.findingsReport(),
      "causes.csv": ledger.causesReport(),
      "dispositions": ledger.dispositionsText(),
    ]
  }

  /// Findings that share rule, environment and subject, which no two may; for the tests of the
  /// random nights themselves.
  public func ambiguousFindings() -> [String] {
    let identities = Ledger(input).findings().map {
      [$0.rule, $0.environment?.text ?? "", $0.subject.text].joined(separator: " | ")
    }
    return Dictionary(grouping: identities) { ByteText($0) }.values.filter { $0.count > 1 }
      .compactMap(\.first)
  }
}
