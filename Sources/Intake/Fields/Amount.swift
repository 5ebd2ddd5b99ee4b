/// Amounts of money as exact decimals; never a floating point number.
enum Amount {
  private static let wholeDigits = 18
  private static let fractionDigits = 9
  /// The number of decimal digits that a JSON number keeps for certain.
  private static let exactDigits = 15

  /// Whether this is a plain decimal of at least zero: `0.99`, `12`, not `1e3`, not `-1`, not `.5`.
  static func isDecimal(_ text: some Collection<UInt8>) -> Bool {
    let parts = text.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty, whole.allSatisfy(\.isDigit) else { return false }
    guard whole.count <= wholeDigits else { return false }
    guard parts.count == 2 else { return true }
    let fraction = parts[1]
    return !fraction.isEmpty && fraction.count <= fractionDigits && fraction.allSatisfy(\.isDigit)
  }

  /// The plain decimal of a number of thousandths, without zeros at its end.
  static func decimal(thousandths: Int64) -> String {
    let whole = String(thousandths / 1000)
    var fraction = String(thousandths % 1000 + 1000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return fraction.isEmpty ? whole : "\(whole).\(fraction)"
  }

  /// The shortest decimal of a JSON number, if it is certain to be the decimal that was written.
  static func shortestDecimal(_ number: Double) -> String? {
    // Swift prints the shortest digits that give the same number: "0.99", "1e-05", "1e+17".
    guard number.isFinite, number >= 0 else { return nil }
    let parts = number.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    guard let whole = mantissa.first, let exponent = Int(parts.count == 2 ? parts[1] : "0") else {
      return nil
    }
    let fraction = mantissa.count == 2 && mantissa[1] != "0" ? mantissa[1] : ""
    let digits = Array((whole + fraction).utf8)
    let significant = digits.drop { $0 == Byte.zero }.reversed().drop { $0 == Byte.zero }.count
    guard significant <= exactDigits, abs(exponent) < 40 else { return nil }
    let text = decimal(digits, pointAfter: whole.utf8.count + exponent)
    return isDecimal(text.utf8) ? text : nil
  }

  private static func decimal(_ digits: [UInt8], pointAfter point: Int) -> String {
    let zeros = [UInt8](repeating: Byte.zero, count: max(0, -point))
    let all = zeros + digits
    let position = max(0, point)
    let tail = [UInt8](repeating: Byte.zero, count: max(0, position - all.count))
    var whole = Array((all + tail).prefix(position).drop { $0 == Byte.zero })
    if whole.isEmpty { whole = [Byte.zero] }
    var fraction = Array(all.dropFirst(position))
    while fraction.last == Byte.zero { fraction.removeLast() }
    if !fraction.isEmpty { whole += [UInt8(ascii: ".")] + fraction }
    return String(decoding: whole, as: UTF8.self)
  }
}
