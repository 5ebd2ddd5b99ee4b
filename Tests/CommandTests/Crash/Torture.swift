import DamageTestSupport
import Foundation
import Testing

/// How long and how the tests that break things go on, as `scripts/torture` sets it.
///
/// Without it each does a few of its trials, from a fixed seed.
enum Torture {
  private static let environment = ProcessInfo.processInfo.environment

  /// What all that is random comes from.
  static let seed = environment["TIEOUT_TORTURE_SEED"].flatMap { UInt64($0) } ?? 1
  /// The one trial that is wanted, such as `later: kill 17`; nil: as many as the limit lets.
  static let only = environment["TIEOUT_TORTURE_ONLY"]
  /// Which part of the trials is wanted, and of how many parts, such as `1/3`: so several processes share them.
  static let part: (number: Int, of: Int)? = {
    let words = environment["TIEOUT_TORTURE_PART"]?.split(separator: "/") ?? []
    let numbers = words.compactMap { Int($0) }
    return numbers.count == 2 && numbers[1] > 0 ? (numbers[0] - 1, numbers[1]) : nil
  }()
  /// The kind of that trial.
  static var onlyKind: Substring? { only?.prefix { $0 != ":" } }
  /// Whether `scripts/torture` asks for more than every run of the tests does.
  static var isWanted: Bool { seconds != nil }
  /// How long one kind of trial goes on; nil: a few trials, however long they take.
  private static let seconds = environment["TIEOUT_TORTURE_SECONDS"].flatMap { Double($0) }

  /// When a kind of trial has gone on for long enough.
  struct Limit {
    fileprivate let end: Date?
    fileprivate let few: Int

    /// Whether no further trial is to begin.
    ///
    /// The first one always begins: without it nothing would be tried.
    func isReached(after tried: Int) -> Bool {
      guard tried > 0 else { return false }
      return end.map { Date.now >= $0 } ?? (tried >= few)
    }
  }

  /// The limit of a kind of trial that begins now.
  static func limit(orElse few: Int) -> Limit {
    Limit(
      end: seconds.map { Date(timeIntervalSinceNow: $0) }, few: RandomCases.count(orElse: few))
  }

  /// Tells which points were tried, where several processes share them and somebody has to add up.
  static func tell(_ words: String) {
    if part != nil { print(words) }
  }

  /// Tells how many there were of something, on the output and to `scripts/torture`.
  static func count(_ kind: String, _ number: Int, _ words: String = "") {
    print("\(kind): \(number)\(words)")
    guard let path = environment["TIEOUT_TORTURE_COUNTS"],
      let file = FileHandle(forWritingAtPath: path)
    else { return }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: Data("\(kind)\t\(number)\n".utf8))
    try? file.close()
  }
}
