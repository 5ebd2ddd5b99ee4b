/// A day of the Gregorian calendar, in the years 0001 to 9999.
package struct CalendarDay: Equatable {
  let year: Int
  let month: Int
  let day: Int

  /// The day that `YYYY-MM-DD` names, if there is such a day.
  package init?(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = decimal(bytes[0..<4]), let month = decimal(bytes[5..<7]),
      let day = decimal(bytes[8..<10]),
      year >= 1, (1...12).contains(month), day >= 1,
      day <= CalendarDay.lengths(of: year)[month - 1]
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  private init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day as `YYYY-MM-DD`.
  package var text: String {
    "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }

  /// The day this number of days later, or earlier if negative; nil outside the years 1 to 9999.
  func moved(by days: Int) -> CalendarDay? {
    var (year, month, day) = (year, month, day + days)
    while day < 1 {
      (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
      day += CalendarDay.lengths(of: year)[month - 1]
    }
    while day > CalendarDay.lengths(of: year)[month - 1] {
      day -= CalendarDay.lengths(of: year)[month - 1]
      (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
    }
    return (1...9999).contains(year) ? CalendarDay(year: year, month: month, day: day) : nil
  }

  /// The last day of its month.
  package var endOfMonth: CalendarDay {
    CalendarDay(year: year, month: month, day: CalendarDay.lengths(of: year)[month - 1])
  }

  /// The first day of the month before its month; nil in January of the year 1.
  package var startOfMonthBefore: CalendarDay? {
    let (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
    return year >= 1 ? CalendarDay(year: year, month: month, day: 1) : nil
  }

  private static func lengths(of year: Int) -> [Int] {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  }
}

/// The number that decimal digits represent; nil for any other text.
func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
  var number = 0
  for digit in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
    number = number * 10 + Int(digit - UInt8(ascii: "0"))
  }
  return digits.isEmpty ? nil : number
}

/// A number with leading zeros.
func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
