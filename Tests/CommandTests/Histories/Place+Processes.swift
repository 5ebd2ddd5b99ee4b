import Foundation
import Glibc

extension Place {
  /// The state directory.
  var state: String { "\(folder)/state" }

  /// The processes whose working folder is in the state directory, even if it has been removed.
  var processes: [pid_t] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { pid_t($0) }.filter { process in
      let folder = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(process)/cwd")
      return folder?.hasPrefix("\(state)/") == true
    }
  }

  /// The server's first process; empty if it does not run.
  var postmaster: [(number: pid_t, name: String)] {
    guard let server, processes.contains(server) else { return [] }
    return [(server, Self.name(of: server))]
  }

  /// The other processes of the server, sorted by name.
  var backends: [(number: pid_t, name: String)] {
    guard let server else { return [] }
    return processes.filter { $0 != server }.map { ($0, Self.name(of: $0)) }.sorted { $0.1 < $1.1 }
  }

  private static func name(of process: pid_t) -> String {
    let words = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
    return words.replacing("\0", with: " ").trimmingCharacters(in: .whitespaces)
  }
}
