import Foundation

/// How many random cases a test tries, and from which seed on.
///
/// Each test has a number that takes seconds. `TIEOUT_TEST_CASES` sets another one for all of them, and
/// `TIEOUT_TEST_SEED` the first seed: with one case, a failure is tried again by itself.
public enum RandomCases {
  /// The first seed.
  public static let firstSeed = UInt64(number("TIEOUT_TEST_SEED") ?? 1)

  /// How many there are, where few are enough by default.
  public static func count(orElse few: Int) -> Int { given ?? few }

  /// The seeds of so many cases.
  public static func seeds(_ few: Int) -> Range<UInt64> {
    firstSeed..<firstSeed + UInt64(count(orElse: few))
  }

  private static let given = number("TIEOUT_TEST_CASES")

  /// The number that a variable gives.
  ///
  /// A test that tries nothing cannot fail, so zero and what is no number end the run.
  private static func number(_ variable: String) -> Int? {
    guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
    guard let number = Int(text), number > 0 else {
      fatalError("\(variable) is \"\(text)\", which is no number above zero")
    }
    return number
  }
}
