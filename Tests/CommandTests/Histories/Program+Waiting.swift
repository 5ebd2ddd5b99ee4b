import Foundation
import Glibc

extension Program {
  /// The condition of a process.
  enum Condition { case works, isPaused, isEnded }

  /// The current condition of the process.
  ///
  /// It is valid only before `ended()` is called.
  var condition: Condition {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    // The state comes after the program's name, which can contain any character.
    switch text.split(separator: ")").last?.first(where: { $0 != " " }) {
    case "T", "t": return .isPaused
    case "Z", "X", nil: return .isEnded
    default: return .works
    }
  }

  /// Waits until the process has one of these conditions, for at most this number of seconds.
  ///
  /// - Returns: The condition at the end of the wait.
  func waits(for wanted: Set<Condition>, atMost seconds: Int) -> Condition {
    for _ in 0..<seconds * 50 {
      let condition = condition
      if wanted.contains(condition) { return condition }
      usleep(20_000)
    }
    return condition
  }
}
