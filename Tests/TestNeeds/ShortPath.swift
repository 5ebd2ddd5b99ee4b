import Foundation

/// Paths of folders and files for tests that need a short path.
///
/// The path of a Unix socket has at most 107 bytes, and its folder must be one that a server's user
/// can reach.
public enum ShortPath {
  /// A path that does not exist yet, below `TMPDIR` if that is short, else below `/tmp`.
  public static func unused(_ purpose: String) -> String {
    var base = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
    while base.hasSuffix("/") { base.removeLast() }
    if !base.hasPrefix("/") || base.utf8.count > 16 { base = "/tmp" }
    return "\(base)/tieout-\(purpose)-\(UUID().uuidString.prefix(8))"
  }
}
