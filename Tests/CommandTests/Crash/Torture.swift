import DamageTestSupport
import Foundation
import Testing

/// The duration and the choice of the trials in tests that break things, as `scripts/torture` sets
/// them.
///
/// Without `scripts/torture` each test does a few of its trials, from the first seed of all tests.
enum Torture {
  private static let environment = ProcessInfo.processInfo.environment

  /// The seed of all random choices.
  static let seed =
    environment["TIEOUT_TORTURE_SEED"].flatMap { UInt64($0) } ?? RandomCases.firstSeed
  /// The one trial to run, such as `later: kill 17`; nil for as many as the limit allows.
  ///
  /// Every test leaves out a kind that it does not know. A name that no test knows therefore ends
  /// the run.
  static let only: String? = {
    guard let name = environment["TIEOUT_TORTURE_ONLY"] else { return nil }
    guard kinds.contains(String(kind(of: name))) else {
      fatalError("TIEOUT_TORTURE_ONLY is \"\(name)\", which names none of these trials: \(kinds)")
    }
    return name
  }()
  private static let kinds =
    CrashScene.Kind.allCases.map(\.rawValue) + ClosingCrashTests.acts
    + OwnServerCrashTests.Case.allCases.map(\.rawValue) + ["history"]
  /// The part of the trials to run, and the number of parts, such as `1/3`, so that several
  /// processes can share the trials.
  static let part: (number: Int, of: Int)? = {
    let words = environment["TIEOUT_TORTURE_PART"]?.split(separator: "/") ?? []
    let numbers = words.compactMap { Int($0) }
    return numbers.count == 2 && numbers[1] > 0 ? (numbers[0] - 1, numbers[1]) : nil
  }()
  /// The kind of the one trial to run.
  static var onlyKind: Substring? { only.map(kind(of:)) }

  private static func kind(of name: String) -> Substring { name.prefix { $0 != ":" } }

  /// Whether `scripts/torture` sets a duration, so that more trials run than usual.
  static var isWanted: Bool { seconds != nil }
  /// The duration of one kind of trial, in seconds; nil for a few trials of any duration.
  private static let seconds = environment["TIEOUT_TORTURE_SECONDS"].flatMap { Double($0) }

  /// The time or the number of trials after which a kind of trial ends.
  struct Limit {
    fileprivate let end: Date?
    fileprivate let few: Int

    /// Whether no further trial begins.
    ///
    /// The first trial always begins, because otherwise nothing would be tried.
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

  /// Prints which points were tried if several processes share the trials, so that their results
  /// can be added up.
  static func tell(_ words: String) {
    if part != nil { print(words) }
  }

  /// Prints a count, and reports it to `scripts/torture`.
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
