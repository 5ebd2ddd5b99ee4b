import Foundation
import Glibc

/// The machine, process and person that run the job.
enum Host {
  /// The machine's own name, as it knows it: no look-up in the network.
  static let name: String = {
    var bytes = [CChar](repeating: 0, count: 256)
    unsafe gethostname(&bytes, bytes.count - 1)
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.replacing(" ", with: "-")
  }()
  static let processID = Int(ProcessInfo.processInfo.processIdentifier)
  static let userName = NSUserName()
  static let isRoot = geteuid() == 0

  /// Whether a process of this machine has this number.
  static func isAlive(_ process: pid_t) -> Bool {
    kill(process, 0) == 0 || errno != ESRCH
  }

  /// Lets this thread sleep.
  static func sleep(_ duration: Duration) {
    usleep(UInt32(clamping: duration.components.attoseconds / 1_000_000_000_000))
  }
}
