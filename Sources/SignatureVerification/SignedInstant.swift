/// The instants in receipts, in the forms that verification needs.
enum SignedInstant {
  /// Milliseconds since 1970 of an RFC 3339 text; Xcode writes an offset without a colon.
  static func milliseconds(of text: String) -> Int64? {
    var digits = Digits(text)
    guard let year = digits.number(of: 4), digits.skip("-"), let month = digits.number(of: 2),
      digits.skip("-"), let day = digits.number(of: 2), digits.skip("T") || digits.skip(" "),
      let hour = digits.number(of: 2), digits.skip(":"), let minute = digits.number(of: 2),
      digits.skip(":"), let second = digits.number(of: 2)
    else { return nil }
    guard let days = GregorianCalendar.day(year: year, month: month, day: day), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    if digits.skip(".") {
      guard digits.number(of: 1) != nil else { return nil }
      while digits.number(of: 1) != nil {}
    }
    guard let offset = digits.offset(), digits.isAtEnd else { return nil }
    return (((days * 24 + hour) * 60 + minute - offset) * 60 + second) * 1000
  }

  private struct Digits {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { index == bytes.count }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
      guard index < bytes.count, UInt32(bytes[index]) == scalar.value else { return false }
      index += 1
      return true
    }

    mutating func number(of count: Int) -> Int64? {
      guard index + count <= bytes.count else { return nil }
      var value: Int64 = 0
      for position in index..<index + count {
        let digit = bytes[position] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value * 10 + Int64(digit)
      }
      index += count
      return value
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int64? {
      if skip("Z") { return 0 }
      let sign: Int64
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
      guard let hours = number(of: 2) else { return nil }
      _ = skip(":")
      guard let minutes = number(of: 2), hours < 24, minutes < 60 else { return nil }
      return sign * (hours * 60 + minutes)
    }
  }
}
