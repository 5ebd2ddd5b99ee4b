import Configuration
import Foundation
import NightRun
import ReconciliationTestSupport
import TestNeeds
import Testing

@Suite("proceeds.csv")
struct ProceedsTests {
  private static let october5 = AppleReports.sales(
    "10/05/2026",
    ["book US 3 0.70 USD 0.99 USD", "book US -1 0.70 USD -0.99 USD", "film DE 2 .97 EUR 1.59 EUR"])
  private static let october6 = AppleReports.sales("10/06/2026", ["book US 1 0.70 USD 0.99 USD"])
  private static let october = AppleReports.financial(
    [
      "book US 5 0.70 3.50 USD S 0.99 USD",
      "book US -1 0.70 -0.70 USD R -0.99 USD",
      "film DE 2 0.97 1.94 EUR S 1.59 EUR",
    ], amount: "4.74", units: 6)
  private static let shown = """
    report    | period_begin | period_end | product_id | country | currency | units | customer_price | proceeds_currency | proceeds | commission | tax
    financial | 2026-09-27   | 2026-10-31 | book       | US      | USD      | 4     | 3.96           | USD               | 2.80     |            |
    financial | 2026-09-27   | 2026-10-31 | film       | DE      | EUR      | 2     | 3.18           | EUR               | 1.94     |            |
    sales_summary | 2026-10-05   | 2026-10-05 | book       | US      | USD      | 2     | 1.98           | USD               | 1.40     |            |
    sales_summary | 2026-10-05   | 2026-10-05 | film       | DE      | EUR      | 2     | 3.18           | EUR               | 1.94     |            |
    sales_summary | 2026-10-06   | 2026-10-06 | book       | US      | USD      | 1     | 0.99           | USD               | 0.70     |            |
    """

  @Test("no number of a report stops the night")
  func extremes() throws {
    let night = try TestNight()
    night.settings.revenueSince = "0001-01-01"
    let amount = "999999999999999999.999999999"
    for (number, units) in [
      "-9223372036854775808", "9223372036854775807", "-1000000001", "1000000001", "-1000000000",
      "1000000000", "0",
    ].enumerated() {
      for (place, day) in ["01/01/0001", "10/0\(number + 1)/2026", "12/31/9999"].enumerated() {
        try night.put(
          AppleReports.sales(
            day, ["book US \(units) \(amount) USD \(amount) USD", "book US 1 1 USD 1 USD"]),
          at: "apple/\(number)-\(place).txt")
      }
    }
    for hour in 1...2 { try night.run(asOf: "2026-11-20 0\(hour):00") }
    // The last day has not come yet, and of the first one only the newest report counts.
    let shown = try night.table("proceeds.csv").rows(where: "period_end", is: "2026-10-05")
    #expect(shown.columns(["units"]).rows == [["-999999999"]])
    #expect(
      try night.table("rejected_records.csv").rows(where: "reason", is: "bad_number").rows.count
        == 12)
  }

  @Test("two reports of one period in one run are told, because neither is known to be newer")
  func ambiguous() throws {
    let other = AppleReports.sales("10/05/2026", ["book US 5 0.70 USD 0.99 USD"])
    let night = try TestNight()
    try night.put(Self.october5, at: "apple/a.txt")
    try night.put(other, at: "apple/b.txt")
    try night.put(Self.october6, at: "apple/c.txt")
    let warnings = try night.run(asOf: "2026-11-20 03:00").warnings
      .filter { $0.contains("different reports") }
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("2 different reports sales_summary of 2026-10-05") == true)
    let units = try night.table("proceeds.csv").rows(where: "period_begin", is: "2026-10-05")
      .columns(["units"]).rows
    let counting = units == [["5"]] ? "apple/b.txt" : "apple/a.txt"
    #expect(warnings.first?.contains("The one in \(counting) counts") == true, "\(warnings)")
    // A later run knows that its report is newer.
    let split = try TestNight()
    try split.put(Self.october5, at: "apple/a.txt")
    try split.run(asOf: "2026-11-19 03:00")
    try split.put(other, at: "apple/b.txt")
    #expect(
      try !split.run(asOf: "2026-11-20 03:00").warnings.contains {
        $0.contains("different reports")
      })
  }

  @Test("units, prices and proceeds are those of the reports, in any order and split of nights")
  func told() throws {
    let texts = [Self.october5, Self.october6, Self.october]
    var bytes: Set<String> = []
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      for isSplit in [false, true] {
        let night = try TestNight()
        for (name, place) in order.enumerated() {
          try night.put(texts[place], at: "apple/\(name).txt")
          if isSplit { try night.run(asOf: "2026-11-1\(name) 03:00") }
        }
        try night.run(asOf: "2026-11-20 03:00")
        try night.expect(report: "proceeds.csv", shows: Self.shown)
        bytes.insert(try night.report("proceeds.csv"))
      }
    }
    #expect(bytes.count == 1)
  }

  @Test("a period that ends after as-of does not count, and old Sales and Trends are left out")
  func periods() throws {
    let night = try TestNight()
    for (name, text) in [Self.october5, Self.october6, Self.october].enumerated() {
      try night.put(text, at: "apple/\(name).txt")
    }
    night.settings.revenueSince = "2026-10-06"
    // In California it is still 2026-10-06.
    try night.run(asOf: "2026-10-07 03:00")
    #expect(try night.table("proceeds.csv").columns(["period_end"]).rows == [["2026-10-06"]])
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try night.table("proceeds.csv").columns(["period_end"]).rows
        == [["2026-10-31"], ["2026-10-31"], ["2026-10-06"]])
  }

  @Test("a report that comes again replaces the earlier one, and withdrawing it brings that back")
  func again() throws {
    let night = try TestNight()
    try night.put(Self.october5, at: "apple/a.txt")
    try night.put(Self.october, at: "apple/b.txt")
    try night.run(asOf: "2026-11-18 03:00")
    let first = try night.report("proceeds.csv")
    // The same content in another form, and a consolidated report with one of two countries.
    try night.put(Data(try gzipMember(Array(Self.october5.utf8))), at: "apple/a.txt.gz")
    let same = try night.run(asOf: "2026-11-19 03:00")
    #expect(try night.report("proceeds.csv") == first)
    let line = try #require(same.lines.first { $0.kind == "apple_rows" })
    #expect([line.read, line.new, line.alreadyKnown] == [3, 0, 3])
    try night.put(
      AppleReports.sales("10/05/2026", ["book US 4 0.70 USD 0.99 USD"]), at: "apple/corrected.txt")
    try night.put(
      AppleReports.financial(["film DE 3 0.97 2.91 EUR S 1.59 EUR"], amount: "2.91", units: 3),
      at: "apple/region.txt")
    try night.run(asOf: "2026-11-20 03:00")
    let second = """
      report    | product_id | units | proceeds
      financial | book       | 4     | 2.80
      financial | film       | 3     | 2.91
      sales_summary | book       | 4     | 2.80
      """
    try night.expect(report: "proceeds.csv", shows: second)
    for name in ["apple/corrected.txt", "apple/region.txt"] { try night.withdraw(name) }
    try night.rebuild()
    #expect(try night.report("proceeds.csv") == first)
    for name in ["apple/corrected.txt", "apple/region.txt"] { try night.undoWithdrawal(name) }
    try night.rebuild()
    try night.expect(report: "proceeds.csv", shows: second)
  }

  @Test("a damaged report changes nothing else")
  func damaged() throws {
    let night = try TestNight()
    try night.put(Self.october5, at: "apple/a.txt")
    try night.put(
      Self.october.replacing("Total_Units\t6", with: "Total_Units\t7"), at: "apple/b.txt")
    let summary = try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try night.table("rejected_records.csv").columns(["file", "kind", "reason"]).rows
        == [["apple/b.txt", "file", "wrong_total"]])
    #expect(try night.table("proceeds.csv").rows.count == 2)
    let line = try #require(summary.lines.first { $0.kind == "apple_rows" })
    #expect([line.read, line.new] == [3, 3])
  }

  @Test("genuine reports give their amounts", .needsCorpus)
  func genuine() throws {
    let night = try TestNight()
    night.settings.revenueSince = "2010-01-01"
    for (name, file) in [
      "reports_sales/appstore-sdk-go__sales_summary_2020.tsv",
      "reports_financial/appstore-sdk-go__financial_v1.tsv",
      "reports_subscription/appstore-sdk-go__subscriptions_2020.tsv",
      "reports_subscription_event/appstore-sdk-go__subscription_events_2020.tsv",
    ].enumerated() {
      try night.put(Data(try Corpus.bytes(file)), at: "apple/\(name).tsv")
    }
    let summary = try night.run(asOf: "2026-11-20 03:00")
    #expect(try night.table("rejected_records.csv").rows.isEmpty)
    let line = try #require(summary.lines.first { $0.kind == "apple_rows" })
    #expect(line.new == 146)
    let rows = try night.table("proceeds.csv").records
    let financial = rows.filter { $0["report"] == "financial" }
    #expect(financial.map { $0["proceeds"] } == ["34.65"] && financial[0]["units"] == "6")
    #expect(Set(rows.map { $0["report"] }) == ["financial", "sales_summary"])
  }
}
