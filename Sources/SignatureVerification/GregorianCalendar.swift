/// The days of the proleptic Gregorian calendar, as numbers.
///
/// Years are counted from March, so that a leap day is the last day of a year.
package enum GregorianCalendar {
  /// The days from 1970-01-01 to a date of the years 1 and later; nil if there is no such date.
  package static func day(year: Int64, month: Int64, day: Int64) -> Int64? {
    guard year >= 1, (1...12).contains(month), day >= 1, day <= days(in: month, of: year)
    else { return nil }
    return daysSince1970(year: year, month: month, day: day)
  }

  /// The days from 1970-01-01 to a day of the years 0 and later.
  package static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return marchYear * 365 + leapDays + dayOfYear - daysBefore1970
  }

  /// The date of a day that is counted since 1970-01-01.
  package static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + daysBefore1970
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let date = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date)
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }

  /// The days from 0000-03-01 to 1970-01-01.
  private static let daysBefore1970: Int64 = 719_468
}
