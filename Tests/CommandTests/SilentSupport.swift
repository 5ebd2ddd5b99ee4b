import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import TestNeeds
import Testing

/// A server that accepts every connection and never sends anything.
final class SilentSocket {
  let folder: String
  /// The port of a web server; 0 for a Unix socket.
  private(set) var port = 0
  private let listener: Int32
  private var taken: [Int32] = []

  /// - Parameter isWeb: Whether it listens on a TCP port of this machine; otherwise it listens on a
  ///   Unix socket where libpq looks for a server.
  init(isWeb: Bool = false) throws {
    folder = ShortPath.unused("silent")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false)
    listener = socket(isWeb ? AF_INET : AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var isBound: Int32
    if isWeb {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      isBound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
          let isBound = bind(listener, place, length)
          getsockname(listener, place, &length)
          return isBound
        }
      }
      port = Int(UInt16(bigEndian: address.sin_port))
    } else {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) {
        $0.copyBytes(from: Array("\(folder)/.s.PGSQL.5432".utf8))
      }
      isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    try #require(isBound == 0 && listen(listener, 16) == 0)
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
  }

  deinit {
    for descriptor in taken + [listener] { close(descriptor) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Whether a client has connected since the last call.
  func isAsked() -> Bool {
    let before = taken.count
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { return taken.count > before }
      taken.append(descriptor)
    }
  }
}

extension CommandNight {
  /// The server processes of the connections with this application name.
  func backends(_ name: String) throws -> [pid_t] {
    let connection = try night.database.connect()
    let rows = try connection.run(
      """
      select pid from pg_stat_activity
      where datname = current_database() and application_name = $1
      """, [name], step: "look")
    return rows.values.compactMap { $0[0].flatMap { pid_t($0) } }
  }
}

extension Place {
  /// A process of the private server whose title contains this text.
  func backend(_ what: String, _ title: String) -> pid_t? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.first { process in
      let words = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
      let at = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
      return words?.contains(title) == true && at == "\(folder)/state/data"
    }
  }
}

extension Program {
  /// The letter of the process's state, as in proc(5); `Z` if it has ended.
  var state: String {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let rest = text?.lastIndex(of: ")").map { text?[$0...].dropFirst(2).prefix(1) ?? "" }
    return rest.map { String($0) } ?? "Z"
  }

  /// Whether the process has ended.
  ///
  /// Its exit status can still be read.
  func hasEnded() throws -> Bool { state == "Z" }

  /// Whether the process waits in a read or a write of a pipe, or in `poll`.
  var isBlocked: Bool {
    let text = try? String(contentsOfFile: "/proc/\(process)/wchan", encoding: .utf8)
    return text?.contains("pipe") == true || text?.contains("poll") == true
  }

  /// A descendant of the process that runs the program with this name.
  func child(_ name: String) -> pid_t? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var parents: [pid_t: pid_t] = [:]
    var found: [pid_t] = []
    for number in names.compactMap({ pid_t($0) }) {
      guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")"), let begin = text.firstIndex(of: "(")
      else { continue }
      let fields = text[text.index(after: end)...].split(separator: " ")
      parents[number] = fields.count > 1 ? pid_t(fields[1]) : nil
      if text[text.index(after: begin)..<end] == name { found.append(number) }
    }
    return found.first { number in
      var number = number
      while let parent = parents[number] {
        if parent == process { return true }
        number = parent
      }
      return false
    }
  }

  /// Whether a descendant of the process runs the program with this name.
  func hasChild(_ name: String) -> Bool { child(name) != nil }
}
