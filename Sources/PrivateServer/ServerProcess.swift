import CLinux
import Foundation
import Glibc

/// The server process of a cluster, as it was when it was asked for.
struct ServerProcess: Equatable {
  enum State { case absent, starting, ready, stopping }

  let state: State
  /// The number of the process; 0 where there is none.
  let number: UInt
  /// When it began: with the number, it names one process for ever.
  let start: UInt64

  static let none = ServerProcess(state: .absent, number: 0, start: 0)

  /// The number, for people.
  var words: String { "process \(number)" }
}

extension Cluster {
  /// Where the server says of itself that it is there.
  var processFile: String { "\(folder)/postmaster.pid" }

  /// What the server says of itself in `postmaster.pid`, if it is ours that says it.
  func server() throws(PrivateServerError) -> ServerProcess {
    let text = (try? String(contentsOfFile: processFile, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // Without users (postgres --single) the number is negative.
    guard let number = lines.first.flatMap({ Int($0)?.magnitude }),
      let start = try startIfOurs(number)
    else { return .none }
    let state: ServerProcess.State =
      switch lines.count > 7 ? lines[7].trimmingCharacters(in: .whitespaces) : "" {
      case "ready", "standby": .ready
      case "stopping": .stopping
      default: .starting
      }
    return ServerProcess(state: state, number: number, start: start)
  }

  /// All processes that work in the cluster: the server and what it started, also if it is gone itself.
  func processes() throws(PrivateServerError) -> [ServerProcess] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var found: [ServerProcess] = []
    for number in names.compactMap({ UInt($0) }) {
      guard let start = try startIfOurs(number) else { continue }
      found.append(ServerProcess(state: .ready, number: number, start: start))
    }
    return found
  }

  /// When the process began, if it is a PostgreSQL server on this cluster, and not one that got its number since.
  private func startIfOurs(_ process: UInt) throws(PrivateServerError) -> UInt64? {
    let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    guard let name, name.hasPrefix("postgres") || name.hasPrefix("postmaster"),
      let status = ProcessStatus(of: process)
    else { return nil }
    // One that was killed and is about to go has no memory any more, and so no command line.
    let words = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
    guard words?.isEmpty == false else { return nil }
    guard let real = realpath(folder, nil) else { return nil }
    defer { free(real) }
    return try workingFolder(of: process) == String(cString: real) ? status.start : nil
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
