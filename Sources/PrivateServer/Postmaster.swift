import PostgreSQL
import Waiting

/// The server process of one data folder.
///
/// It is examined, started and stopped while the start lock is held.
struct Postmaster {
  let dataFolder: DataFolder
  let programs: ServerPrograms
  let socketFolder: SocketFolder
  let state: StateDirectory
  /// Receives messages about the server's state.
  let report: ServerReport

  /// The longest time from the launch of a server to its `postmaster.pid`, on an overloaded
  /// machine.
  private static let launch: Duration = .seconds(60)

  /// Starts the server unless it already runs, and waits until it accepts connections.
  ///
  /// - Parameter isFree: Whether nobody else uses the server. Only then may a server that does not
  ///   answer be ended.
  func start(isFree: () throws(PrivateServerError) -> Bool) throws(PrivateServerError) {
    var wait = Wait(atMost: Patience.recovery)
    var silence: Wait?
    // The launched server that has not reported yet: its wait, its start in the log, whether its
    // process was seen.
    var launched: (wait: Wait, position: Int, isSeen: Bool)?
    var failures = 0
    var isTold = false
    repeat {
      let server = try dataFolder.server()
      if !isTold, wait.elapsed > .seconds(5) {
        report.notice(
          "Waiting for the private PostgreSQL (\(server.words)) to start, recover or stop.")
        isTold = true
      }
      switch server.state {
      case .absent:
        if let pending = launched, !pending.isSeen, pending.wait.elapsed < Self.launch { continue }
        var words = ""
        let position = launched?.position ?? log.size
        if launched == nil {
          guard let output = try launch() else { continue }
          words = output
          if words.contains("did not start in time") {
            launched = (Wait(atMost: Self.launch), position, false)
            continue
          }
          guard try dataFolder.server().state == .absent else { continue }
        }
        launched = nil
        failures += 1
        try clear("\(words)\n\(log.tail(from: position))", after: failures)
      case .stopping:
        // The process that stopped it may be dead, and the server may never end by itself.
        try dataFolder.end(server, isWritten: true, tell: report.notice)
      case .starting, .ready:
        launched?.isSeen = true
        let sign = try sign
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
      "The private PostgreSQL (\(try dataFolder.server().words)) accepts no connections after"
        + " \(Patience.recovery.inSeconds). It may still be recovering and was not stopped",
      remedy: "See \(log.path), and run again later.")
  }

  private var log: ServerLog { ServerLog(path: state.log, user: state.user) }

  /// The server's answer to a connection attempt.
  private var sign: ServerSign {
    get throws(PrivateServerError) {
      let connectionString = socketFolder.connectionString(to: dataFolder.user)
      let sign: ServerSign
      do throws(ThreadError) { sign = try ServerSign(of: connectionString) } catch {
        throw PrivateServerError(.noThread, error.problem, remedy: error.remedy)
      }
      guard sign != .notTried else {
        throw PrivateServerError(
          .cannotStart,
          "libpq cannot use its settings, so it does not connect to the private PostgreSQL in"
            + " \(dataFolder.path)",
          remedy: "Correct or remove libpq's environment variables: env | grep ^PG lists them.")
      }
      return sign
    }
  }

  /// Ends a server whose `postmaster.pid` says that it is ready, but that does not answer.
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
        + " it is ended and started again.")
    try dataFolder.end(server, isWritten: false, tell: report.notice)
  }

  /// Prepares another start after a failed one.
  ///
  /// Throws if the failure is not a passing effect of a killed server.
  private func clear(_ words: String, after failures: Int) throws(PrivateServerError) {
    guard StartFailure.isPassing(words), failures < 20 else {
      throw cannotStart(words)
    }
    // The processes of a killed server usually end within a moment, but they can hang.
    var wait = Wait(atMost: .seconds(1))
    while try !dataFolder.processes().isEmpty, wait.pause() {}
    if failures == 10 { try dataFolder.endRemains(tell: report.notice) }
  }

  /// Removes the files that a killed server left, and starts a new server with pg_ctl.
  ///
  /// - Returns: The output of pg_ctl; nil if a server has appeared that a killed command launched.
  /// - Throws: ``PrivateServerError`` with `busy` if there is a server that is not visible here:
  ///   two servers on the same files would destroy them.
  private func launch() throws(PrivateServerError) -> String? {
    if try sign != .silent {
      guard try dataFolder.server().state == .absent else { return nil }
      throw isElsewhere
    }
    // The new server inherits the lock.
    guard let lock = try takeServerLock() else { return nil }
    // The process number in these files can belong to another process now. PostgreSQL cannot see
    // that.
    try dataFolder.user.remove(
      files: [dataFolder.processFile, socketFolder.socket, "\(socketFolder.socket).lock"])
    try dataFolder.configure(socketFolder: socketFolder.path)
    if log.size > 10 * Machine.megabyte {
      try dataFolder.user.move(log.path, to: "\(log.path).1")
    }
    report.info("starting the private PostgreSQL in \(dataFolder.path)")
    // pg_ctl waits for three seconds only. The caller's own wait can be stopped.
    return try dataFolder.user.run(
      programs.path("pg_ctl"),
      ["start", "-l", log.path, "-t", "3", "-D", dataFolder.path, "-w", "-s"], holding: lock
    ).output
  }

  /// Takes the lock that the processes of the last server held until they ended.
  ///
  /// It also shows processes that are not visible here, such as those of another container.
  ///
  /// - Returns: The lock; nil if a server has appeared.
  private func takeServerLock() throws(PrivateServerError) -> FileLock? {
    let lock = try FileLock(state.serverLock, owner: state.user)
    var wait = Wait(atMost: Patience.quit)
    var areEnded = false
    while !lock.tryAcquire() {
      if try dataFolder.server().state != .absent { return nil }
      if wait.pause() { continue }
      guard wait.end != .stop else {
        throw .stopped("while waiting for the last processes of the private PostgreSQL")
      }
      // The processes of a killed server can hang.
      guard !areEnded, try !dataFolder.processes().isEmpty else { throw isElsewhere }
      try dataFolder.endRemains(tell: report.notice)
      areEnded = true
      wait = Wait(atMost: Patience.quit)
    }
    return lock
  }

  /// The error for a server that is not visible here.
  private var isElsewhere: PrivateServerError {
    PrivateServerError(
      .busy,
      "The private PostgreSQL in \(dataFolder.path) is used by a process that this one cannot see,"
        + " for example in another container",
      remedy: "Nothing changed. Run the command there, or run it again when that process has ended."
        + " A server that no command uses ends with its container, or with the next command there.")
  }

  /// Stops the server, and waits until it is gone.
  ///
  /// If the server is recovering, the stop waits for the recovery. If that takes too long, or the
  /// process gets a stop request, the server is stopped at once and recovers at its next start.
  func stop() throws(PrivateServerError) {
    var wait = Wait(atMost: Patience.recovery)
    var silence: Wait?
    repeat {
      let server = try dataFolder.server()
      switch server.state {
      case .absent: return
      case .stopping: return try dataFolder.end(server, isWritten: true, tell: report.notice)
      case .starting, .ready:
        switch try sign {
        case .takesConnections:
          return try dataFolder.end(server, isWritten: true, tell: report.notice)
        case .refuses: silence = nil
        case .silent, .notTried:
          let silent = silence ?? Wait(atMost: Patience.answer)
          silence = silent
          if silent.end != nil { return try endUnwritten(server, "does not answer") }
        }
      }
    } while StopRequest.ofProcess.madeAt == nil && wait.pause()
    let server = try dataFolder.server()
    if server.state != .absent { try endUnwritten(server, "was still recovering") }
  }

  private func endUnwritten(_ server: ServerProcess, _ why: String) throws(PrivateServerError) {
    try dataFolder.end(server, isWritten: false, tell: report.notice)
    report.notice(
      "The private PostgreSQL (\(server.words)) \(why) and was stopped at once; nothing is lost: its next"
        + " start recovers.")
  }

  private func cannotStart(_ words: String) -> PrivateServerError {
    PrivateServerError(
      .cannotStart,
      "The private PostgreSQL in \(dataFolder.path) does not start:\n\(words.lastLines(15))",
      remedy: remedy(for: words, in: dataFolder.path) + "\nIts log is \(log.path).")
  }
}
