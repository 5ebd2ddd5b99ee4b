import CLinux
import Foundation
import Glibc

/// The server process of a data folder, at the time when it was looked up.
struct ServerProcess: Equatable {
  enum State { case absent, starting, ready, stopping }

  let state: State
  /// The process number; 0 if there is no process.
  let number: UInt
  /// The process's start time, in ticks since the machine's start.
  ///
  /// Number and start time together identify a process permanently.
  let start: UInt64

  static let none = ServerProcess(state: .absent, number: 0, start: 0)

  /// The process number, for messages.
  var words: String { "process \(number)" }
}

extension DataFolder {
  /// The file in which the server reports its state.
  var processFile: String { "\(path)/postmaster.pid" }

  /// The server's state from `postmaster.pid`, if its process is a server of this data folder.
  func server() throws(PrivateServerError) -> ServerProcess {
    let text = (try? String(contentsOfFile: processFile, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // A single-user server (postgres --single) writes a negative number.
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

  /// All processes that work in the data folder: the server and its children, even if the server is
  /// gone.
  func processes() throws(PrivateServerError) -> [ServerProcess] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var found: [ServerProcess] = []
    for number in names.compactMap({ UInt($0) }) {
      guard let start = try startIfOurs(number) else { continue }
      found.append(ServerProcess(state: .ready, number: number, start: start))
    }
    return found
  }

  /// The process's start time, if the process is a PostgreSQL server of this data folder; nil for
  /// any other process, for instance one that reuses the number, and for a server in a container,
  /// whose `postmaster.pid` has a number of that container.
  private func startIfOurs(_ process: UInt) throws(PrivateServerError) -> UInt64? {
    let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    guard let name, name.hasPrefix("postgres") || name.hasPrefix("postmaster"),
      let status = ProcessStatus(of: process)
    else { return nil }
    // A killed process that is about to end has no memory, and therefore no command line.
    let words = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
    guard words?.isEmpty == false, !ProcessStatus.isInContainer(process) else { return nil }
    return try isInFolder(process) ? status.start : nil
  }

  /// Whether the data folder is the process's working folder.
  ///
  /// The path of the process can be another one, because a folder can be mounted in several places.
  private func isInFolder(_ process: UInt) throws(PrivateServerError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    let link = "/proc/\(process)/cwd"
    var device: UInt = 0
    var inode: UInt = 0
    // Read with the rights of the server's user: in a container even root may not examine another
    // user's process.
    if tieoutFindAs(user.uid, user.gid, link, &device, &inode) == 0 {
      return device == status.st_dev && inode == status.st_ino
    }
    guard user.isAnother else { return false }
    let told = try user.run("stat", ["-L", "-c", "%d %i", link])
    return told.succeeded && told.output.lastLines(1) == "\(status.st_dev) \(status.st_ino)"
  }
}
