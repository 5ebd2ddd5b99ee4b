import Foundation

/// A program that some tests use and that the project does not need.
public enum Tool: String, Sendable {
  case bash
  case chromium
  case cron
  case logrotate
  case perl
  case pgbouncer
  case pgrep
  case python3
  case systemdAnalyze = "systemd-analyze"

  /// The program's path; nil if it is not installed.
  public var path: String? {
    let folders =
      ["/usr/bin", "/usr/sbin", "/bin"]
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.lazy.flatMap { folder in names.map { "\(folder)/\($0)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The possible names of the program.
  private var names: [String] {
    self == .chromium ? [rawValue, "chromium-browser", "google-chrome"] : [rawValue]
  }
}
