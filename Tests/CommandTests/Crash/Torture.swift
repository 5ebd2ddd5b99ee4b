import Foundation
import Testing

/// How long and how the tests that break things go on, as `scripts/torture` sets it.
///
/// Without it each takes a few seconds of its work, from a fixed seed.
enum Torture {
  private static let environment = ProcessInfo.processInfo.environment

  /// What all that is random comes from.
  static let seed = environment["TIEOUT_TORTURE_SEED"].flatMap { UInt64($0) } ?? 1
  /// The one trial that is wanted, such as `later kill 17`; nil: as many as there is time for.
  static let only = environment["TIEOUT_TORTURE_ONLY"]
  /// Which part of the trials is wanted, and of how many parts, such as `1/3`: so several processes share them.
  static let part: (number: Int, of: Int)? = {
    let words = environment["TIEOUT_TORTURE_PART"]?.split(separator: "/") ?? []
    let numbers = words.compactMap { Int($0) }
    return numbers.count == 2 && numbers[1] > 0 ? (numbers[0] - 1, numbers[1]) : nil
  }()
  /// How long one kind of trial goes on.
  private static let seconds = environment["TIEOUT_TORTURE_SECONDS"].flatMap { Double($0) } ?? 10

  /// When a kind of trial that begins now is to end.
  static var end: Date { Date(timeIntervalSinceNow: seconds) }

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

/// Numbers that look random and come again from the same seed (SplitMix64, Steele and others, 2014).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var number = state
    number = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
    number = (number ^ (number >> 27)) &* 0x94d0_49bb_1331_11eb
    return number ^ (number >> 31)
  }
}
