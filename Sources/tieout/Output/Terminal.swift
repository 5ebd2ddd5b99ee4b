import Foundation
import Glibc

/// The terminal that the program writes to.
enum Terminal {
  /// The width for text in columns; at least 40.
  ///
  /// It is the terminal's width. If the output is not a terminal, it is the value of `COLUMNS`, or
  /// else 100.
  static var width: Int { limit ?? 100 }

  /// The width of the terminal, or the value of `COLUMNS`; nil for a file or a pipe without it.
  static var limit: Int? {
    let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    var size = winsize()
    let isTerminal = unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return (isTerminal ? Int(size.ws_col) : told).map { max(40, $0) }
  }
}
