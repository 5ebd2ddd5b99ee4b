import Foundation
import TestNeeds
import Testing

@testable import PrivateServer

/// A folder for one test that the server's user can enter.
///
/// At the end it is removed with everything that runs in it.
final class Scratch {
  let folder: String
  var state: String { "\(folder)/state" }

  /// - Parameter hasDataFolder: Whether the state directory has the data folder of a stopped server.
  init(hasDataFolder: Bool = false) throws {
    folder = ShortPath.unused("test")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    guard hasDataFolder else { return }
    let run = try ProgramRun.run("cp", ["-a", Self.prepared.get().state, state])
    try #require(run.succeeded, "\(run.output)")
  }

  /// A stopped server without a log; it is created once, because that takes a second.
  nonisolated(unsafe) private static let prepared: Result<Scratch, any Error> = Result {
    let scratch = try Scratch()
    // A static property is never released.
    atexit { try? FileManager.default.removeItem(atPath: Scratch.prepared.get().folder) }
    try PrivateServer.open(stateDirectory: scratch.state).close()
    try FileManager.default.removeItem(atPath: "\(scratch.state)/server.log")
    return scratch
  }

  deinit {
    for name in ["data", "data.15"] {
      // Without a server, the number in the file can belong to any process of the machine.
      guard let process = serverProcess(name),
        let program = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8),
        program.hasPrefix("postgres")
      else { continue }
      kill(process, SIGQUIT)
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The process number in `postmaster.pid`; the process may be a different one.
  func serverProcess(_ name: String = "data") -> pid_t? {
    let text = try? String(contentsOfFile: "\(state)/\(name)/postmaster.pid", encoding: .utf8)
    return text?.split(separator: "\n").first.flatMap { pid_t($0) }
  }

  /// The names in the state directory.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: state).sorted()
  }

  /// Writes an executable script.
  func script(_ path: String, _ text: String) throws {
    try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Creates a folder of server programs.
  ///
  /// They behave as the installed ones, except for those in `overrides`.
  func programs(_ name: String, overrides: [String: String]) throws -> String {
    let bin = "\(folder)/\(name)"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    let real = try ServerPrograms.installed(in: nil)[0]
    for program in [
      "initdb", "pg_ctl", "postgres", "pg_dump", "pg_dumpall", "pg_restore", "psql",
    ] {
      let run = #"exec "\#(real.path(program))" "$@""#
      try script("\(bin)/\(program)", "\(overrides[program] ?? "")\n\(run)")
    }
    return bin
  }
}

/// Whether this process may mount folders and make PID namespaces, as those of containers.
let mayMount: Bool = {
  guard geteuid() == 0 else { return false }
  let run = try? ProgramRun.run("unshare", ["--pid", "--fork", "--mount-proc", "true"])
  return run?.succeeded == true
}()

/// Runs SQL with psql as the user who runs the tests.
func ask(_ server: PrivateServer, as role: String = "tieout", _ sql: String) throws -> String {
  let run = try ProgramRun.run(
    "\(server.programs)/psql",
    ["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, "\(server.connectionString) user=\(role)"])
  try #require(run.succeeded, "\(run.output)")
  return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
}

/// Whether a process runs; false for a process that has ended and waits for its parent.
func isRunning(_ process: pid_t) -> Bool {
  let command = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
  return command?.isEmpty == false
}

/// The permissions of a file.
func mode(of path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return try #require(attributes[.posixPermissions] as? Int)
}

/// Contains the tests that start servers.
///
/// They run one at a time: each server needs memory and a processor.
@Suite(.serialized) struct Servers {}
