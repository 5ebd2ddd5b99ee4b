import SignatureVerification

/// Dates as receipts, delivery logs and catalogues write them, in seconds since 1970, cut to the
/// second.
enum Instant {
  /// 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
  static let plausible: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Reads epoch milliseconds, `2012-04-30 15:05:55 Etc/GMT`, or RFC 3339.
  static func parse(_ text: Bytes) -> Int64? {
    epochMilliseconds(text) ?? calendar(text)
  }

  private static func calendar(_ text: Bytes) -> Int64? {
    var scanner = DateScanner(text)
    guard let day = scanner.day() else { return nil }
    guard scanner.skip(UInt8(ascii: "T"), UInt8(ascii: "t"), Byte.space) else { return nil }
    guard let time = scanner.time(), let offset = scanner.zone() else { return nil }
    return checked(day * 86400 + time - offset)
  }

  /// Reads RFC 3339, or a date alone, which means its start in UTC.
  static func parseDayOrInstant(_ text: Bytes) -> Int64? {
    var scanner = DateScanner(text)
    if let day = scanner.day(), scanner.isAtEnd { return checked(day * 86400) }
    return parseRFC3339(text)
  }

  /// Reads only RFC 3339.
  static func parseRFC3339(_ text: Bytes) -> Int64? {
    guard text.count >= 20, !text[text.count - 1].isLetterBeyondZ else { return nil }
    return calendar(text)
  }

  /// Reads milliseconds since 1970 as seconds, rounded down; digits after a point are allowed.
  static func epochMilliseconds(_ text: Bytes) -> Int64? {
    var index = 0
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    let first = index
    var value: Int64 = 0
    while index < text.count, text[index].isDigit {
      guard index - first < 18 else { return nil }
      value = value * 10 + Int64(text[index] - Byte.zero)
      index += 1
    }
    guard index > first else { return nil }
    var hasFraction = false
    if index < text.count {
      guard text[index] == UInt8(ascii: "."), index + 1 < text.count else { return nil }
      for digit in text[(index + 1)...] {
        guard digit.isDigit else { return nil }
        hasFraction = hasFraction || digit != Byte.zero
      }
    }
    return seconds(milliseconds: isNegative ? -value - (hasFraction ? 1 : 0) : value)
  }

  /// The second in which a number of milliseconds since 1970 falls; nil if it is not plausible.
  static func seconds(milliseconds: Int64) -> Int64? {
    // The result is rounded down after the division. A subtraction before the division would
    // overflow for the smallest number.
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return checked(rest < 0 ? whole - 1 : whole)
  }

  /// 2008-07-01T00:00:00Z, the month in which the App Store opened
  /// (https://www.apple.com/newsroom/2008/07/10iPhone-3G-on-Sale-Tomorrow/).
  static let openingOfAppStore: Int64 = 1_214_870_400

  /// Whether a date is the zero of a clock, which libraries write for a missing date: 1970-01-01, or
  /// 0001-01-01.
  static func standsForNone(_ instant: Int64) -> Bool {
    instant == 0 || instant == plausible.lowerBound
  }

  /// One of Apple's dates; nil if it stands for a missing one.
  ///
  /// - Throws: `bad_date` if it is before the App Store opened.
  @inline(__always)
  static func ofApple(
    _ instant: Int64, _ name: @autoclosure () -> String
  ) throws(RecordProblem) -> Int64? {
    if instant >= openingOfAppStore { return instant }
    guard standsForNone(instant) else { throw .tooEarly(name()) }
    return nil
  }

  /// Writes `2026-11-19T03:04:05Z`.
  static func text(_ instant: Int64) -> String {
    let day = instant >= 0 ? instant / 86400 : (instant - 86399) / 86400
    let second = instant - day * 86400
    let (year, month, date) = GregorianCalendar.date(day)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))"
      + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
  }

  private static func checked(_ instant: Int64) -> Int64? {
    plausible.contains(instant) ? instant : nil
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension UInt8 {
  /// Whether this is a letter, but not the `Z` that ends an instant.
  fileprivate var isLetterBeyondZ: Bool {
    let lower = self | 0x20
    return lower >= UInt8(ascii: "a") && lower < UInt8(ascii: "z")
  }
}
