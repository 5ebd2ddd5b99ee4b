package import Page
package import PostgreSQL
import ReconciliationSQL
import Runs

extension NightPage {
  /// Reads the content of `index.html` from the relations that the reports use.
  ///
  /// - Parameters:
  ///   - reports: The reports in the same folder, each with its number of rows.
  ///   - comparison: How much of the night was compared.
  ///   - cause: What missing deliveries have in common; nil if nothing stands out.
  ///   - money: The money of the night.
  init(
    from database: Connection, beside reports: [Report: Int], hasWorkbook: Bool,
    comparison: Comparison, cause: Cause?, money: Money
  ) throws(PostgreSQLError) {
    self.init()
    try readHead(from: database)
    self.comparison = comparison
    try readNights(from: database)
    try readGaps(from: database)
    self.cause = cause?.sentence
    try readRevenue(from: database)
    self.money = money
    appleSums = try database.run(SQLFile.pageApple).records.map { row throws(PostgreSQLError) in
      try AppleSum(row)
    }
    lostRegions = try database.run(SQLFile.pageLostRegion).records.map { row in
      LostRegion(period: row.text("period"), words: row.text("words"))
    }
    try readFindings(from: database)
    files = Report.all.map { report in
      File(name: report.fileName, holds: report.contents, rows: reports[report])
    }
    if hasWorkbook {
      files.append(
        File(name: StatementWorkbook.fileName, holds: "the statements as a spreadsheet", rows: nil))
    }
  }

  private mutating func readHead(from database: Connection) throws(PostgreSQLError) {
    guard let head = try database.run(SQLFile.pageHead).records.first else { return }
    asOf = head.text("as_of")
    day = head.text("day")
    dayInWords = head.text("day_in_words")
    timeZone = head.text("time_zone")
    booksBegin = head["books_begin"]
    revenueSince = head["revenue_since"].map { ($0, head.text("revenue_since_in_words")) }
    hasCatalogue = head.flag("has_catalogue")
    isOfPastDay = head.flag("is_of_past_day")
    withdrawnFiles = try StillCountedFiles(in: database)?.number ?? 0
    transactions = try head.count("transactions")
    firstFlagged = try head.count("first_flagged")
    reopened = try head.count("reopened")
  }

  /// Reads the days that the page shows, with their findings.
  private mutating func readNights(from database: Connection) throws(PostgreSQLError) {
    let days = try database.run(SQLFile.pageNight).records
    var standing: [String: [String: Int]] = [:]
    let counts = try database.run(
      SQLFile.pageCount, [PostgreSQLArray.text(days.map { $0.text("day") })])
    for row in counts.records {
      let (day, measure) = (row.text("day"), row.text("measure"))
      let value = try row.count("value")
      let section = row.text("section").split(separator: "_", maxSplits: 1)
      if section.count == 2 {
        let isOpen = section[0] == "open"
        open.append(
          Open(
            day: day, rule: measure, level: String(section[1]),
            findings: isOpen ? value : 0, acknowledged: isOpen ? 0 : value))
      } else {
        standing[day, default: [:]][measure] = value
      }
    }
    for row in days {
      let day = Day(
        day: row.text("day"), label: row.text("label"),
        state: Day.State(rawValue: row.text("state")) ?? .missing, outcome: row["outcome"],
        standing: standing[row.text("day")] ?? [:])
      if row.flag("is_earlier") { earlierNight = day } else { nights.append(day) }
    }
    for row in try database.run(SQLFile.pageOpen).records {
      try open.append(
        Open(
          day: day, rule: row.text("rule"), level: row.text("level"),
          findings: row.count("findings"), acknowledged: row.count("acknowledged")))
    }
  }

  /// Reads what changed tonight, the worst findings and those that are acknowledged.
  private mutating func readFindings(from database: Connection) throws(PostgreSQLError) {
    changes = try database.run(SQLFile.pageChange).records.map { row throws(PostgreSQLError) in
      try Change(
        rule: row.text("rule"), change: row.text("change"), cause: row["cause"],
        findings: row.count("findings"))
    }
    worst = try Worst.read(from: database)
    let standingAcknowledgements = try database.run(SQLFile.pageAcknowledged).records
    acknowledged = try standingAcknowledgements.map { row throws(PostgreSQLError) in
      try Acknowledged(
        rule: row.text("rule"), level: row.text("level"), subject: row.text("subject"),
        reason: row["reason"], isReasonInSubject: row.flag("is_reason_in_subject"),
        name: row.text("finding"), because: row.text("because"),
        by: row.text("acknowledged_by"), systemUser: row.text("acknowledged_system_user"),
        role: row.text("acknowledged_role"), until: row["until_on"],
        findings: row.count("findings"))
    }
  }

  /// Reads how many deliveries are missing by server and hour.
  private mutating func readGaps(from database: Connection) throws(PostgreSQLError) {
    gaps = try database.run(SQLFile.pageGap).records.map { row throws(PostgreSQLError) in
      try Gap(
        server: row["server"], kind: row.text("kind"), hour: row.count("hour"),
        missing: row.count("missing"))
    }
  }

  private mutating func readRevenue(from database: Connection) throws(PostgreSQLError) {
    for row in try database.run(SQLFile.pageRevenue).records {
      let code = row.text("currency")
      if revenue.last?.code != code {
        let total = Currency.Sum(
          gross: row["all_gross"] ?? "0", refunds: row["all_refunds"] ?? "0",
          net: row["all_net"] ?? "0", listPrice: row["all_list_price"],
          listRefunds: row["all_list_refunds"])
        revenue.append(Currency(code: code, total: total, days: [:]))
      }
      currencies = try row.count("currencies")
      revenue[revenue.count - 1].days[row.text("day")] = Currency.Sum(
        gross: row["gross"] ?? "0", refunds: row["refunds"] ?? "0", net: row["net"] ?? "0",
        listPrice: row["list_price"], listRefunds: row["list_refunds"])
    }
  }
}

extension NightPage.Worst {
  /// Reads the worst findings of each rule and level, the worst first.
  ///
  /// - Parameter runs: The runs whose new findings come first.
  package static func read(
    from database: Connection, newIn runs: [String] = []
  ) throws(PostgreSQLError) -> [NightPage.Worst] {
    let runs = PostgreSQLArray.text(runs)
    return try database.run(SQLFile.pageWorst, [runs]).records.map { row throws(PostgreSQLError) in
      try NightPage.Worst(
        rule: row.text("rule"), level: row.text("level"), subject: row.text("subject"),
        reason: row["reason"], isReasonInSubject: row.flag("is_reason_in_subject"),
        detail: row.text("detail"), transactionID: row["transaction_id"], name: row["finding"],
        firstFlaggedOn: row.text("first_flagged_on"), status: row.text("status"),
        findings: row.count("findings"), isNew: row.flag("is_new"))
    }
  }
}

extension NightPage.AppleSum {
  fileprivate init(_ row: Row) throws(PostgreSQLError) {
    var compared: Compared?
    if let theirs = row["theirs"] {
      compared = try Compared(
        theirs: theirs, difference: row.text("difference"), explained: row.text("explained"),
        oneSide: row.text("one_side"), unexplained: row.text("unexplained"),
        lines: (
          row.count("tied_lines"), row.count("explained_lines"), row.count("one_side_lines"),
          row.count("unexplained_lines")
        ))
    }
    try self.init(
      report: row.text("kind"), cadence: row.text("cadence"), isTotal: row.flag("is_total"),
      periods: row.count("periods"), reported: row.count("reported_periods"),
      days: row.count("days"), quietDays: row.count("quiet_days"),
      period: row.text("period"), currency: row.text("currency"),
      currencies: row.count("currencies"), lines: row.count("lines"), ours: row.text("ours"),
      hasListPrices: row.flag("has_list_prices"), compared: compared,
      unitsWithoutAmount: row["units_without_amount"])
  }
}
