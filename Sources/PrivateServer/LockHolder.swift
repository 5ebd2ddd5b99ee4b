import Foundation
import Glibc

/// The holder of a lock, as the holder wrote it into the lock's file.
struct LockHolder {
  private let process: UInt
  /// The process's start time, in ticks since the machine's start.
  private let start: UInt64
  private let since: String
  private let command: String

  /// The text for this process.
  static var own: String {
    let process = UInt(getpid())
    let start = ProcessStatus(of: process)?.start ?? 0
    return "\(process) \(start) \(Date.now.ISO8601Format()) \(commandName)\n"
  }

  /// The program and its subcommand.
  ///
  /// Other arguments are left out because they can be secret.
  private static var commandName: String {
    let words = CommandLine.arguments
    let program = words.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "?"
    let command = words.dropFirst().first.flatMap { $0.hasPrefix("-") ? nil : $0 }
    return ([program] + (command.map { [$0] } ?? [])).joined(separator: " ")
  }

  /// Nil if the text names no holder.
  init?(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count > 3, let process = UInt(words[0]), let start = UInt64(words[1]) else {
      return nil
    }
    self.process = process
    self.start = start
    since = String(words[2])
    command = words[3...].joined(separator: " ")
  }

  /// The process, since when it holds the lock, and whether it has ended or is stopped.
  var words: String {
    let who = "process \(process) (\(command), since \(since))"
    guard let status = ProcessStatus(of: process), status.start == start else {
      return "\(who), which has ended; a program that it started may still run"
    }
    guard status.isStopped else { return who }
    return "\(who), which a signal has stopped: continue it with kill -CONT \(process), or end it"
  }
}
