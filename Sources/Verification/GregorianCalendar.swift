/// The days of the Gregorian calendar, as numbers.
package enum GregorianCalendar {
  /// The days from 1970-01-01 to a day of the years 0 and later.
  ///
  /// The calculation counts years from March, so that a leap day is the last day of a year.
  package static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    // 719468 days lie between 0000-03-01 and 1970-01-01.
    return marchYear * 365 + leapDays + dayOfYear - 719_468
  }
}
