import Foundation

/// A program that some tests use and the project does not need.
public enum Tool: String, Sendable {
  case bash
  case chromium
  case logrotate
  case pgbouncer
  case python3
  case systemdAnalyze = "systemd-analyze"

  /// Where it is, if it is there.
  public var path: String? {
    let folders =
      ["/usr/bin", "/usr/sbin", "/bin"]
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.lazy.flatMap { folder in names.map { "\(folder)/\($0)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The names that it goes by.
  private var names: [String] {
    self == .chromium ? [rawValue, "chromium-browser", "google-chrome"] : [rawValue]
  }
}
