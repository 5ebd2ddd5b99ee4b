import Foundation

/// The number of random cases of a test, and their first seed.
///
/// Each test has a default number that takes a few seconds. `TIEOUT_TEST_TIMES` multiplies all of
/// these numbers, `TIEOUT_TEST_CASES` sets one number for all tests, and `TIEOUT_TEST_SEED` the
/// first seed. To repeat a failure alone, set one case and its seed.
public enum RandomCases {
  /// The first seed.
  public static let firstSeed = UInt64(number("TIEOUT_TEST_SEED") ?? 1)

  /// The number of cases; `few` is the default.
  public static func count(orElse few: Int) -> Int { given ?? few * times }

  /// The seeds of the cases; `few` is the default number of cases.
  public static func seeds(_ few: Int) -> Range<UInt64> {
    firstSeed..<firstSeed + UInt64(count(orElse: few))
  }

  /// Random places in a range, in their order, with the first and the last place; `few` is the
  /// default number, and all places are given if the range has no more.
  public static func places(in range: Range<Int>, few: Int) -> [Int] {
    let number = count(orElse: few)
    guard number < range.count, let first = range.first, let last = range.last else {
      return Array(range)
    }
    var dice = Dice(firstSeed)
    var places: Set = [first, last]
    while places.count < max(number, 2) { places.insert(Int.random(in: range, using: &dice)) }
    return places.sorted()
  }

  private static let given = number("TIEOUT_TEST_CASES")
  private static let times = number("TIEOUT_TEST_TIMES") ?? 1

  /// The number in a variable.
  ///
  /// A test without cases cannot fail. Zero and text that is not a number therefore end the run.
  private static func number(_ variable: String) -> Int? {
    guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
    guard let number = Int(text), number > 0 else {
      fatalError("\(variable) is \"\(text)\", which is no number above zero")
    }
    return number
  }
}
