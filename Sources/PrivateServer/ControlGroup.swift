import ExactText
import Foundation

/// The limits that the kernel sets for this process and its children (cgroups, version 1 and 2).
///
/// These are the limits of a container, or of a systemd unit with `MemoryMax` or `CPUQuota`. A
/// group's own limits and those of all groups above it apply.
struct ControlGroup {
  /// Bytes of memory; nil: no limit.
  let memory: Int?
  /// Processors, rounded up; nil: no limit.
  let processors: Int?

  /// - Parameters:
  ///   - membership: `/proc/self/cgroup`: one line `number:controllers:path` for each hierarchy.
  ///   - root: Where the hierarchies are mounted.
  init(
    membership: String = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? "",
    below root: String = "/sys/fs/cgroup"
  ) {
    var memory: [Int] = []
    var processors: [Int] = []
    for line in membership.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let controllers = Set(parts[1].split(separator: ",").map(String.init))
      for group in Self.groups(of: parts[2]) {
        if controllers.isEmpty {
          // Version 2, alone or beside version 1.
          for place in ["\(root)\(group)", "\(root)/unified\(group)"] {
            memory += ["memory.max", "memory.high"].compactMap { Self.number("\(place)/\($0)") }
            if let quota = Self.words("\(place)/cpu.max"), quota.count == 2 {
              processors += Self.share(of: Int(quota[0]), in: Int(quota[1]))
            }
          }
        }
        if controllers.contains("memory") {
          memory += [Self.number("\(root)/memory\(group)/memory.limit_in_bytes")].compactMap { $0 }
        }
        if controllers.contains("cpu") {
          let place = "\(root)/\(parts[1])\(group)"
          let places = [place, "\(root)/cpu\(group)"]
          for place in places {
            processors += Self.share(
              of: Self.number("\(place)/cpu.cfs_quota_us"),
              in: Self.number("\(place)/cpu.cfs_period_us"))
          }
        }
      }
    }
    self.memory = memory.min()
    self.processors = processors.min()
  }

  /// The group and all groups above it, up to the root, whose path is empty.
  ///
  /// Inside a container the path can be the host's path, while only the root is mounted.
  private static func groups(of path: Substring) -> [String] {
    var groups = [""]
    for name in path.parts(between: "/") { groups.append("\(groups[groups.count - 1])/\(name)") }
    return groups
  }

  /// The words of a file; nil if it cannot be read.
  private static func words(_ path: String) -> [Substring]? {
    let text = try? String(contentsOfFile: path, encoding: .utf8)
    return text?.split(whereSeparator: \.isWhitespace)
  }

  /// The first number of a file; nil if the file has none, for instance `max`, or if it is not
  /// positive.
  private static func number(_ path: String) -> Int? {
    guard let text = words(path)?.first, let number = Int(text), number > 0 else { return nil }
    return number
  }

  /// Processors for the time that may be used in each period, rounded up; empty without a limit.
  private static func share(of quota: Int?, in period: Int?) -> [Int] {
    guard let quota, let period, quota > 0, period > 0 else { return [] }
    return [quota / period + (quota.isMultiple(of: period) ? 0 : 1)]
  }
}
