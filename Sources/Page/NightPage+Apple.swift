extension NightPage {
  /// What rows of `tie_out.csv` add up to: units, or amounts of one currency.
  ///
  /// Numbers are exact decimals as text.
  package struct AppleSum: Sendable {
    /// The numbers of Apple, and the parts of the difference to ours.
    package struct Compared: Sendable {
      /// What Apple reports.
      package var theirs: String
      /// What Apple reports minus ours.
      package var difference: String
      /// The part of the difference that the bridge columns of `tie_out.csv` explain.
      package var explained: String
      /// The part that only Apple's report has, or only we have.
      package var oneSide: String
      /// The rest.
      package var unexplained: String
      /// The numbers of rows: with the same numbers and refunds on both sides, with an explained
      /// part, on one side only, and with an unexplained rest.
      package var lines: (tied: Int, explained: Int, oneSide: Int, unexplained: Int)

      /// Creates the numbers.
      package init(
        theirs: String, difference: String, explained: String, oneSide: String,
        unexplained: String, lines: (tied: Int, explained: Int, oneSide: Int, unexplained: Int)
      ) {
        self.theirs = theirs
        self.difference = difference
        self.explained = explained
        self.oneSide = oneSide
        self.unexplained = unexplained
        self.lines = lines
      }
    }
    /// The report: sales_summary or financial.
    package var report: String
    /// The length of its periods: day, week, month, longer period or fiscal month; or pending.
    package var cadence: String
    /// Whether it is the sum of all periods, and not of one.
    package var isTotal: Bool
    /// The number of all periods of this length that have rows in `tie_out.csv`.
    package var periods: Int
    /// The number of all periods of this length that Apple has reported.
    package var reported: Int
    /// The number of its days.
    package var days: Int
    /// The number of pending days of Sales and Trends, in California, on which we sold and refunded
    /// nothing.
    package var quietDays: Int
    /// The period in words; for pending days, the first of them.
    package var period: String
    /// The currency; empty for units.
    package var currency: String
    /// The number of all currencies.
    package var currencies: Int
    /// The number of rows.
    package var lines: Int
    /// What our records add up to.
    package var ours: String
    /// Whether list prices, an estimate, are among our amounts.
    package var hasListPrices: Bool
    /// The numbers of Apple; nil if Apple has not reported these days.
    package var compared: Compared?
    /// Of units: those of ours that are in no amount, because the country, the currency or the
    /// price is not known, or because nothing was paid; nil if there are none.
    package var unitsWithoutAmount: String?

    /// Creates a sum.
    package init(
      report: String, cadence: String, isTotal: Bool, periods: Int, reported: Int, days: Int,
      quietDays: Int, period: String, currency: String, currencies: Int, lines: Int, ours: String,
      hasListPrices: Bool, compared: Compared?, unitsWithoutAmount: String? = nil
    ) {
      self.report = report
      self.cadence = cadence
      self.isTotal = isTotal
      self.periods = periods
      self.reported = reported
      self.days = days
      self.quietDays = quietDays
      self.period = period
      self.currency = currency
      self.currencies = currencies
      self.lines = lines
      self.ours = ours
      self.hasListPrices = hasListPrices
      self.compared = compared
      self.unitsWithoutAmount = unitsWithoutAmount
    }
  }

  /// What the Financial Reports of a month lack, although those before them have it.
  package struct LostRegion: Sendable {
    /// The month in words.
    package var period: String
    /// The currencies, each with its countries.
    package var words: String

    /// Creates it.
    package init(period: String, words: String) {
      self.period = period
      self.words = words
    }
  }

  /// Apple's reports as tables, one for each report; nil if there is no report.
  var appleValues: [String: Any]? {
    guard !appleSums.isEmpty else { return nil }
    let reports = [
      ("sales_summary", "Sales and Trends", "Apple's estimate, by the day in California"),
      ("financial", "Financial Reports", "what Apple has settled, by its fiscal months"),
    ]
    return [
      "list": reports.compactMap { name, title, meaning -> [String: Any]? in
        let sums = appleSums.filter { $0.report == name }
        guard !sums.isEmpty else { return nil }
        let groups = Dictionary(grouping: sums, by: \.cadence)
        var cadences: [String] = []
        for sum in sums where cadences.last != sum.cadence { cadences.append(sum.cadence) }
        return [
          "title": title, "meaning": meaning,
          "groups": cadences.map { cadence in
            ["rows": rows(of: groups[cadence] ?? [])]
          },
          "lost": name == "financial"
            ? lostRegions.map { lost in
              [
                "period": OutsideText.shown(lost.period),
                "words": OutsideText.shown(lost.words, most: 2000),
              ]
            } : [],
        ]
      },
      "hasMore": hasMoreCurrencies,
      "hasWorkbook": files.contains { $0.name.hasSuffix(".xlsx") },
    ]
  }

  /// Whether a report has totals of more currencies than the page has.
  private var hasMoreCurrencies: Bool {
    appleSums.contains { sum in
      let shown = appleSums.count {
        $0.isTotal && !$0.currency.isEmpty && $0.report == sum.report && $0.cadence == sum.cadence
      }
      return sum.isTotal && sum.currencies > shown
    }
  }

  /// The rows of a table; a period that is the same as in the row before is shown once.
  private func rows(of sums: [AppleSum]) -> [[String: Any]] {
    var last: String?
    return sums.map { sum in
      let period = Self.label(of: sum)
      defer { last = period }
      return values(sum).merging(["isRepeated": period == last]) { $1 }
    }
  }

  private func values(_ sum: AppleSum) -> [String: Any] {
    let currency = OutsideText.shown(sum.currency, most: 12)
    var values: [String: Any] = [
      "period": OutsideText.shown(Self.label(of: sum)),
      "measure": sum.currency.isEmpty
        ? units(of: sum)
        : sum.hasListPrices ? "\(currency), ours with list prices (an estimate)" : currency,
      "isTotal": sum.isTotal, "ours": Figure.grouped(decimal: sum.ours),
    ]
    guard let compared = sum.compared else { return values }
    func part(_ text: String, _ lines: Int) -> [String: Any] {
      var part: [String: Any] = ["value": Figure.grouped(decimal: text)]
      if lines > 0 { part["lines"] = Figure.counted(lines, "rows") }
      return part
    }
    values["compared"] = [
      "tied": "\(Figure.grouped(compared.lines.tied)) of \(Figure.grouped(sum.lines))",
      "theirs": Figure.grouped(decimal: compared.theirs),
      "difference": Figure.grouped(decimal: compared.difference),
      "explained": part(compared.explained, compared.lines.explained),
      "oneSide": part(compared.oneSide, compared.lines.oneSide),
      "unexplained": part(compared.unexplained, compared.lines.unexplained),
    ]
    return values
  }

  /// The words for the row of the units, which says what the amounts below it leave out.
  ///
  /// Days without sales of ours are days in California. Beside them it names the time zone of the
  /// number, which can have sales of such a day.
  private func units(of sum: AppleSum) -> String {
    var words = "units"
    if sum.quietDays > 0, timeZone != "America/Los_Angeles" {
      words += ", ours by the day in \(timeZone)"
    }
    guard sum.isTotal, let units = sum.unitsWithoutAmount else { return words }
    return "\(words), \(Figure.grouped(decimal: units)) of ours without an amount"
  }

  /// The period in words.
  private static func label(of sum: AppleSum) -> String {
    if sum.cadence == "pending" {
      let quiet =
        sum.quietDays == 0
        ? ""
        : ", \(Figure.grouped(sum.quietDays)) of them without sales of ours (days in California)"
      return "Pending: \(Figure.counted(sum.days, "days")) since \(sum.period)\(quiet)"
    }
    if sum.isTotal, sum.reported > sum.periods {
      let reported = Figure.counted(sum.reported, "\(sum.cadence)s")
      let only = sum.periods == 1 ? ": \(sum.period)" : ""
      return "\(reported) reported, \(Figure.grouped(sum.periods)) of them with sales or refunds"
        + only
    }
    guard sum.isTotal, sum.periods > 1 else { return sum.period }
    return "All \(Figure.counted(sum.periods, "\(sum.cadence)s"))"
  }
}
