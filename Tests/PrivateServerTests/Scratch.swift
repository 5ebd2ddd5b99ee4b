import Foundation
import Testing

@testable import PrivateServer

/// A folder for one test, which the server's user can reach; gone with all that runs in it at the end.
final class Scratch {
  let folder: String
  var state: String { "\(folder)/state" }

  init() throws {
    folder = "/tmp/tieout-test-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
  }

  deinit {
    for cluster in ["data", "data.15"] {
      if let process = serverProcess(cluster) { kill(process, SIGQUIT) }
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The number that `postmaster.pid` names, whoever has it.
  func serverProcess(_ cluster: String = "data") -> pid_t? {
    let text = try? String(contentsOfFile: "\(state)/\(cluster)/postmaster.pid", encoding: .utf8)
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

  /// A folder of server programs that act as the installed ones, but for what `overrides` says.
  func programs(_ name: String, overrides: [String: String]) throws -> String {
    let bin = "\(folder)/\(name)"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    let real = try ServerPrograms.installed(in: nil)[0]
    for program in ["initdb", "pg_ctl", "postgres", "pg_dump", "pg_restore"] {
      let run = #"exec "\#(real.path(program))" "$@""#
      try script("\(bin)/\(program)", "\(overrides[program] ?? "")\n\(run)")
    }
    return bin
  }
}

/// Asks the server with psql, as the user who runs the tests.
func ask(_ server: PrivateServer, as role: String = "tieout", _ sql: String) throws -> String {
  let run = try ProgramRun.run(
    "\(server.programs)/psql",
    ["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, "\(server.connectionString) user=\(role)"])
  try #require(run.succeeded, "\(run.output)")
  return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
}

/// Whether a process lives; one that has ended and waits to be fetched by its parent does not.
func isRunning(_ process: pid_t) -> Bool {
  let command = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
  return command?.isEmpty == false
}

/// The permissions of a file.
func mode(of path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return try #require(attributes[.posixPermissions] as? Int)
}

/// Waits until something holds, for at most ten seconds.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<1000 {
    if try condition() { return true }
    usleep(10_000)
  }
  return try condition()
}

/// The tests that start servers, one at a time: each server takes memory and a processor.
@Suite(.serialized) struct Servers {}
