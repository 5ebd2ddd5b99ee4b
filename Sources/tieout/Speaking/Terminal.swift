import Foundation
import Glibc

/// The terminal that the program writes to.
enum Terminal {
  /// How many columns wide text may be: those of the terminal, or `COLUMNS`, or a hundred.
  ///
  /// Never fewer than 40.
  static var width: Int {
    let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    var size = winsize()
    let isTerminal = unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return max(40, isTerminal ? Int(size.ws_col) : told ?? 100)
  }
}
