import Foundation
import Glibc

/// The terminal that the program writes to.
enum Terminal {
  /// How many columns wide text may be; never fewer than 40.
  ///
  /// Those of the terminal; where output goes to a file those that `COLUMNS` tells, else a hundred.
  static var width: Int {
    let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    var size = winsize()
    let isTerminal = unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return max(40, isTerminal ? Int(size.ws_col) : told ?? 100)
  }
}
