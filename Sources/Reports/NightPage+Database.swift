package import Page
package import PostgreSQL
import ReconciliationSQL
import Runs

extension NightPage {
  /// Reads the content of `index.html` from the relations that the reports use.
  ///
  /// - Parameters:
  ///   - reports: The reports in the same folder, each with its number of rows.
  ///   - money: What the summary says about money.
  init(
    from database: Connection, beside reports: [Report: Int], hasWorkbook: Bool, money: Money
  ) throws(PostgreSQLError) {
    self.init()
    let head = try PageRow.read(.pageHead, database).first
    asOf = head?["as_of"] ?? ""
    day = head?["day"] ?? ""
    dayInWords = head?["day_in_words"] ?? ""
    timeZone = head?["time_zone"] ?? ""
    booksBegin = head?["books_begin"]
    hasCatalogue = head?["has_catalogue"] == "t"
    transactions = head?.count("transactions") ?? 0
    firstFlagged = head?.count("first_flagged") ?? 0
    comparison = try Comparison(from: database)

    var standing: [String: [String: Int]] = [:]
    for row in try PageRow.read(.pageCount, database) {
      let (day, measure) = (row["day"] ?? "", row["measure"] ?? "")
      let section = (row["section"] ?? "").split(separator: "_", maxSplits: 1)
      if section.count == 2 {
        let isOpen = section[0] == "open"
        open.append(
          Open(
            day: day, rule: measure, level: String(section[1]),
            findings: isOpen ? row.count("value") : 0,
            acknowledged: isOpen ? 0 : row.count("value")))
      } else {
        standing[day, default: [:]][measure] = row.count("value")
      }
    }
    nights = try PageRow.read(.pageNight, database).map { row in
      Day(
        day: row["day"] ?? "", label: row["label"] ?? "",
        state: Day.State(rawValue: row["state"] ?? "") ?? .missing, outcome: row["outcome"],
        standing: standing[row["day"] ?? ""] ?? [:])
    }
    for row in try PageRow.read(.pageOpen, database) {
      open.append(
        Open(
          day: day, rule: row["rule"] ?? "", level: row["level"] ?? "",
          findings: row.count("findings"), acknowledged: row.count("acknowledged")))
    }
    changes = try PageRow.read(.pageChange, database).map { row in
      Change(
        rule: row["rule"] ?? "", change: row["change"] ?? "", cause: row["cause"],
        findings: row.count("findings"))
    }
    ages = try PageRow.read(.pageAge, database).map { row in
      Age(
        label: row["label"] ?? "", missing: row.count("missing"),
        uncertain: row.count("uncertain"))
    }
    gaps = try PageRow.read(.pageGap, database).map { row in
      Gap(
        server: row["server"], kind: row["kind"] ?? "", hour: row.count("hour"),
        missing: row.count("missing"))
    }
    cause = try Cause.strongest(in: database)?.sentence
    try readRevenue(from: database)
    show(money)
    // The query reads all of Apple's reports, so it is left out where there are none.
    if reports.contains(where: { $0.key.query.subject == "tie_out" && $0.value > 0 }) {
      appleSums = try PageRow.read(.pageApple, database).map(AppleSum.init)
    }
    worst = try Worst.read(from: database)
    acknowledged = try PageRow.read(.pageAcknowledged, database).map { row in
      Acknowledged(
        rule: row["rule"] ?? "", level: row["level"] ?? "", subject: row["subject"] ?? "",
        reason: row["reason"], name: row["finding"] ?? "", because: row["because"] ?? "",
        by: row["acknowledged_by"] ?? "", systemUser: row["acknowledged_system_user"] ?? "",
        role: row["acknowledged_role"] ?? "", until: row["until_on"],
        findings: row.count("findings"))
    }
    files = Report.all.map { report in
      File(name: report.fileName, holds: report.contents, rows: reports[report])
    }
    if hasWorkbook {
      files.append(
        File(name: StatementWorkbook.fileName, holds: "the statements as a spreadsheet", rows: nil))
    }
  }

  private mutating func show(_ money: Money) {
    riskAges = Money.ages
    atRisk = money.atRisk.map { risk in
      Risk(
        isUncertain: risk.isUncertain, currency: risk.currency, source: risk.source,
        deliveries: risk.total.deliveries, amounts: (risk.byAge + [risk.total]).map(\.amount))
    }
    sales = money.sales.map { sale in
      Sales(
        month: sale.month, currency: sale.currency, units: sale.units,
        paid: (sale.paidUnits, sale.paid), listed: (sale.listedUnits, sale.listPrice))
    }
  }

  private mutating func readRevenue(from database: Connection) throws(PostgreSQLError) {
    for row in try PageRow.read(.pageRevenue, database) {
      let code = row["currency"] ?? ""
      if revenue.last?.code != code {
        let total = Currency.Sum(
          gross: row["all_gross"] ?? "0", refunds: row["all_refunds"] ?? "0",
          net: row["all_net"] ?? "0", listPrice: row["all_list_price"])
        revenue.append(Currency(code: code, total: total, days: [:]))
      }
      currencies = row.count("currencies")
      revenue[revenue.count - 1].days[row["day"] ?? ""] = Currency.Sum(
        gross: row["gross"] ?? "0", refunds: row["refunds"] ?? "0", net: row["net"] ?? "0",
        listPrice: row["list_price"])
    }
  }
}

extension NightPage.Worst {
  /// Reads the worst findings of each rule and level, the worst first.
  package static func read(from database: Connection) throws(PostgreSQLError) -> [NightPage.Worst] {
    try PageRow.read(.pageWorst, database).map { row in
      NightPage.Worst(
        rule: row["rule"] ?? "", level: row["level"] ?? "", subject: row["subject"] ?? "",
        reason: row["reason"], detail: row["detail"] ?? "", transactionID: row["transaction_id"],
        name: row["finding"], firstFlaggedOn: row["first_flagged_on"] ?? "",
        status: row["status"] ?? "", findings: row.count("findings"))
    }
  }
}

extension NightPage.AppleSum {
  fileprivate init(_ row: PageRow) {
    self.init(
      report: row["kind"] ?? "", cadence: row["cadence"] ?? "", isTotal: row["is_total"] == "t",
      periods: row.count("periods"), days: row.count("days"), period: row["period"] ?? "",
      currency: row["currency"] ?? "", currencies: row.count("currencies"),
      lines: row.count("lines"), ours: row["ours"] ?? "",
      compared: row["theirs"].map { theirs in
        Compared(
          theirs: theirs, difference: row["difference"] ?? "", explained: row["explained"] ?? "",
          oneSide: row["one_side"] ?? "", unexplained: row["unexplained"] ?? "",
          lines: (
            row.count("tied_lines"), row.count("one_side_lines"), row.count("unexplained_lines")
          ))
      })
  }
}

/// One row of the page's data, with its values by column name.
private struct PageRow {
  private let values: [String: String]

  static func read(_ file: SQLFile, _ database: Connection) throws(PostgreSQLError) -> [PageRow] {
    try database.run(file).records.map { PageRow(values: $0) }
  }

  subscript(column: String) -> String? { values[column] }

  func count(_ column: String) -> Int { values[column].flatMap { Int($0) } ?? 0 }
}
