import CLinux
import Foundation
import Glibc

/// The server process of a cluster, as it was when it was asked for.
struct ServerProcess {
  enum State { case absent, starting, ready, stopping }

  let state: State
  /// The number of the process; 0 where there is none.
  let number: UInt
}

extension Cluster {
  /// Where the server says of itself that it is there.
  var processFile: String { "\(folder)/postmaster.pid" }

  /// What the server says of itself in `postmaster.pid`, if it is ours that says it.
  func server() throws(PrivateServerError) -> ServerProcess {
    let text = (try? String(contentsOfFile: processFile, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // Without users (postgres --single) the number is negative.
    guard let number = lines.first.flatMap({ Int($0)?.magnitude }), try isOurs(number) else {
      return ServerProcess(state: .absent, number: 0)
    }
    let state: ServerProcess.State =
      switch lines.count > 7 ? lines[7].trimmingCharacters(in: .whitespaces) : "" {
      case "ready", "standby": .ready
      case "stopping": .stopping
      default: .starting
      }
    return ServerProcess(state: state, number: number)
  }

  /// Whether the process is a PostgreSQL server on this cluster, and not one that got its number since.
  private func isOurs(_ process: UInt) throws(PrivateServerError) -> Bool {
    let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    guard let name, name.hasPrefix("postgres") || name.hasPrefix("postmaster") else { return false }
    // One that was killed and is about to go has no memory any more, and so no command line.
    let words = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
    guard words?.isEmpty == false else { return false }
    guard let real = realpath(folder, nil) else { return false }
    defer { free(real) }
    return try workingFolder(of: process) == String(cString: real)
  }

  /// Where a process works; nil if that is nobody's to know.
  private func workingFolder(of process: UInt) throws(PrivateServerError) -> String? {
    let link = "/proc/\(process)/cwd"
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    // Asked with the rights of the server's user: in a container even root may not look at another
    // user's process.
    let count = tieoutReadLinkAs(user.uid, user.gid, link, &bytes, bytes.count - 1)
    if count > 0 {
      return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    guard user.isAnother else { return nil }
    let told = try user.run("readlink", [link])
    return told.succeeded ? told.output.lastLines(1) : nil
  }
}
