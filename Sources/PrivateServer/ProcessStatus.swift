import Foundation

/// A process's status from `/proc/<number>/stat`, which every user can read.
struct ProcessStatus: Equatable {
  /// One letter: `S` sleeps, `R` runs, `D` waits for a disk, `T` was stopped by a signal.
  let state: Character
  /// The start time in ticks since the machine's start.
  ///
  /// Number and start time together identify a process permanently.
  let start: UInt64
  /// The processor time that it has used, in ticks.
  let used: UInt64

  /// Nil if there is no such process.
  init?(of process: UInt) {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      // The name is in parentheses and can contain any character.
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    // proc(5) counts fields from 1: 3 is the state, 14 and 15 are the processor time, 22 is the
    // start.
    guard fields.count > 19, let state = fields[0].first, let user = UInt64(fields[11]),
      let system = UInt64(fields[12]), let start = UInt64(fields[19])
    else { return nil }
    self.state = state
    self.start = start
    // Only compared, so it may wrap around.
    used = user &+ system
  }

  /// Whether a signal stopped it, or a debugger traces it.
  var isStopped: Bool { state == "T" || state == "t" }

  /// Whether a process belongs to a container, which has process numbers of its own.
  static func isInContainer(_ process: UInt) -> Bool {
    let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("NSpid:") }
    // Its number here, then its number in each container that it is in.
    return line.map { $0.split(whereSeparator: \.isWhitespace).count > 2 } ?? false
  }
}
