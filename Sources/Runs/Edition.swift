/// One edition of a day: a folder of reports that never changes once it is published.
///
/// The folder of the first edition is named for the day, such as `2026-11-20`. The folders of the
/// next ones are `2026-11-20.2`, `2026-11-20.3` and so on.
package struct Edition: Hashable, Comparable, Sendable {
  /// The as-of day, YYYY-MM-DD.
  package let day: String
  /// The number of the edition, from 1.
  package let number: Int

  /// An edition of a day.
  package init(day: String, number: Int) {
    self.day = day
    self.number = number
  }

  /// The edition that a folder's name stands for; nil if it is not a name that the program gives.
  package init?(folder name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let day = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 2, day.map(\.utf8.count) == [4, 2, 2],
      (day + parts.dropFirst()).allSatisfy({ $0.utf8.allSatisfy(UInt8.isDigit) })
    else { return nil }
    self.day = String(parts[0])
    guard parts.count == 2 else {
      number = 1
      return
    }
    // No name has a leading zero, so each edition has one name. In the database, the number is an
    // integer of 32 bits.
    guard let number = Int32(parts[1]), number > 1, "\(number)" == parts[1] else { return nil }
    self.number = Int(number)
  }

  /// The name of its folder.
  package var folder: String { number == 1 ? day : "\(day).\(number)" }

  /// Earlier days first, and the editions of a day in their order.
  package static func < (one: Edition, other: Edition) -> Bool {
    (one.day, one.number) < (other.day, other.number)
  }
}

extension UInt8 {
  fileprivate static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
