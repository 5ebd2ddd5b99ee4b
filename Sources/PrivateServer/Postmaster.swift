import Foundation
import Glibc
import PostgreSQL
import Waiting

/// The server process of one cluster: asked, started and stopped while the start lock is held.
struct Postmaster {
  let cluster: Cluster
  let programs: ServerPrograms
  let socketFolder: SocketFolder
  let logFile: String
  /// Told what the server is doing.
  let report: ServerReport

  /// How long a server that was launched may take to say that it is there, in a machine that does too much.
  private static let launch: Duration = .seconds(60)

  /// Starts the server unless it runs already, and waits until it takes connections.
  ///
  /// - Parameter isFree: Whether nobody else uses the server: then one that says nothing may be ended.
  func start(isFree: () throws(PrivateServerError) -> Bool) throws(PrivateServerError) {
    var wait = Wait(atMost: Patience.recovery)
    var silence: Wait?
    // One that was launched and has not said yet that it is there; where its log began; whether it was seen.
    var launched: (wait: Wait, position: Int, isSeen: Bool)?
    var failures = 0
    var isTold = false
    repeat {
      let server = try cluster.server()
      if !isTold, wait.elapsed > .seconds(5) {
        report.notice(
          "Waiting for the private PostgreSQL (\(server.words)) to start, recover or stop.")
        isTold = true
      }
      switch server.state {
      case .absent:
        if let pending = launched, !pending.isSeen, pending.wait.elapsed < Self.launch { continue }
        var words = ""
        var position = launched?.position ?? logSize()
        if launched == nil {
          position = logSize()
          words = try launch()
          if words.contains("did not start in time") {
            launched = (Wait(atMost: Self.launch), position, false)
            continue
          }
          guard try cluster.server().state == .absent else { continue }
        }
        launched = nil
        failures += 1
        try clear("\(words)\n\(logTail(from: position))", after: failures)
      case .stopping:
        // Whoever told it so may be dead; and it may never end by itself.
        try cluster.end(server, isWritten: true, tell: report.notice)
      case .starting, .ready:
        launched?.isSeen = true
        let sign = sign
        if sign == .takesConnections { return }
        guard sign == .silent, server.state == .ready else {
          silence = nil
          continue
        }
        let silent = silence ?? Wait(atMost: Patience.answer)
        silence = silent
        if silent.end == .limit {
          try endSilent(server, isFree: isFree)
          silence = nil
        }
      }
    } while wait.pause()
    guard wait.end != .stop else {
      throw .stopped("while the private PostgreSQL started or recovered")
    }
    throw PrivateServerError(
      .busy,
      "The private PostgreSQL (\(try cluster.server().words)) accepts no connections after"
        + " \(Patience.recovery.inSeconds). It may still be recovering and was not stopped",
      remedy: "See \(logFile), and run again later.")
  }

  /// What the server says to somebody who knocks.
  private var sign: ServerSign {
    ServerSign(of: socketFolder.connectionString(to: cluster.user))
  }

  /// Ends a server that says it is ready and does not answer.
  private func endSilent(
    _ server: ServerProcess, isFree: () throws(PrivateServerError) -> Bool
  ) throws(PrivateServerError) {
    guard try isFree() else {
      throw PrivateServerError(
        .busy,
        "The private PostgreSQL (\(server.words)) has not answered for \(Patience.answer.inSeconds), and"
          + " another command uses it",
        remedy: "End that command, and run again. The server is then restarted.")
    }
    report.notice(
      "The private PostgreSQL (\(server.words)) has not answered for \(Patience.answer.inSeconds):"
        + " it is ended and started anew.")
    try cluster.end(server, isWritten: false, tell: report.notice)
  }

  /// Makes way for another start after one that failed because of what a killed server left; throws for any other
  /// reason.
  private func clear(_ words: String, after failures: Int) throws(PrivateServerError) {
    guard StartFailure.isPassing(words), failures < 20 else {
      throw cannotStart(words)
    }
    // They end a moment later; unless they hang.
    var wait = Wait(atMost: .seconds(1))
    while try !cluster.processes().isEmpty, wait.pause() {}
    if failures == 10 { try cluster.endRemains(tell: report.notice) }
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
    report.info("starting the private PostgreSQL in \(cluster.folder)")
    // It waits for a few seconds alone: what comes then can be heard to stop.
    return try cluster.user.run(
      programs.path("pg_ctl"),
      ["start", "-l", logFile, "-t", "3", "-D", cluster.folder, "-w", "-s"]
    ).output
  }

  /// Stops the server, and waits until it is gone.
  ///
  /// A server that recovers is waited for first; if that takes too long, or the process is told to stop, it is
  /// stopped at once and recovers at its next start.
  func stop() throws(PrivateServerError) {
    var wait = Wait(atMost: Patience.recovery)
    var silence: Wait?
    repeat {
      let server = try cluster.server()
      switch server.state {
      case .absent: return
      case .stopping: return try cluster.end(server, isWritten: true, tell: report.notice)
      case .starting, .ready:
        switch sign {
        case .takesConnections:
          return try cluster.end(server, isWritten: true, tell: report.notice)
        case .refuses: silence = nil
        case .silent:
          let silent = silence ?? Wait(atMost: Patience.answer)
          silence = silent
          if silent.end != nil { return try endUnwritten(server, "does not answer") }
        }
      }
    } while StopRequest.ofProcess.madeAt == nil && wait.pause()
    let server = try cluster.server()
    if server.state != .absent { try endUnwritten(server, "was still recovering") }
  }

  private func endUnwritten(_ server: ServerProcess, _ why: String) throws(PrivateServerError) {
    try cluster.end(server, isWritten: false, tell: report.notice)
    report.notice(
      "The private PostgreSQL (\(server.words)) \(why) and was stopped at once; nothing is lost: its next"
        + " start recovers.")
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
