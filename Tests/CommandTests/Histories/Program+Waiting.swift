import Foundation
import Glibc

extension Program {
  /// What the process does at the moment.
  enum Condition { case works, isPaused, isEnded }

  /// What the process does; to be asked before `ended()` has been called.
  var condition: Condition {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    // Behind the program's name, which can hold anything.
    switch text.split(separator: ")").last?.first(where: { $0 != " " }) {
    case "T", "t": return .isPaused
    case "Z", "X", nil: return .isEnded
    default: return .works
    }
  }

  /// Waits until the process does one of these, for so many seconds at most.
  ///
  /// - Returns: what it does then.
  func waits(for wanted: Set<Condition>, atMost seconds: Int) -> Condition {
    for _ in 0..<seconds * 50 {
      let condition = condition
      if wanted.contains(condition) { return condition }
      usleep(20_000)
    }
    return condition
  }
}
