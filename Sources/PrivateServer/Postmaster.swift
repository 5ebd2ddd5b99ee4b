import Foundation
import Glibc

/// The server process of one cluster: asked, started and stopped while the start lock is held.
struct Postmaster {
  let cluster: Cluster
  let programs: ServerPrograms
  let socketFolder: SocketFolder
  let logFile: String
  /// Tells the operator what takes its time.
  let log: @Sendable (String) -> Void

  /// How long a recovery may take before nobody waits any longer.
  private static let patience = 3600

  /// Starts the server unless it runs already, and waits until it takes connections.
  func start() throws(PrivateServerError) {
    var failures = 0
    for second in 0..<Self.patience {
      switch try cluster.server().state {
      case .ready:
        return
      case .starting, .stopping:
        if second == 5 { log("waiting for the private PostgreSQL to recover or to stop") }
        sleep(1)
      case .absent:
        let position = logSize()
        let output = try launch()
        guard try cluster.server().state == .absent else { continue }
        // A server that was killed leaves processes that end a moment later.
        failures += 1
        let words = "\(output)\n\(logTail(from: position))"
        guard words.contains("pre-existing shared memory block"), failures < 10 else {
          throw cannotStart(words)
        }
        sleep(1)
      }
    }
    throw cannotStart("It did not take connections within \(Self.patience) seconds.")
  }

  /// Clears what a killed server left, and has pg_ctl start a new one.
  private func launch() throws(PrivateServerError) -> String {
    // The numbers in these files can be another process's by now, which PostgreSQL cannot tell.
    try cluster.user.remove(
      files: [cluster.processFile, socketFolder.socket, "\(socketFolder.socket).lock"])
    try cluster.configure(socketFolder: socketFolder.path)
    if logSize() > 10 * Machine.megabyte {
      try cluster.user.move(logFile, to: "\(logFile).1")
    }
    log("starting the private PostgreSQL in \(cluster.folder)")
    return try control(["start", "-l", logFile, "-t", "60"]).output
  }

  /// Stops the server, and waits until it is gone.
  func stop() throws(PrivateServerError) {
    guard try cluster.server().state != .absent else { return }
    let run = try control(["stop", "-m", "fast", "-t", "600"])
    let remains = try cluster.server().state != .absent
    guard run.succeeded || !remains else {
      throw PrivateServerError(
        .cannotStop, "The private PostgreSQL does not stop:\n\(run.output.lastLines(3))",
        remedy: "See \(logFile). It harms nothing: the next run uses the server as it is.")
    }
  }

  private func control(_ arguments: [String]) throws(PrivateServerError) -> ProgramRun {
    try cluster.user.run(
      programs.path("pg_ctl"), arguments + ["-D", cluster.folder, "-w", "-s"])
  }

  private func logSize() -> Int {
    var status = Glibc.stat()
    return stat(logFile, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The last lines that came into the log since then.
  private func logTail(from position: Int) -> String {
    guard let file = FileHandle(forReadingAtPath: logFile) else { return "" }
    let size = logSize()
    let start = size < position ? 0 : max(position, size - 64 * 1024)
    try? file.seek(toOffset: UInt64(start))
    let data = (try? file.readToEnd()) ?? Data()
    return String(decoding: data, as: UTF8.self).lastLines(15)
  }

  private func cannotStart(_ words: String) -> PrivateServerError {
    PrivateServerError(
      .cannotStart,
      "The private PostgreSQL in \(cluster.folder) does not start:\n\(words.lastLines(15))",
      remedy: remedy(for: words, in: cluster.folder) + "\nIts log is \(logFile).")
  }
}
