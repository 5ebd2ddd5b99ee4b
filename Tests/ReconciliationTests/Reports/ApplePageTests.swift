import Configuration
import Foundation
import NightRun
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("What the page and the closing say about Apple's reports")
struct ApplePageTests {
  private static func night() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-09-01"
    try night.catalogue("product_id | type | delivery\ncoin | consumable | built_in")
    return night
  }

  /// The texts of the cells of each row about Apple's reports, without the words for screen readers.
  private static func rows(_ night: TestNight) throws -> [String] {
    try night.report("index.html").matches(
      of: /<tr(?: class="total")?><th scope="row">.*<td class="source">.*<\/tr>/
    ).map {
      $0.output.replacing(/<span class="hidden">[^<]*<\/span>/, with: "")
        .replacing(/<[^>]*>/, with: " ").replacing(/\ +/, with: " ")
        .trimmingCharacters(in: .whitespaces)
    }
  }

  @Test("a row agrees only if the refunds are the same too, and nothing cancels")
  func agreeing() throws {
    let night = try Self.night()
    // On the 3rd Apple lacks a sale and its refund. On the 5th a sale of the next day in the books
    // cancels with one that Apple does not report.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | price | currency | storefront
      1              | coin       | 2026-11-03 20:00 |                  | 0.99  | USD      | USA
      2              | coin       | 2026-11-03 20:00 | 2026-11-03 21:00 | 0.99  | USD      | USA
      3              | coin       | 2026-11-04 20:00 |                  | 0.99  | USD      | USA
      4              | coin       | 2026-11-05 20:00 |                  | 0.99  | USD      | USA
      5              | coin       | 2026-11-06 03:00 |                  | 0.99  | USD      | USA
      """)
    for day in ["03", "04", "05"] {
      try night.put(
        AppleReports.sales("11/\(day)/2026", ["coin US 1 0.70 USD 0.99 USD"]),
        at: "apple/\(day).txt")
    }
    try night.run(asOf: "2026-11-09 12:00")
    try night.expect(
      report: "tie_out.csv",
      shows: """
        state    | period_begin | ours_units | apple_units | cut_off_units | unexplained_units | ours_refunded_units
        compared | 2026-11-03   | 1          | 1           | 0             | 0                 | 1
        compared | 2026-11-04   | 1          | 1           | 0             | 0                 | 0
        compared | 2026-11-05   | 1          | 1           | 1             | -1                | 0
        pending  | 2026-11-06   | 1          |             |               |                   | 0
        """)
    let shown = try Self.rows(night)
    #expect(shown.contains { $0.hasPrefix("3 Nov 2026 units 0 of 1 ") }, "\(shown)")
    #expect(shown.contains { $0.hasPrefix("4 Nov 2026 units 1 of 1 ") }, "\(shown)")
    #expect(
      shown.contains("5 Nov 2026 units 0 of 1 1 1 0 1 1 row 0 ▲ −1 1 row"), "\(shown)")
    #expect(shown.contains { $0.hasPrefix("All 3 days units 1 of 3 ") }, "\(shown)")
    #expect(shown.contains { $0.hasPrefix("USD 1 of 3 ") }, "\(shown)")
  }

  @Test("days that Apple reported and on which nobody sold anything are counted")
  func quietDays() throws {
    let night = try Self.night()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-11-03 20:00 | 0.99  | USD      | USA
      2              | coin       | 2026-11-05 20:00 | 0.99  | USD      | USA
      """)
    // A row with zero units is left out of tie_out.csv.
    for (day, units) in [("03", 1), ("04", 0), ("05", 1), ("06", 0)] {
      try night.put(
        AppleReports.sales("11/\(day)/2026", ["coin US \(units) 0.70 USD 0.99 USD"]),
        at: "apple/\(day).txt")
    }
    try night.run(asOf: "2026-11-07 03:00")
    let shown = try Self.rows(night)
    let label = "4 days reported, 2 of them with sales or refunds units 2 of 2 "
    #expect(shown.contains { $0.hasPrefix(label) }, "\(shown)")
  }

  @Test("a lost report is pending on the page, also if we sold nothing on its day")
  func lostDay() throws {
    let night = try Self.night()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-11-03 20:00 | 0.99  | USD      | USA
      2              | coin       | 2026-11-06 20:00 | 0.99  | USD      | USA
      """)
    func put(_ day: String) throws {
      try night.put(
        AppleReports.sales("11/\(day)/2026", ["coin US 1 0.70 USD 0.99 USD"]),
        at: "apple/\(day).txt")
    }
    for day in ["03", "06"] { try put(day) }
    // In California it is still November 6.
    try night.run(asOf: "2026-11-07 03:00")
    var shown = try Self.rows(night)
    #expect(
      shown.contains { $0.hasPrefix("Pending: 2 days since 4 Nov 2026, 2 of them without sales") },
      "\(shown)")
    for day in ["04", "05"] { try put(day) }
    try night.run(asOf: "2026-11-07 04:00")
    shown = try Self.rows(night)
    #expect(!shown.contains { $0.hasPrefix("Pending") }, "\(shown)")
    try night.run(asOf: "2026-11-08 12:00")
    shown = try Self.rows(night)
    #expect(shown.contains { $0.hasPrefix("Pending: 2 days since 7 Nov 2026, 2 of") }, "\(shown)")
  }

  @Test("the pending amounts of a currency have all pending days, as the units have")
  func pendingCurrency() throws {
    let night = try Self.night()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-11-03 20:00 | 0.99  | USD      | USA
      2              | coin       | 2026-11-04 20:00 | 100   | JPY      | JPN
      3              | coin       | 2026-11-05 20:00 | 0.99  | USD      | USA
      4              | coin       | 2026-11-06 20:00 | 0.99  | USD      | USA
      """)
    for day in ["03", "05"] {
      try night.put(
        AppleReports.sales("11/\(day)/2026", ["coin US 1 0.70 USD 0.99 USD"]),
        at: "apple/\(day).txt")
    }
    try night.run(asOf: "2026-11-07 12:00")
    let shown = try Self.rows(night)
    let pending = try #require(shown.firstIndex { $0.hasPrefix("Pending: ") })
    // The rows of the currencies have the same period, so it is shown once.
    #expect(
      shown[pending...].dropFirst() == ["JPY 100 –", "USD 0.99 –"]
        && shown[pending].hasPrefix("Pending: 3 days since 4 Nov 2026, 1 of them "), "\(shown)")
  }

  private static let months = [
    ("08/02/2026", "08/29/2026"), ("08/30/2026", "09/26/2026"), ("09/27/2026", "10/31/2026"),
  ]

  @Test("the page names currencies and countries that a Financial Report no longer has")
  func lostRegion() throws {
    let night = try Self.night()
    var regions: [[(country: String, currency: String, units: Int)]] = [
      [("US", "USD", 5), ("BR", "USD", 1)], [("DE", "EUR", 2), ("FR", "EUR", 1)],
    ]
    for (month, days) in Self.months.enumerated() {
      if month == 2 { regions = [[("US", "USD", 5)]] }
      for (place, cells) in regions.enumerated() {
        try night.put(
          AppleReports.financial(cells, from: days.0, to: days.1),
          at: "apple/\(month)-\(place).txt")
      }
    }
    try night.run(asOf: "2026-11-20 01:00")
    let lead = "27 Sep 2026 to 31 Oct 2026: the Financial Reports have no row of "
    let page = try night.report("index.html")
    #expect(page.contains("\(lead)EUR (DE, FR), USD (BR), which"))
    #expect(page.matches(of: /the Financial Reports have no row of/).count == 1)
    try night.put(
      AppleReports.financial([("DE", "EUR", 2), ("FR", "EUR", 1)]), at: "apple/europe.txt")
    try night.run(asOf: "2026-11-20 02:00")
    #expect(try night.report("index.html").contains("\(lead)USD (BR), which"))
  }

  @Test("closing and approving name unreadable files, pending days and a lost region")
  func doubts() throws {
    let night = try Self.night()
    night.settings.singleSigner = true
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-10-03 20:00 | 0.99  | USD      | USA
      """)
    try night.run(asOf: "2026-11-02 12:00")
    let clean = try ClosingActs.of(night).close(Period("2026-09"))
    #expect(clean.doubts == [])
    for day in 1...31 where ![7, 12, 13].contains(day) {
      let text = day < 10 ? "0\(day)" : "\(day)"
      try night.put(
        AppleReports.sales("10/\(text)/2026", ["coin US 1 0.70 USD 0.99 USD"]),
        at: "apple/\(text).txt")
    }
    for (month, days) in Self.months.enumerated() {
      try night.put(
        AppleReports.financial(
          month < 2 ? [("DE", "EUR", 1), ("US", "USD", 1)] : [("US", "USD", 1)], from: days.0,
          to: days.1), at: "apple/month-\(month).txt")
    }
    try night.put("", at: "apple/lost.txt")
    try night.run(asOf: "2026-11-03 12:00")
    let doubts = [
      "1 file of the inbox could not be read, so these amounts do not contain what is in it: "
        + "apple/lost.txt.",
      "No report of Sales and Trends covers 3 of these days: 2026-10-07, 2026-10-12..2026-10-13.",
      "The Financial Report of 2026-09-27..2026-10-31 has no row of EUR (DE), which the one before "
        + "it has: the report of a region may be missing.",
    ]
    #expect(try ClosingActs.of(night).close(Period("2026-10")).doubts == doubts)
    let approved = try ClosingActs.of(night).approve(Period("2026-10"))
    #expect(approved.isNew && approved.doubts == doubts)
  }

  @Test("a period is not closed into a folder without reports of a night")
  func otherFolder() throws {
    let night = try Self.night()
    try night.run(asOf: "2026-11-02 12:00")
    let reports = night.settings.reports
    let other = night.folder.appending(path: "other").path
    for isThere in [false, true] {
      if isThere {
        try FileManager.default.createDirectory(
          atPath: other, withIntermediateDirectories: false)
      }
      night.settings.reports = other
      let error = #expect(throws: ReconciliationError.self) {
        try ClosingActs.of(night).close(Period("2026-10"))
      }
      #expect(error?.code == .unknown)
      #expect(error?.message.hasPrefix("\(other) has no reports of a night") == true)
      #expect(FileManager.default.fileExists(atPath: other) == isThere)
      #expect(!FileManager.default.fileExists(atPath: "\(other)/closed"))
    }
    night.settings.reports = reports
    _ = try ClosingActs.of(night).close(Period("2026-10"))
  }
}
