/// An exact decimal.
///
/// Its value is `digits` divided by ten to the power of `scale`: 0.990 has the digits 990 and the
/// scale 3.
struct Amount: Hashable, Comparable, Sendable {
  let digits: Int
  let scale: Int

  init(digits: Int, scale: Int) {
    self.digits = digits
    self.scale = scale
  }

  /// Reads a decimal as it is written and keeps all digits after the point.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let digits = Int(parts.joined()) else { return nil }
    self.init(digits: digits, scale: parts.count == 2 ? parts[1].count : 0)
  }

  var isZero: Bool {
    digits == 0
  }

  /// The same value with `wanted` digits after the point; it never removes digits.
  func widened(to wanted: Int) -> Amount {
    var (digits, scale) = (digits, scale)
    while scale < wanted {
      digits *= 10
      scale += 1
    }
    return Amount(digits: digits, scale: scale)
  }

  /// The same value without zeros at the end of its fraction.
  var shortened: Amount {
    var (digits, scale) = (digits, scale)
    while scale > 0 && digits % 10 == 0 {
      digits /= 10
      scale -= 1
    }
    return Amount(digits: digits, scale: scale)
  }

  /// The exact part of the amount, given in thousandths of a per cent, with no more digits than
  /// necessary.
  func part(_ thousandthsOfPercent: Int) -> Amount {
    Amount(digits: digits * thousandthsOfPercent, scale: scale + 5).shortened.widened(to: scale)
  }

  var text: String {
    let sign = digits < 0 ? "-" : ""
    let body = padded(abs(digits), scale + 1)
    return scale == 0 ? sign + body : sign + body.dropLast(scale) + "." + body.suffix(scale)
  }

  static func + (left: Amount, right: Amount) -> Amount {
    let scale = max(left.scale, right.scale)
    return Amount(
      digits: left.widened(to: scale).digits + right.widened(to: scale).digits, scale: scale)
  }

  static func - (left: Amount, right: Amount) -> Amount {
    left + Amount(digits: -right.digits, scale: right.scale)
  }

  static func * (count: Int, amount: Amount) -> Amount {
    Amount(digits: count * amount.digits, scale: amount.scale)
  }

  func isSameValue(as other: Amount) -> Bool {
    (self - other).isZero
  }

  /// Compares by value; of two equal values the one with fewer digits comes first.
  static func < (left: Amount, right: Amount) -> Bool {
    let difference = (left - right).digits
    return difference == 0 ? left.scale < right.scale : difference < 0
  }

  /// The number of digits after the point that ISO 4217 gives a currency.
  static func minorDigits(of currency: String) -> Int {
    switch currency {
    case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
      "VUV", "XAF", "XOF", "XPF":
      0
    case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
    case "CLF", "UYW": 4
    default: 2
    }
  }
}

/// The price and currency of a transaction, as one value.
struct OwnAmount: Comparable, Sendable {
  let amount: Amount
  let currency: ByteText

  /// The same text for equal amounts, with any number of zeros at the end.
  var valueInCurrency: String { currency.text + amount.shortened.text }

  /// Compares by value, then by currency, then by length: 0.99 comes before 0.990.
  static func < (left: OwnAmount, right: OwnAmount) -> Bool {
    guard left.amount.isSameValue(as: right.amount) else { return left.amount < right.amount }
    guard left.currency == right.currency else { return left.currency < right.currency }
    return left.amount.scale < right.amount.scale
  }
}
