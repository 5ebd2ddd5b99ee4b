/// An instant, stored in milliseconds as in the documents and compared in seconds.
public struct Instant: Hashable, Sendable {
  /// Milliseconds since 1970.
  public var milliseconds: Int

  /// Makes the instant that is `milliseconds` after the beginning of 1970 (UTC).
  public init(milliseconds: Int) {
    self.milliseconds = milliseconds
  }

  /// Makes the instant that is `seconds` after the beginning of 1970 (UTC).
  public init(seconds: Int) {
    milliseconds = seconds * 1000
  }

  /// Whole seconds since 1970, without the fraction.
  public var seconds: Int {
    floorDivision(milliseconds, 1000)
  }

  /// The instant as `2026-11-19T03:04:05Z`, with milliseconds only if they are not zero.
  public var rfc3339: String {
    let fraction = milliseconds - seconds * 1000
    let text = CivilTime(secondsSince1970: seconds)
    return text.day + "T" + text.clock + (fraction == 0 ? "" : "." + padded(fraction, 3)) + "Z"
  }

  /// The same instant with the given offset from UTC.
  func rfc3339(offsetHours: Int) -> String {
    guard offsetHours != 0 else { return rfc3339 }
    let moved = Instant(milliseconds: milliseconds + offsetHours * 3_600_000).rfc3339
    let sign = offsetHours < 0 ? "-" : "+"
    return String(moved.dropLast()) + sign + padded(abs(offsetHours), 2) + ":00"
  }

  /// The instant as Apple writes it: `2012-04-30 15:05:55 Etc/GMT`.
  var appleText: String {
    let text = CivilTime(secondsSince1970: seconds)
    return text.day + " " + text.clock + " Etc/GMT"
  }
}

/// The year, month, day and time of day of a number of seconds, in the proleptic Gregorian
/// calendar.
struct CivilTime {
  let year: Int
  let month: Int
  let dayOfMonth: Int
  let secondOfDay: Int

  init(secondsSince1970: Int) {
    let days = floorDivision(secondsSince1970, 86400)
    secondOfDay = secondsSince1970 - days * 86400
    // The calendar repeats itself after 400 years.
    let cycles = floorDivision(days, Self.daysIn400Years)
    var year = 1970 + 400 * cycles
    var left = days - cycles * Self.daysIn400Years
    while left >= Self.daysInYear(year) {
      left -= Self.daysInYear(year)
      year += 1
    }
    var month = 1
    while left >= Self.daysInMonth(month, of: year) {
      left -= Self.daysInMonth(month, of: year)
      month += 1
    }
    self.year = year
    self.month = month
    dayOfMonth = left + 1
  }

  var day: String {
    padded(year, 4) + "-" + padded(month, 2) + "-" + padded(dayOfMonth, 2)
  }

  var clock: String {
    [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
      .map { padded($0, 2) }.joined(separator: ":")
  }

  /// The first day of the month before this one.
  var firstDayOfPreviousMonth: String {
    let (previousYear, previousMonth) = month == 1 ? (year - 1, 12) : (year, month - 1)
    return padded(previousYear, 4) + "-" + padded(previousMonth, 2) + "-01"
  }

  private static let daysIn400Years = 400 * 365 + 97

  private static func isLeapYear(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func daysInYear(_ year: Int) -> Int { isLeapYear(year) ? 366 : 365 }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeapYear(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

func floorDivision(_ dividend: Int, _ divisor: Int) -> Int {
  let quotient = dividend / divisor
  return dividend % divisor < 0 ? quotient - 1 : quotient
}

func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
