/// Reads a report of Apple whole, or says where it is damaged.
struct AppleReportReader {
  private static let advice = "Download the report from Apple again."
  /// What the name of every line of a trailer begins with.
  private static let trailerMark: StaticString = "Total_"

  private let kind: AppleReportKind
  /// For each column of the file, what it is read as.
  private let columns: [AppleReportColumn?]
  /// The number of fields of the first data row.
  ///
  /// A row that was cut has fewer.
  private var width: Int?
  private var rows: [AppleReportRow] = []
  private var trailer: AppleReportTrailer?
  /// The number of columns of the table of countries below the trailer, once its header was read.
  private var widthBelow: Int?

  /// Reads a report.
  static func read(_ bytes: Bytes, limit: Int) throws(RecordProblem) -> AppleReport {
    var lines = AppleReportLines(bytes, limit: limit)
    guard let header = try lines.next() else {
      throw RecordProblem(.truncated, "The report is empty, without a header row. \(advice)")
    }
    var reader = try AppleReportReader(header: header.fields)
    try requireEnd(of: header)
    while let line = try lines.next() {
      try requireEnd(of: line)
      try reader.add(line)
    }
    if reader.kind == .financial {
      guard let trailer = reader.trailer else {
        throw RecordProblem(
          .truncated,
          "The report has no line Total_Rows at its end: it is cut off after "
            + "\(reader.rows.count) \(reader.rows.count == 1 ? "row" : "rows"). \(advice)")
      }
      try trailer.check(reader.rows)
    }
    return AppleReport(kind: reader.kind, rows: reader.rows)
  }

  private static func requireEnd(of line: AppleReportLine) throws(RecordProblem) {
    guard line.hasEnd else {
      throw RecordProblem(
        .truncated, "Line \(line.number) has no line end: the report is cut off. \(advice)")
    }
  }

  private init(header: [Bytes]) throws(RecordProblem) {
    let columns = header.map { AppleReportColumn(named: $0.string) }
    for (place, column) in columns.enumerated() {
      guard let column, let other = columns[..<place].firstIndex(of: column) else { continue }
      throw RecordProblem(
        .missingColumn,
        "The columns \(header[other].string) and \(header[place].string) have the same meaning. "
          + Self.advice)
    }
    guard let kind = AppleReportKind(columns: columns) else {
      let lacking = AppleReportKind.allCases.map { kind in
        let missing = kind.required.filter { !columns.contains($0) }.map { $0.names[0] }
        return "\(kind.rawValue) lacks \(missing.joined(separator: ", "))"
      }
      let remedy =
        header.count == 1
        ? "If the separator is not a tab or a comma, begin the file with a line like sep=;"
        : Self.advice
      throw RecordProblem(
        .unknownFormat,
        "No known report of Apple has these columns: as \(lacking.joined(separator: "; as ")). "
          + remedy)
    }
    self.kind = kind
    self.columns = columns
  }

  private mutating func add(_ line: AppleReportLine) throws(RecordProblem) {
    if kind == .financial, line.fields[0].starts(with: Self.trailerMark) {
      var read = trailer ?? AppleReportTrailer()
      try read.add(line)
      trailer = read
      return
    }
    let expected = width ?? line.fields.count
    if trailer != nil {
      if isHeaderOfCountries(line) {
        widthBelow = line.fields.count
        return
      }
      guard isDataRow(line) else { return }
      throw RecordProblem(
        .malformedCSV, "Line \(line.number) is a data row after the totals. \(Self.advice)")
    }
    guard line.fields.count == expected, expected <= columns.count else {
      throw RecordProblem(
        .malformedCSV,
        "Line \(line.number) has \(line.fields.count) fields, but "
          + "\(width.map { "the rows before it \($0), " } ?? "")the header \(columns.count): it is cut "
          + "off or damaged. \(Self.advice)")
    }
    width = expected
    rows.append(try row(line))
  }

  /// Whether a line below the trailer is a data row, which may be cut.
  ///
  /// A consolidated report may add a short table with the totals of each country, without days.
  private func isDataRow(_ line: AppleReportLine) -> Bool {
    let day = try? AppleReportFields(line, columns).day(.begin)
    return day != nil || line.fields.count != widthBelow && line.fields.count > columns.count / 2
  }

  /// Whether a line names the columns of a table of countries: a country, and no days.
  private func isHeaderOfCountries(_ line: AppleReportLine) -> Bool {
    let columns = line.fields.map { AppleReportColumn(named: $0.string) }
    return columns.contains(.country) && !columns.contains(.begin) && !columns.contains(.end)
  }

  private func row(_ line: AppleReportLine) throws(RecordProblem) -> AppleReportRow {
    let fields = AppleReportFields(line, columns)
    for column in kind.filled where fields[column] == nil {
      throw RecordProblem(
        .missingField, "Line \(line.number) has no \(column.names[0]). \(Self.advice)")
    }
    let begin = try fields.day(.begin)
    let end = try fields.day(.end) ?? begin
    if let begin, let end, end < begin {
      throw RecordProblem(.badDate, "Line \(line.number) ends before it begins. \(Self.advice)")
    }
    let saleKind = try fields.text(.saleKind)
    if kind == .financial, saleKind != "S", saleKind != "R" {
      throw RecordProblem(
        .unknownValue, "Line \(line.number) is neither a sale S nor a return R. \(Self.advice)")
    }
    let isSubscription = kind == .subscription || kind == .subscriptionEvent
    let row = AppleReportRow(
      line: line.number, days: begin.flatMap { begin in end.map { begin...$0 } },
      product: try fields.text(isSubscription ? .subscription : .product) ?? "",
      productType: try fields.text(.productType),
      units: try fields.units(kind == .subscription ? .active : .units) ?? 0,
      proceeds: has(.proceedsCurrency) ? try fields.decimal(.proceeds) : nil,
      extendedProceeds: try fields.decimal(.extendedProceeds),
      proceedsCurrency: try fields.currency(.proceedsCurrency),
      customerPrice: has(.currency) ? try fields.decimal(.customerPrice) : nil,
      currency: try fields.currency(.currency),
      country: try fields.country(.country), saleKind: saleKind, event: try fields.text(.event))
    try requireCurrencies(of: row)
    return row
  }

  /// Whether the report has a column; without the column of its currency, an amount is unknown.
  private func has(_ column: AppleReportColumn) -> Bool { columns.contains(column) }

  /// An amount without a currency is no amount, except zero.
  private func requireCurrencies(of row: AppleReportRow) throws(RecordProblem) {
    // Reports about subscriptions state prices that nothing adds up.
    guard kind == .salesSummary || kind == .financial else { return }
    for (amount, currency, name) in [
      (row.customerPrice, row.currency, "price"),
      (row.extendedProceeds ?? row.proceeds, row.proceedsCurrency, "proceeds"),
    ] where amount?.billionths ?? 0 != 0 && currency == nil {
      throw RecordProblem(
        .badAmount, "Line \(row.line) states no currency of its \(name). \(Self.advice)")
    }
  }
}
