/// How the value of a field is read.
///
/// Two values of a field that are read as the same do not contradict each other.
enum FieldReading {
  /// A text or a whole number.
  case text
  case wholeNumber, amount, flag
  /// A date as a text, or in milliseconds.
  case date, milliseconds
  /// A text of which only the presence counts; false and 0 stand for a missing value.
  case presence
  /// An identifier for which 0 stands for a missing value.
  case lineItem
  /// An object or an array.
  case contents

  /// Whether a value counts as missing.
  func isMissing(_ value: JSONValue) -> Bool {
    if value.isNull || value.string?.isEmpty == true { return true }
    return switch self {
    case .lineItem: Self.text(value) == Array("0".utf8)
    case .presence: JSONField.truth(of: value) == false
    case .date, .milliseconds: Self.instant(of: value).map { Instant.standsForNone($0) } ?? false
    default: false
    }
  }

  /// Whether two values are read as the same.
  func areEqual(_ first: JSONValue, _ second: JSONValue) -> Bool {
    switch self {
    case .presence: return true
    case .flag: if let equal = Self.compare(first, second, JSONField.truth) { return equal }
    case .wholeNumber:
      if let equal = Self.compare(first, second, \.wholeNumber) { return equal }
    case .amount: if let equal = Self.compare(first, second, Self.amount) { return equal }
    case .date: if let equal = Self.compare(first, second, Self.date) { return equal }
    case .milliseconds:
      if let equal = Self.compare(first, second, Self.milliseconds) { return equal }
    case .text, .lineItem: if let equal = Self.compare(first, second, Self.text) { return equal }
    case .contents: break
    }
    return JSONText(first).bytes == JSONText(second).bytes
  }

  /// Whether both values are read as the same; nil if one of them cannot be read.
  private static func compare<Value: Equatable>(
    _ first: JSONValue, _ second: JSONValue, _ read: (JSONValue) -> Value?
  ) -> Bool? {
    guard let first = read(first), let second = read(second) else { return nil }
    return first == second
  }

  private static func text(_ value: JSONValue) -> [UInt8]? {
    value.string.map { Array($0) } ?? value.integer.map { Array(String($0).utf8) }
      ?? value.unsigned.map { Array(String($0).utf8) }
  }

  /// A date in either form, also one that stands for none; nil if it cannot be read.
  private static func instant(of value: JSONValue) -> Int64? {
    if let text = value.string { return Instant.parse(text) }
    return value.integer.flatMap { Instant.seconds(milliseconds: $0) }
  }

  private static func date(_ value: JSONValue) -> Int64? {
    (try? JSONField.instant(milliseconds: nil, text: value, "")) ?? nil
  }

  private static func milliseconds(_ value: JSONValue) -> Int64? {
    (try? JSONField.instant(milliseconds: value, text: nil, "")) ?? nil
  }

  /// An amount without zeros at the end of its fraction.
  private static func amount(_ value: JSONValue) -> [UInt8]? {
    guard
      var digits = value.double.flatMap({ Amount.shortestDecimal($0) }).map({ Array($0.utf8) })
        ?? text(value), Amount.isDecimal(digits)
    else { return nil }
    guard digits.contains(UInt8(ascii: ".")) else { return digits }
    while digits.last == Byte.zero { digits.removeLast() }
    if digits.last == UInt8(ascii: ".") { digits.removeLast() }
    return digits
  }
}
