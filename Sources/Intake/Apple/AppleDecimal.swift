/// An exact decimal as Apple's reports write it: `4.49`, `.97`, `-85.43`, `12`.
struct AppleDecimal: Hashable, Sendable {
  /// The number of digits after the point that are kept.
  static let fractionDigits = 9
  private static let wholeDigits = 18

  /// The number in billionths.
  ///
  /// It has at most 27 digits, so a sum of billions of them fits.
  let billionths: Int128

  init(billionths: Int128) { self.billionths = billionths }

  /// Reads a decimal; nil if it has an exponent, groups of digits or too many digits.
  init?(_ text: Bytes) {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.part(1..<text.count) : text
    let point = digits.position(of: UInt8(ascii: "."))
    let whole = digits.part(0..<(point ?? digits.count))
    let fraction = digits.part((point.map { $0 + 1 } ?? digits.count)..<digits.count)
    guard whole.count + fraction.count > 0, point == nil || fraction.count > 0,
      whole.count <= Self.wholeDigits, fraction.count <= Self.fractionDigits,
      whole.allSatisfy(\.isDigit), fraction.allSatisfy(\.isDigit)
    else { return nil }
    var number: Int128 = 0
    for digit in whole { number = number * 10 + Int128(digit - Byte.zero) }
    for place in 0..<Self.fractionDigits {
      number = number * 10 + (place < fraction.count ? Int128(fraction[place] - Byte.zero) : 0)
    }
    billionths = isNegative ? -number : number
  }
}

extension AppleDecimal: CustomStringConvertible {
  /// The plain decimal, without zeros at the end of its fraction.
  var description: String {
    let digits = String(billionths.magnitude)
    let padded =
      String(repeating: "0", count: max(0, Self.fractionDigits + 1 - digits.count))
      + digits
    var fraction = padded.suffix(Self.fractionDigits)
    while fraction.last == "0" { fraction.removeLast() }
    let whole = padded.dropLast(Self.fractionDigits)
    return (billionths < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
  }
}
