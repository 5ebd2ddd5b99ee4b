/// Bytes that will be written to a file.
struct TextBuffer {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// A number in decimal digits, with leading zeros up to `width`.
  mutating func number(_ value: Int, width: Int = 1) {
    var digits = 1
    var bound = 10
    while bound <= value {
      digits += 1
      bound *= 10
    }
    digits = max(digits, width)
    var place = bytes.count + digits
    bytes.append(contentsOf: repeatElement(48, count: digits))
    var rest = value
    while rest > 0 {
      place -= 1
      bytes[place] = UInt8(48 + rest % 10)
      rest /= 10
    }
  }

  /// A day and a time of day, with `separator` between them, from seconds since 1970.
  mutating func instant(_ seconds: Int, separator: String) {
    let day = CivilDay(sinceEpoch: seconds / 86_400)
    let time = seconds % 86_400
    number(day.year, width: 4)
    text("-")
    number(day.month, width: 2)
    text("-")
    number(day.day, width: 2)
    text(separator)
    number(time / 3600, width: 2)
    text(":")
    number(time / 60 % 60, width: 2)
    text(":")
    number(time % 60, width: 2)
  }
}
