import DamageTestSupport
import Foundation
import TestNeeds
import Testing

@testable import Intake

@Suite("Apple's reports")
struct AppleReportTests {
  private static let limit = 1 << 24

  /// The report, or the reason and the detail of its rejection.
  private static func read(_ bytes: [UInt8]) -> Result<AppleReport, RecordProblem> {
    bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(RecordProblem) in try AppleReportReader.read(bytes, limit: limit) }
    }
  }

  private func read(_ text: String) throws -> AppleReport {
    try Self.read(Array(text.utf8)).get()
  }

  private func problem(_ text: String) throws -> RecordProblem {
    guard case .failure(let problem) = Self.read(Array(text.utf8)) else {
      throw Unexpected(text: text)
    }
    return problem
  }

  private struct Unexpected: Error { let text: String }

  private static func table(_ rows: [[String]]) -> String {
    rows.map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  static let salesHeader = [
    "Provider", "SKU", "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date",
    "End Date", "Customer Currency", "Country Code", "Currency of Proceeds", "Customer Price",
    "Parent Identifier",
  ]
  static let sales = [
    salesHeader,
    [
      "APPLE", "coins.100", "IA1", "3", "2.79", "11/01/2026", "11/01/2026", "USD", "US", "USD",
      "3.99", "reader",
    ],
    [
      "APPLE", "coins.100", "IA1", "-1", ".97", "11/01/2026", "11/01/2026", "EUR", "DE", "USD",
      "-1.39", "reader",
    ],
    ["APPLE", "reader", "3", "7", "0", "11/01/2026", "11/01/2026", " ", "LU", " ", "0.00", " "],
  ]
  @Test("without the column of its currency an amount is unknown")
  func withoutCurrencies() throws {
    func without(_ names: [String], _ rows: [[String]]) -> String {
      let kept = rows[0].indices.filter { !names.contains(rows[0][$0]) }
      // The trailer has other columns.
      return Self.table(
        rows.map { row in row.count == rows[0].count ? kept.map { row[$0] } : row })
    }
    let sales = try read(without(["Currency of Proceeds"], Self.sales))
    #expect(sales.rows.count == 3)
    #expect(sales.rows.allSatisfy { $0.proceeds == nil && $0.customerPrice != nil })
    let financial = try read(without(["Customer Currency"], Self.financial))
    #expect(financial.rows.allSatisfy { $0.proceeds != nil && $0.customerPrice == nil })
  }

  static let financial = [
    [
      "Start Date", "End Date", "Vendor Identifier", "Quantity", "Partner Share",
      "Extended Partner Share", "Partner Share Currency", "Sales or Return", "Country Of Sale",
      "Customer Price", "Customer Currency", "Product Type Identifier",
    ],
    [
      "09/27/2026", "10/31/2026", "coins.100", "5", "2.79", "13.95", "USD", "S", "US", "3.99",
      "USD", "IA1",
    ],
    [
      "09/27/2026", "10/31/2026", "coins.100", "-1", "2.79", "-2.79", "USD", "R", "US", "-3.99",
      "USD", "IA1",
    ],
    ["Total_Rows", "2"], ["Total_Amount", "11.16"], ["Total_Units", "4"],
  ]

  @Test("a sales report gives exact amounts, signs and blanks")
  func salesRows() throws {
    let report = try read(Self.table(Self.sales))
    #expect(report.kind == .salesSummary)
    #expect(report.days.map { Instant.text($0.lowerBound * 86400) } == "2026-11-01T00:00:00Z")
    #expect(report.days?.count == 1)
    #expect(report.rows.map(\.line) == [2, 3, 4])
    #expect(report.rows.map(\.units) == [3, -1, 7])
    #expect(report.rows.map { $0.customerPrice?.description } == ["3.99", "-1.39", "0"])
    #expect(report.rows.map { $0.proceeds?.description } == ["2.79", "0.97", "0"])
    #expect(report.rows.map(\.currency) == ["USD", "EUR", nil])
    #expect(report.rows.map(\.proceedsCurrency) == ["USD", "USD", nil])
    #expect(report.rows.map(\.country) == ["US", "DE", "LU"])
  }

  @Test("the order of columns, tabs or CSV, the spelling of names and of days change nothing")
  func sameInAnyForm() throws {
    let expected = try read(Self.table(Self.sales)).rows
    for seed in RandomCases.seeds(7) {
      var dice = Dice(seed)
      let order = Self.salesHeader.indices.shuffled(using: &dice)
      var rows = Self.sales.map { row in order.map { row[$0] } }
      if seed % 2 == 0 {
        rows[0] = rows[0].map { $0.lowercased().replacing(" ", with: "_") }
        rows = rows.map { $0.map { $0.replacing("11/01/2026", with: "2026-11-01") } }
      }
      let text = rows.map { row in
        seed % 3 == 0
          ? row.map { "\"\($0)\"" }.joined(separator: ",") + "\r\n"
          : row.joined(separator: "\t") + "\n"
      }.joined()
      #expect(try read(text).rows == expected, "seed \(seed)")
    }
  }

  @Test("a financial report whose trailer agrees is read, also without rows")
  func financialRows() throws {
    let report = try read(Self.table(Self.financial))
    #expect(report.kind == .financial)
    #expect(report.rows.map { $0.extendedProceeds?.description } == ["13.95", "-2.79"])
    #expect(report.days?.count == 35)
    #expect(report.period == report.days)
    // The month is the same if no row is about all of it, and it has no place for other days.
    let narrow = Self.table(Self.financial)
      .replacing("09/27/2026\t10/31/2026", with: "10/05/2026\t10/06/2026")
    #expect(try read(narrow).period == report.period)
    #expect(try read(narrow).days?.count == 2)
    let wide = Self.table(Self.financial).replacing("10/31/2026", with: "11/01/2026")
    #expect(try read(wide).period?.count == 36)
    let totals = ["Total_Rows", "Total_Amount", "Total_Units"].map { [$0, "0"] }
    let empty = [Self.financial[0]] + totals
    #expect(try read(Self.table(empty)).rows.isEmpty)
  }

  @Test("a trailer that differs by one row, unit or cent rejects the report with both numbers")
  func trailer() throws {
    for (line, stated, found) in [(3, "3", "2"), (4, "11.17", "11.16"), (5, "5", "4")] {
      var rows = Self.financial
      rows[line][1] = stated
      let problem = try problem(Self.table(rows))
      #expect(problem.reason == .wrongTotal)
      #expect(problem.detail.contains("\(rows[line][0]) \(stated), but the rows give \(found):"))
    }
    var repeated = Self.financial
    repeated.insert(["Total_Rows", "2"], at: 3)
    #expect(try read(Self.table(repeated)).rows.count == 2)
    repeated[3][1] = "1"
    #expect(try problem(Self.table(repeated)).detail.contains("Total_Rows is 2, but was 1 before"))
    #expect(try problem(Self.table(Self.financial + [Self.financial[1]])).reason == .malformedCSV)
  }

  @Test("a data row below the trailer rejects the report, with any number of its fields")
  func rowBelowTrailer() throws {
    let rows = Self.financial
    for count in 1...rows[1].count {
      let problem = try problem(Self.table(rows + [Array(rows[1].prefix(count))]))
      #expect(problem.reason == .malformedCSV, "\(count) fields")
      #expect(problem.detail.hasPrefix("Line 7 is a data row after the totals."))
    }
    let countries = [
      ["Country Of Sale", "Partner Share Currency", "Quantity", "Extended Partner Share"],
      ["US", "USD", "4", "11.16"],
    ]
    #expect(try read(Self.table(rows + countries)).rows.count == 2)
    // Such a table can be wider than half of the report.
    let more = (1...8).map { "Number \($0)" }
    let wide = [countries[0] + more, countries[1] + more.map { _ in "0" }]
    #expect(try read(Self.table(rows + wide + [["US"]])).rows.count == 2)
    let cut = try problem(Self.table(rows + wide + [rows[1]]))
    #expect(cut.detail.hasPrefix("Line 9 is a data row after the totals."))
  }

  @Test("amounts in several currencies are not added up")
  func consolidated() throws {
    var rows = Self.financial
    rows[2][6] = "EUR"
    rows[4][1] = "0"
    #expect(try read(Self.table(rows)).rows.count == 2)
    rows[5][1] = "5"
    #expect(try problem(Self.table(rows)).detail.contains("Total_Units"))
  }

  @Test("a report that is cut at any byte is rejected or gives only whole rows")
  func cut() throws {
    let sales = Array(Self.table(Self.sales).utf8)
    let whole = try Self.read(sales).get().rows
    for end in sales.indices {
      guard case .success(let part) = Self.read(Array(sales[..<end])) else { continue }
      // A sales report has no trailer: at a line end nothing shows that rows are missing.
      #expect(sales[end - 1] == UInt8(ascii: "\n"), "cut at \(end)")
      #expect(part.rows == Array(whole.prefix(part.rows.count)), "cut at \(end)")
    }
    let financial = Array(Self.table(Self.financial).utf8)
    let rows = try Self.read(financial).get().rows
    for end in financial.indices {
      guard case .success(let part) = Self.read(Array(financial[..<end])) else { continue }
      #expect(part.rows == rows, "cut at \(end)")
    }
  }

  @Test("a financial report with one flipped bit is rejected or keeps its rows, units and amounts")
  func damaged() throws {
    let sample = Array(Self.table(Self.financial).utf8)
    for seed in RandomCases.seeds(170) {
      var dice = Dice(seed)
      var bytes = sample
      let place = Int.random(in: bytes.indices, using: &dice)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
      guard case .success(let report) = Self.read(bytes) else { continue }
      #expect(report.rows.reduce(0) { $0 + $1.units } == 4, "seed \(seed)")
      #expect(report.rows.count == 2, "seed \(seed)")
      let amounts = report.rows.map { $0.extendedProceeds?.description }
      #expect(amounts == ["13.95", "-2.79"], "seed \(seed)")
    }
  }

  @Test("a problem names the line, the column and the value")
  func places() throws {
    for (column, value, reason, words) in [
      (3, "1,5", RejectionReason.badNumber, "Line 3, units: 1,5 is not a whole number"),
      (3, " ", .missingField, "Line 3 has no units"),
      (4, "1e3", .badAmount, "Line 3, developer proceeds: 1e3 is not a decimal"),
      (5, "13/01/2026", .badDate, "Line 3, begin date: 13/01/2026 is not a day"),
      (6, "10/31/2026", .badDate, "Line 3 ends before it begins"),
      (7, "usd", .badAmount, "Line 3, customer currency: usd is not three capital letters"),
      (8, "DEU", .badText, "Line 3, country code: DEU is not two capital letters"),
    ] {
      var rows = Self.sales
      rows[2][column] = value
      let problem = try problem(Self.table(rows))
      #expect(problem.reason == reason)
      #expect(problem.detail.hasPrefix(words))
    }
    var short = Self.sales
    short[2].removeLast()
    #expect(try problem(Self.table(short)).detail.contains("Line 3 has 11 fields"))
  }

  @Test("other columns are no report, and two columns with one meaning are refused")
  func headers() throws {
    let other = try problem("a\tb\n1\t2\n")
    #expect(other.reason == .unknownFormat)
    #expect(other.detail.contains("as financial lacks begin date, end date, sku"))
    #expect(other.detail.hasSuffix(". Download the report from Apple again."))
    let semicolons = Self.table(Self.sales).replacing("\t", with: ";")
    #expect(
      try problem(semicolons).detail.hasSuffix("begin the file with a line like sep=;"))
    #expect(try read("sep=;\n" + semicolons).rows.count == 3)
    let twice = try problem("SKU\tVendor Identifier\n")
    #expect(twice.reason == .missingColumn)
    #expect(twice.detail.contains("SKU and Vendor Identifier"))
    #expect(try problem("").reason == .truncated)
  }

  @Test(
    "decimals are exact",
    arguments: [
      (".97", "0.97"), ("-85.43", "-85.43"), ("12", "12"), ("1.4", "1.4"), ("0.00", "0"),
      ("-0", "0"), ("999999999999999999.999999999", "999999999999999999.999999999"),
      ("-.000000001", "-0.000000001"),
    ])
  func decimals(text: String, expected: String) {
    let decimal = Array(text.utf8).withUnsafeBufferPointer { AppleDecimal($0) }
    #expect(decimal?.description == expected)
  }

  @Test(
    "other texts are no decimals",
    arguments: ["", "-", ".", "1.", "1e3", "1,5", "+1", "--1", "1.0000000001", "1 0", "0x1"])
  func noDecimals(text: String) {
    #expect(Array(text.utf8).withUnsafeBufferPointer { AppleDecimal($0) } == nil)
  }
}

@Suite("Genuine reports of Apple", .needsCorpus)
struct CorpusAppleReportTests {
  @Test(
    "every genuine report is read whole",
    arguments: [
      ("reports_financial/appstore-sdk-go__financial_v1.tsv", "financial 2 6"),
      ("reports_sales/appstore-sdk-go__sales_summary_2020.tsv", "sales_summary 46"),
      ("reports_subscription/appstore-sdk-go__subscription_2020_b.tsv", "subscription 49"),
      ("reports_subscription/appstore-sdk-go__subscriptions_2020.tsv", "subscription 49"),
      ("reports_subscription/fivetran_dbt__sales_subscription_summary_2022.csv", "subscription 10"),
      (
        "reports_subscription_event/appstore-sdk-go__subscription_events_2020.tsv",
        "subscription_event 49"
      ),
      (
        "reports_subscription_event/fivetran_dbt__sales_subscription_events_2022.csv",
        "subscription_event 10"
      ),
    ])
  func genuine(file: String, expected: String) throws {
    let bytes = try Corpus.bytes(file)
    let report = try bytes.withUnsafeBufferPointer {
      try AppleReportReader.read($0, limit: 1 << 24)
    }
    let units = report.rows.reduce(0) { $0 + $1.units }
    #expect("\(report.kind.rawValue) \(report.rows.count) \(units)".hasPrefix(expected))
  }

  @Test("the old form of a sales report is read, and its last row, which was cut, rejects it")
  func oldForm() throws {
    let bytes = try Corpus.bytes("reports_sales/ole_style_2010__iTunes_2010_27col.tsv")
    let problem = #expect(throws: RecordProblem.self) {
      try bytes.withUnsafeBufferPointer { try AppleReportReader.read($0, limit: 1 << 24) }
    }
    #expect(problem?.detail.hasPrefix("Line 5 has 20 fields, but the rows before it 26") == true)
    let whole =
      bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .prefix(4).joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "\n")]
    let report = try Array(whole).withUnsafeBufferPointer {
      try AppleReportReader.read($0, limit: 1 << 24)
    }
    #expect(report.rows.map(\.units) == [1, 4, 1])
    #expect(report.rows.map { $0.proceeds?.description } == ["0.97", "1.4", "0.72"])
  }
}
