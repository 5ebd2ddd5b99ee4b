import Testing

@testable import Intake

@Suite("Apple's fiscal calendar")
struct FiscalMonthTests {
  private func day(_ text: String) throws -> Int64 {
    let day = Array(text.utf8).withUnsafeBufferPointer { bytes in
      var scanner = DateScanner(bytes)
      return scanner.day()
    }
    return try #require(day)
  }

  private func text(_ day: Int64) -> String { String(Instant.text(day * 86400).prefix(10)) }

  private func drawn(_ month: FiscalMonth?) -> String? {
    month.map { "\($0) \(text($0.days.lowerBound)) \(text($0.days.upperBound))" }
  }

  // They are listed in
  // https://rigelkent.blogspot.com/2024/08/the-544-fiscal-calendar-used-by-apple.html.
  @Test(
    "fiscal years end as Apple published",
    arguments: [
      (2005, "2005-09-24", 52), (2006, "2006-09-30", 53), (2007, "2007-09-29", 52),
      (2008, "2008-09-27", 52), (2009, "2009-09-26", 52), (2010, "2010-09-25", 52),
      (2011, "2011-09-24", 52), (2012, "2012-09-29", 53), (2013, "2013-09-28", 52),
      (2014, "2014-09-27", 52), (2015, "2015-09-26", 52), (2016, "2016-09-24", 52),
      (2017, "2017-09-30", 53), (2018, "2018-09-29", 52), (2019, "2019-09-28", 52),
      (2020, "2020-09-26", 52), (2021, "2021-09-25", 52), (2022, "2022-09-24", 52),
      (2023, "2023-09-30", 53), (2024, "2024-09-28", 52), (2025, "2025-09-27", 52),
    ])
  func years(year: Int64, end: String, weeks: Int64) {
    #expect(text(FiscalMonth.lastDay(of: year)) == end)
    #expect(FiscalMonth.weeks(inYear: year) == weeks)
  }

  // The months of summer 2016 stand in Apple's form 10-K of that year. December ends with the first
  // quarter of the forms 10-Q. The end of November 2022 was that of a financial report. The others
  // follow from these and from the years.
  @Test(
    "months begin and end as Apple published",
    arguments: [
      (2012, 3, "FY2012-P03 2011-11-27 2011-12-31"), (2017, 1, "FY2017-P01 2016-09-25 2016-10-29"),
      (2016, 3, "FY2016-P03 2015-11-29 2015-12-26"),
      (2016, 10, "FY2016-P10 2016-06-26 2016-07-30"),
      (2016, 11, "FY2016-P11 2016-07-31 2016-08-27"), (2017, 3, "FY2017-P03 2016-11-27 2016-12-31"),
      (2018, 1, "FY2018-P01 2017-10-01 2017-11-04"),
      (2018, 3, "FY2018-P03 2017-12-03 2017-12-30"), (2023, 2, "FY2023-P02 2022-10-30 2022-11-26"),
      (2023, 3, "FY2023-P03 2022-11-27 2022-12-31"), (2023, 4, "FY2023-P04 2023-01-01 2023-02-04"),
      (2023, 6, "FY2023-P06 2023-03-05 2023-04-01"), (2023, 12, "FY2023-P12 2023-09-03 2023-09-30"),
      (2024, 1, "FY2024-P01 2023-10-01 2023-11-04"), (2024, 3, "FY2024-P03 2023-12-03 2023-12-30"),
      (2025, 1, "FY2025-P01 2024-09-29 2024-11-02"), (2026, 1, "FY2026-P01 2025-09-28 2025-11-01"),
    ])
  func months(year: Int64, month: Int64, expected: String) {
    #expect(drawn(FiscalMonth(year: year, month: month)) == expected)
  }

  @Test("each day of two centuries is in exactly one month, and the months follow each other")
  func everyDay() throws {
    var next = try day("2009-09-27")
    for year in Int64(2010)...2209 {
      for number in Int64(1)...12 {
        let month = try #require(FiscalMonth(year: year, month: number))
        #expect(month.days.lowerBound == next)
        #expect(FiscalMonth("\(month)") == month)
        for day in month.days where FiscalMonth(containing: day) != month {
          Issue.record("\(text(day)) is in \(month)")
        }
        next = month.days.upperBound + 1
      }
    }
  }

  @Test("the first and the last day of the known years have a month, their neighbors have none")
  func bounds() throws {
    let first = FiscalMonth.firstDay(of: 2000)
    let last = FiscalMonth.lastDay(of: 9998)
    #expect(text(first) == "1999-09-26")
    #expect(FiscalMonth(containing: first)?.description == "FY2000-P01")
    #expect(FiscalMonth(containing: last)?.description == "FY9998-P12")
    for day in [first - 1, last + 1, .min, .max] { #expect(FiscalMonth(containing: day) == nil) }
  }

  @Test(
    "other texts and numbers are no month",
    arguments: [
      "", "FY2027-P00", "FY2027-P13", "FY1999-P01", "FY9999-P01", "FY2027-P1", "FY+027-P01",
      "FY2027-P+1", "fy2027-P01", "FY2027P001", "2027-01", "FY2027-P01 ", "FY２027-P",
    ])
  func unknown(name: String) {
    #expect(FiscalMonth(name) == nil)
  }

  @Test("a year and a number outside the calendar are no month")
  func unknownNumbers() {
    #expect(FiscalMonth(year: 2027, month: 0) == nil)
    #expect(FiscalMonth(year: 2027, month: 13) == nil)
    #expect(FiscalMonth(year: .max, month: 1) == nil)
  }
}
