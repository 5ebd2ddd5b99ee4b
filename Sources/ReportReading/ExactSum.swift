/// A sum of decimal numbers, without rounding.
///
/// It has 38 digits, and at most as many decimal places. A sum that does not fit, or of a text that
/// is no decimal number, is unknown.
package struct ExactSum {
  private static let mostPlaces = 38

  private var units: Int128? = 0
  private var decimals = 0

  /// Begins with zero.
  package init() {}

  /// Adds a number such as `-1234.50`; an empty field is zero.
  package mutating func add(_ field: ArraySlice<UInt8>) {
    guard let sum = units, !field.isEmpty else { return }
    guard let (number, places) = Self.number(field) else { return units = nil }
    let most = max(decimals, places)
    guard let sum = Self.scaled(sum, by: most - decimals),
      let number = Self.scaled(number, by: most - places)
    else { return units = nil }
    let (result, overflows) = sum.addingReportingOverflow(number)
    units = overflows ? nil : result
    decimals = most
  }

  /// The number without its decimal point, and the count of its decimal places.
  private static func number(_ field: ArraySlice<UInt8>) -> (Int128, places: Int)? {
    let isNegative = field.first == UInt8(ascii: "-")
    guard field.count > (isNegative ? 1 : 0) else { return nil }
    var number: Int128 = 0
    var point: Int?
    for index in field.indices.dropFirst(isNegative ? 1 : 0) {
      let byte = field[index]
      if byte == UInt8(ascii: "."), point == nil {
        point = index
        continue
      }
      guard (48...57).contains(byte), let scaled = scaled(number, by: 1) else { return nil }
      let (result, overflows) = scaled.addingReportingOverflow(Int128(byte - 48))
      guard !overflows else { return nil }
      number = result
    }
    let places = point.map { field.endIndex - $0 - 1 } ?? 0
    // The zeros of a number such as 0.000 are not among the digits that overflow.
    guard places <= mostPlaces else { return nil }
    return (isNegative ? -number : number, places)
  }

  /// Whether both are the same number, such as 1.5 and 1.50; nil if one of them is unknown.
  package func isEqual(to other: ExactSum) -> Bool? {
    let most = max(decimals, other.decimals)
    guard let one = units.flatMap({ Self.scaled($0, by: most - decimals) }),
      let two = other.units.flatMap({ Self.scaled($0, by: most - other.decimals) })
    else { return nil }
    return one == two
  }

  /// The sum with as many decimal places as its numbers have at most; nil if it is unknown.
  package var text: String? {
    guard let units else { return nil }
    guard decimals > 0 else { return "\(units)" }
    let digits = "\(units.magnitude)"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(units < 0 ? "-" : "")\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }

  private static func scaled(_ number: Int128, by places: Int) -> Int128? {
    var number = number
    for _ in 0..<places {
      let (result, overflows) = number.multipliedReportingOverflow(by: 10)
      guard !overflows else { return nil }
      number = result
    }
    return number
  }
}
