import SignatureVerification

/// A month of Apple's fiscal calendar, by which Apple's financial reports are made.
///
/// A fiscal year ends on the last Saturday of September, and the next one begins on the day after
/// it. That is the last Sunday of September, except that it is October 1 if the Saturday is
/// September 30, as in 2017 and 2023. Each quarter has months of five, four and four weeks. If the
/// year has 53 weeks, the additional week is in the first quarter, in its third month (December).
///
/// Sources: Apple's forms 10-K and 10-Q name the ends of years and quarters, and the form 10-K of
/// 2016 the months of a quarter. First quarters that ended on December 31 (2016, 2022) had 14
/// weeks. The additional week is in neither of the first two months: the financial report of
/// November of fiscal year 2023 ended on November 26, 2022, nine weeks after the year began
/// (https://developer.apple.com/forums/thread/726950).
package struct FiscalMonth: Hashable, Sendable {
  /// The fiscal years to which the rule is applied.
  static let years: ClosedRange<Int64> = 2000...9998

  /// The fiscal year, named for the calendar year in which it ends.
  let year: Int64
  /// The month from 1 to 12; month 1 is about October.
  let month: Int64

  /// A month of a fiscal year; nil if there is no such month.
  init?(year: Int64, month: Int64) {
    guard Self.years.contains(year), (1...12).contains(month) else { return nil }
    self.year = year
    self.month = month
  }

  /// The month with a day, counted since 1970-01-01; nil if no known fiscal year has the day.
  package init?(containing day: Int64) {
    guard Self.firstDay(of: Self.years.lowerBound) <= day,
      day <= Self.lastDay(of: Self.years.upperBound)
    else { return nil }
    let calendarYear = GregorianCalendar.date(day).year
    let year = day <= Self.lastDay(of: calendarYear) ? calendarYear : calendarYear + 1
    for month in Int64(1)...12 {
      guard let found = FiscalMonth(year: year, month: month), found.days.contains(day)
      else { continue }
      self = found
      return
    }
    return nil
  }

  /// The days of the month, counted since 1970-01-01.
  package var days: ClosedRange<Int64> {
    let before = (1..<month).reduce(0) { $0 + Self.weeks(inMonth: $1, of: year) }
    let first = Self.firstDay(of: year) + before * 7
    return first...first + Self.weeks(inMonth: month, of: year) * 7 - 1
  }

  /// The number of weeks of a fiscal year: 52 or 53.
  static func weeks(inYear year: Int64) -> Int64 {
    (lastDay(of: year) - firstDay(of: year) + 1) / 7
  }

  /// The first day of a fiscal year, a Sunday, counted since 1970-01-01.
  static func firstDay(of year: Int64) -> Int64 { lastDay(of: year - 1) + 1 }

  /// The last day of a fiscal year, a Saturday, counted since 1970-01-01.
  static func lastDay(of year: Int64) -> Int64 {
    let end = GregorianCalendar.daysSince1970(year: year, month: 9, day: 30)
    // 1970-01-03 was a Saturday.
    return end - (end - 2) % 7
  }

  private static func weeks(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 3: weeks(inYear: year) == 53 ? 5 : 4
    case 1, 4, 7, 10: 5
    default: 4
    }
  }
}

extension FiscalMonth: CustomStringConvertible {
  /// The name of the month, such as `FY2027-P01`.
  package var description: String { "FY\(year)-P\(month < 10 ? "0" : "")\(month)" }

  /// Reads the name of a month, such as `FY2027-P01`; nil if it is not one.
  package init?(_ name: String) {
    let bytes = Array(name.utf8)
    guard bytes.count == 10, name.hasPrefix("FY"), bytes[6...7].elementsEqual("-P".utf8),
      (bytes[2..<6] + bytes[8...]).allSatisfy(\.isDigit),
      let year = Int64(name.dropFirst(2).prefix(4)), let month = Int64(name.suffix(2))
    else { return nil }
    self.init(year: year, month: month)
  }
}
