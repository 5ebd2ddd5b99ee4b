/// A report of Apple, read whole.
///
/// With only some of its rows, every difference to the report would be wrong. So a report is used
/// as a whole or rejected as a whole.
struct AppleReport: Hashable, Sendable {
  /// The kind that its columns show.
  let kind: AppleReportKind
  /// Its data rows, in the order of the file.
  let rows: [AppleReportRow]

  /// The days that its rows name, counted since 1970-01-01; nil if none names a day.
  let days: ClosedRange<Int64>?
  /// The days that it covers, counted since 1970-01-01; nil if its rows name no day.
  ///
  /// Financial Reports are made by fiscal month, also if no row is about its first or last day.
  let period: ClosedRange<Int64>?

  /// Makes the report of these rows.
  init(kind: AppleReportKind, rows: [AppleReportRow]) {
    self.kind = kind
    self.rows = rows
    let named = rows.compactMap(\.days)
    let first = named.lazy.map(\.lowerBound).min()
    let last = named.lazy.map(\.upperBound).max()
    days = first.flatMap { first in last.map { first...$0 } }
    if kind == .financial, let days, let month = FiscalMonth(containing: days.lowerBound),
      month.days.contains(days.upperBound)
    {
      period = month.days
    } else {
      period = days
    }
  }
}

/// A row of a report of Apple; a field that the report leaves blank is nil.
struct AppleReportRow: Hashable, Sendable {
  /// The line of the file, from 1.
  let line: Int64
  /// The days that the row is about, counted since 1970-01-01.
  let days: ClosedRange<Int64>?
  /// The SKU, the vendor identifier or the name of the subscription.
  let product: String
  /// Apple's code of the type, such as `IA1`.
  let productType: String?
  /// The units, negative for refunds; the number of active subscriptions.
  let units: Int64
  /// The proceeds of one unit.
  let proceeds: AppleDecimal?
  /// The signed proceeds of all units, as a financial report states them.
  let extendedProceeds: AppleDecimal?
  /// The currency of the proceeds.
  let proceedsCurrency: String?
  /// The price of one unit; negative for refunds.
  let customerPrice: AppleDecimal?
  /// The currency of the price.
  let currency: String?
  /// The country, as the report writes it.
  let country: String?
  /// `S` or `R` in a financial report.
  let saleKind: String?
  /// The name of the event.
  let event: String?
}
