import Foundation
import Glibc

/// The machine's resources; the server's settings are scaled to them.
struct Machine: Sendable {
  var memory: Int
  var processors: Int
  /// Free bytes on the data folder's file system.
  var freeDisk: Int
  /// Whether /dev/shm has room for shared memory, and keeps it while the server runs.
  var hasLastingSharedMemory: Bool

  static let megabyte = 1 << 20
  static let gigabyte = 1 << 30
}

extension Machine {
  /// Reads this machine's resources, or the container's share of them.
  init(dataFolder path: String, user: ServerUser) {
    let group = ControlGroup()
    memory = min(Self.installedMemory(), group.memory ?? .max)
    // The processors that this process may run on, at most as many as its group may use.
    processors = min(ProcessInfo.processInfo.activeProcessorCount, group.processors ?? .max)
    freeDisk = Self.free(path)
    // When an ordinary user logs out, systemd-logind removes the user's shared memory (RemoveIPC).
    // Containers often have 64 MB of it, too little for a parallel hash join.
    let isOrdinaryUser = user.uid >= 1000 && access("/run/systemd/system", F_OK) == 0
    hasLastingSharedMemory = !isOrdinaryUser && Self.free("/dev/shm") >= Self.gigabyte
  }

  private static func installedMemory() -> Int {
    let table = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
    let line = table.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
    let kilobytes = line.flatMap { Int($0.filter { $0.isNumber }) }
    return kilobytes.map { product($0, 1024) } ?? gigabyte
  }

  private static func free(_ folder: String) -> Int {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return 0 }
    // Some network file systems report more than any disk has.
    return product(Int(clamping: status.f_bavail), Int(clamping: status.f_frsize))
  }

  /// The product of two numbers that are not negative; at most the largest number.
  private static func product(_ one: Int, _ other: Int) -> Int {
    let (product, isTooLarge) = one.multipliedReportingOverflow(by: other)
    return isTooLarge ? .max : product
  }
}
