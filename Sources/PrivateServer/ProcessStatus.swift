import Foundation

/// What the kernel tells everybody of a process (`/proc/<number>/stat`).
struct ProcessStatus: Equatable {
  /// One letter: `S` sleeps, `R` runs, `D` waits for a disk, `T` was stopped by a signal.
  let state: Character
  /// When it began, in ticks since the machine started: with the number, it names one process for ever.
  let start: UInt64
  /// The ticks for which it has used a processor.
  let used: UInt64

  /// nil: there is no such process.
  init?(of process: UInt) {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      // The name stands in parentheses and may hold anything.
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    // proc(5) counts from 1: 3 is the state, 14 and 15 the time used, 22 the start.
    guard fields.count > 19, let state = fields[0].first, let user = UInt64(fields[11]),
      let system = UInt64(fields[12]), let start = UInt64(fields[19])
    else { return nil }
    self.state = state
    self.start = start
    used = user + system
  }

  /// Whether somebody stopped it with a signal, or traces it.
  var isStopped: Bool { state == "T" || state == "t" }
}
