import CLinux
import Effects
import Glibc
import Waiting

/// How a server is told to end, from the mildest to the last.
private enum Ending: CaseIterable {
  /// It writes what it has in memory, and ends.
  case fast
  /// It ends at once; its next start recovers what it did not write.
  case immediate
  /// The system ends it, and what it started.
  case killed

  var signal: Int32 {
    switch self {
    case .fast: SIGINT
    case .immediate: SIGQUIT
    case .killed: SIGKILL
    }
  }

  /// How long it is waited for; after a wish to stop it may take a part of that.
  var wait: Wait {
    switch self {
    case .fast: Wait(atMost: Patience.shutdown, afterStop: Patience.afterStop)
    case .immediate, .killed: Wait(atMost: Patience.quit, afterStop: Patience.last)
    }
  }
}

extension Cluster {
  /// Ends a server, in the mild way first; what does not end in its time is ended by force.
  ///
  /// Nothing that was committed is lost in any of these ways: the next start recovers it from the journal.
  ///
  /// - Parameters:
  ///   - isWritten: Whether it is to write what it has in memory. PostgreSQL 15 never ends when it is asked for that
  ///     while it recovers from the loss of a process.
  ///   - tell: Told what was done by force.
  /// - Throws: ``PrivateServerError`` with `cannotStop` if some of it outlived even that.
  func end(
    _ server: ServerProcess, isWritten: Bool, tell: (String) -> Void
  ) throws(PrivateServerError) {
    for way in Ending.allCases where isWritten || way != .fast {
      let targets = way == .killed ? [server] + (try processes()) : [server]
      // One that is stopping already was told so before; it is only waited for.
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
    let left = try processes().map { "\($0.number)" }.joined(separator: ", ")
    throw PrivateServerError(
      .cannotStop,
      "The private PostgreSQL in \(folder) was killed and does not end (processes \(left))",
      remedy: "They may wait for a disk that does not answer. Check the disk, and run again.")
  }

  /// Kills what a server that is gone itself has left running.
  func endRemains(tell: (String) -> Void) throws(PrivateServerError) {
    let left = try processes()
    guard let first = left.first else { return }
    for process in left { try send(SIGKILL, to: process) }
    guard try isGone(first, allOfIt: true, Ending.killed.wait) else { return }
    let numbers = left.map { "\($0.number)" }.joined(separator: ", ")
    tell("Processes of a killed private PostgreSQL had not ended, and were killed: \(numbers).")
  }

  /// Waits until a server is gone.
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
      // To look at all of them costs more than to look at one.
      if wait.elapsed > .seconds(1), try idle.isLong(of: processes()) { return false }
    } while wait.pause()
    return false
  }

  /// Sends a signal to a process that was found to be the cluster's, and to no other that has got its number.
  private func send(_ signal: Int32, to process: ServerProcess) throws(PrivateServerError) {
    guard let number = pid_t(exactly: process.number), number > 0,
      Effect.signal.systemError("\(signal) to the server") == nil
    else { return }
    let file = tieoutOpenProcess(number)
    defer { if file >= 0 { close(file) } }
    // Asked after the file was opened: from here on it stands for the process that was found.
    guard ProcessStatus(of: process.number)?.start == process.start else { return }
    let result = file >= 0 ? tieoutSignalProcess(file, signal) : kill(number, signal)
    // In a container root may be forbidden what the server's user may do.
    guard result != 0, errno == EPERM, user.isAnother else { return }
    _ = try user.run("kill", ["-\(signal)", "\(number)"])
  }
}

/// For how long none of some processes has done anything.
private struct IdleTime {
  private var used: UInt64?
  private var since = ContinuousClock.now

  /// Whether they have all slept, or been stopped, for longer than a server that ends would.
  mutating func isLong(of processes: [ServerProcess]) -> Bool {
    let all = processes.compactMap { ProcessStatus(of: $0.number) }
    let sum = all.reduce(UInt64(all.count)) { $0 &+ $1.used }
    // D: it waits for a disk, which can take its time.
    let isAsleep = all.allSatisfy { $0.state == "S" || $0.isStopped }
    if sum != used || !isAsleep {
      used = sum
      since = .now
    }
    return ContinuousClock.now - since >= Patience.idle
  }
}
