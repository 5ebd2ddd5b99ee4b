import CLinux
import Effects
import Glibc
import Waiting

/// The ways to end a server, the mildest first.
private enum Ending: CaseIterable {
  /// The server writes its memory to disk and ends (fast shutdown).
  case fast
  /// The server ends at once; its next start recovers what was not written (immediate shutdown).
  case immediate
  /// The kernel kills the server and its children.
  case killed

  var signal: Int32 {
    switch self {
    case .fast: SIGINT
    case .immediate: SIGQUIT
    case .killed: SIGKILL
    }
  }

  /// The longest wait for the end.
  ///
  /// After a stop request it is shorter.
  var wait: Wait {
    switch self {
    case .fast: Wait(atMost: Patience.shutdown, afterStop: Patience.afterStop)
    case .immediate, .killed: Wait(atMost: Patience.quit, afterStop: Patience.last)
    }
  }
}

extension DataFolder {
  /// Ends a server, in the mildest way first.
  ///
  /// A server that does not end in time is ended in the next way. No way loses committed data: the
  /// next start recovers it from the write-ahead log.
  ///
  /// - Parameters:
  ///   - isWritten: Whether to ask for a fast shutdown first, in which the server writes its memory
  ///     to disk. While PostgreSQL 15 recovers from the loss of a process, such a request never
  ///     ends it.
  ///   - tell: Called if the server was ended by force.
  /// - Throws: ``PrivateServerError`` with `cannotStop` if a process survived even that.
  func end(
    _ server: ServerProcess, isWritten: Bool, tell: (String) -> Void
  ) throws(PrivateServerError) {
    for way in Ending.allCases where isWritten || way != .fast {
      let targets = way == .killed ? [server] + (try processes()) : [server]
      // A server that is already stopping has got the signal before; it only needs a wait.
      if way != .fast || server.state != .stopping {
        for target in targets { try send(way.signal, to: target) }
      }
      let wait = way.wait
      if try isGone(server, allOfIt: way == .killed, wait) {
        guard way == .killed || way == .immediate && isWritten else { return }
        tell(
          "The private PostgreSQL (\(server.words)) did not stop by itself and was "
            + (way == .killed ? "killed" : "stopped at once")
            + "; nothing is lost: its next start recovers.")
        return
      }
    }
    throw cannotStop(try processes())
  }

  private func cannotStop(_ left: [ServerProcess]) -> PrivateServerError {
    let numbers = left.map { "\($0.number)" }.joined(separator: ", ")
    return PrivateServerError(
      .cannotStop,
      "The private PostgreSQL in \(path) was killed and does not end (processes \(numbers))",
      remedy: "They may wait for a disk that does not answer. Check the disk, and run again.")
  }

  /// Kills the processes that a server left when it ended.
  ///
  /// - Throws: ``PrivateServerError`` with `cannotStop` if a process survived even that.
  func endRemains(tell: (String) -> Void) throws(PrivateServerError) {
    let left = try processes()
    guard let first = left.first else { return }
    for process in left { try send(SIGKILL, to: process) }
    guard try isGone(first, allOfIt: true, Ending.killed.wait) else {
      throw cannotStop(try processes())
    }
    let numbers = left.map { "\($0.number)" }.joined(separator: ", ")
    tell("Processes of a killed private PostgreSQL had not ended, and were killed: \(numbers).")
  }

  /// Waits until a server is gone; false if it is not gone in time or is idle for too long.
  private func isGone(
    _ server: ServerProcess, allOfIt: Bool, _ begun: Wait
  ) throws(PrivateServerError) -> Bool {
    var wait = begun
    var idle = IdleTime()
    repeat {
      let now = try self.server()
      let left: [ServerProcess] =
        if now.number == server.number, now.start == server.start {
          [server]
        } else {
          allOfIt ? try processes() : []
        }
      if left.isEmpty { return true }
      // Examining all processes costs more than examining one, so it starts after a second.
      if wait.elapsed > .seconds(1), try idle.isLong(of: processes()) { return false }
    } while wait.pause()
    return false
  }

  /// Sends a signal to a process of the data folder.
  ///
  /// A different process that reuses its number gets no signal.
  private func send(_ signal: Int32, to process: ServerProcess) throws(PrivateServerError) {
    guard let number = pid_t(exactly: process.number), number > 0,
      Effect.signal.systemError("\(signal) to the server") == nil
    else { return }
    let file = tieoutOpenProcess(number)
    defer { if file >= 0 { close(file) } }
    // Checked after the file was opened: from then on the file refers to the process that was
    // found.
    guard ProcessStatus(of: process.number)?.start == process.start else { return }
    let result = file >= 0 ? tieoutSignalProcess(file, signal) : kill(number, signal)
    // In a container root may lack permissions that the server's user has.
    guard result != 0, errno == EPERM, user.isAnother else { return }
    _ = try user.run("kill", ["-\(signal)", "\(number)"])
  }
}

/// Measures how long a group of processes has been idle.
private struct IdleTime {
  private var used: UInt64?
  private var since = ContinuousClock.now

  /// Whether all processes have slept or been stopped for longer than a server needs to end.
  mutating func isLong(of processes: [ServerProcess]) -> Bool {
    let all = processes.compactMap { ProcessStatus(of: $0.number) }
    let sum = all.reduce(UInt64(all.count)) { $0 &+ $1.used }
    // State D waits for a disk, which can take long, so it is not idle.
    let isAsleep = all.allSatisfy { $0.state == "S" || $0.isStopped }
    if sum != used || !isAsleep {
      used = sum
      since = .now
    }
    return ContinuousClock.now - since >= Patience.idle
  }
}
