import Dispatch
import Glibc
import Synchronization
import Waiting

/// Handles SIGTERM, SIGINT and SIGHUP as stop requests during the whole command.
enum StopSignals {
  /// The phase of the command.
  private enum Phase {
    /// There is nothing to undo, because the work has not begun or only reads: the program can exit
    /// at once.
    case before
    /// There are changes to undo and perhaps a server to stop.
    case atWork
    /// The work is done; the output is being printed, or the monitor is being told.
    case after
  }

  private static let phase = Mutex(Phase.before)
  /// The exit status of the work, as soon as it is known.
  private static let status = Mutex<Int32?>(nil)
  private static let isCutShort = Mutex(false)
  private static let hearsInterrupts = Mutex(true)
  private static let queue = DispatchQueue(label: "signals")

  /// Handles the signals from now on.
  ///
  /// Call it once, before there is another thread.
  ///
  /// The signals are blocked, and a thread waits for them. So no signal is lost, and none
  /// interrupts a system call.
  ///
  /// - Throws: `ThreadError`; then nobody would hear the signals.
  static func listen() throws(ThreadError) {
    // A broken connection is an error of its SQL statement and does not end the program.
    signal(SIGPIPE, SIG_IGN)
    // A file that reaches the limit of its size (ulimit -f) is an error of its write.
    signal(SIGXFSZ, SIG_IGN)
    // If the caller ignores SIGCHLD, the kernel keeps no exit status of child processes.
    signal(SIGCHLD, SIG_DFL)
    var heard = sigset_t()
    unsafe sigemptyset(&heard)
    unsafe sigaddset(&heard, SIGTERM)
    for number in [SIGINT, SIGHUP] where !isIgnored(number) { unsafe sigaddset(&heard, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &heard, nil)
    try startThread { [heard] in
      var heard = heard
      var number: Int32 = 0
      while unsafe sigwait(&heard, &number) == 0 { hear(number) }
    }
  }

  /// Whether the caller wants a signal to be ignored, as `nohup` does with SIGHUP, and a script with
  /// the SIGINT of a program that it starts with `&`.
  ///
  /// Linux keeps a blocked signal pending even if it is ignored, so `sigwait` would return it.
  private static func isIgnored(_ number: Int32) -> Bool {
    let handler = signal(number, SIG_DFL)
    guard unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) else {
      return false
    }
    signal(number, SIG_IGN)
    return true
  }

  /// Does work that a stop request has to end; it may be a part of such work.
  static func whileAtWork<Result>(_ body: () throws -> Result) rethrows -> Result {
    let isPart = phase.withLock { phase in
      defer { phase = .atWork }
      return phase == .atWork
    }
    defer { if !isPart { phase.withLock { $0 = .after } } }
    return try body()
  }

  /// Prints what the work has done, as a part of the work.
  ///
  /// If a signal comes meanwhile and nobody reads the output, the program ends with this status.
  static func whileTelling<Result>(status known: Int32, _ body: () -> Result) -> Result {
    keep(status: known)
    phase.withLock { $0 = .after }
    defer { phase.withLock { $0 = .atWork } }
    return body()
  }

  /// Records the exit status of the work, which is also the status if a signal ends the program
  /// after the work.
  static func keep(status known: Int32) { status.withLock { $0 = known } }

  /// Whether a signal came after the work, so that nothing else is waited for.
  static var areHeardAfterWork: Bool { isCutShort.withLock { $0 } }

  /// Ignores SIGINT while `body` runs another program in the same terminal.
  static func leavingInterrupts<Result>(_ body: () throws -> Result) rethrows -> Result {
    hearsInterrupts.withLock { $0 = false }
    defer { hearsInterrupts.withLock { $0 = true } }
    return try body()
  }

  private static func hear(_ number: Int32) {
    if number == SIGINT, !hearsInterrupts.withLock({ $0 }) { return }
    switch phase.withLock({ $0 }) {
    case .before:
      end("Stopped before anything changed. Start it again.")
    case .atWork:
      StopRequest.ofProcess.make()
      queue.asyncAfter(deadline: .now() + .seconds(Int(Patience.last.components.seconds))) {
        if phase.withLock({ $0 == .after }) { endAfterWork() }
        end(
          """
          The work did not end within \(Patience.last.inSeconds) after the signal, so the command was ended. The next \
          command cleans up. Start it again.
          """)
      }
    case .after:
      isCutShort.withLock { $0 = true }
      queue.asyncAfter(deadline: .now() + .seconds(1)) {
        // The output may be printed, and the private server has to be stopped.
        guard phase.withLock({ $0 == .after }) else { return }
        endAfterWork()
      }
    }
  }

  /// Ends the process with the status of the work.
  ///
  /// The program usually exits earlier. It does not if nobody reads its output or a monitor does
  /// not answer.
  private static func endAfterWork() -> Never {
    end("Stopped after the work was done.", status.withLock { $0 } ?? 75)
  }

  /// Ends the process at once, with one line if standard error accepts it.
  private static func end(_ words: String, _ status: Int32 = 75) -> Never {
    let line = Array("tieout: \(words)\n".utf8)
    var errors = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    if unsafe poll(&errors, 1, 0) == 1 { unsafe _ = write(STDERR_FILENO, line, line.count) }
    _exit(status)
  }
}
