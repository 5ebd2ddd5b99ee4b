import Dispatch
import Foundation
import Glibc
import Synchronization
import Waiting

/// Handles SIGTERM, SIGINT and SIGHUP as stop requests during the whole command.
enum StopSignals {
  /// The phase of the command.
  private enum Phase {
    /// The work has not begun: the program can exit at once.
    case before
    /// There are changes to undo and perhaps a server to stop.
    case atWork
    /// The work is done; the output is being printed.
    case after
  }

  private static let phase = Mutex(Phase.before)
  private static let hearsInterrupts = Mutex(true)
  private static let queue = DispatchQueue(label: "signals")

  /// Handles the signals from now on.
  ///
  /// Call it once, before there is another thread.
  ///
  /// The signals are blocked, and a thread waits for them. So no signal is lost, and none
  /// interrupts a system call.
  static func listen() {
    // A broken connection is an error of its SQL statement and does not end the program.
    signal(SIGPIPE, SIG_IGN)
    // A file that reaches the limit of its size (ulimit -f) is an error of its write.
    signal(SIGXFSZ, SIG_IGN)
    // If the caller ignores SIGCHLD, the kernel keeps no exit status of child processes.
    signal(SIGCHLD, SIG_DFL)
    var heard = sigset_t()
    unsafe sigemptyset(&heard)
    for number in [SIGTERM, SIGINT] { unsafe sigaddset(&heard, number) }
    if !isIgnored(SIGHUP) { unsafe sigaddset(&heard, SIGHUP) }
    unsafe pthread_sigmask(SIG_BLOCK, &heard, nil)
    Thread.detachNewThread { [heard] in
      var heard = heard
      var number: Int32 = 0
      while unsafe sigwait(&heard, &number) == 0 { hear(number) }
    }
  }

  /// Whether the caller wants a signal to be ignored, as `nohup` does with SIGHUP.
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

  /// Does work that a stop request has to undo.
  static func whileAtWork<Result>(_ body: () throws -> Result) rethrows -> Result {
    phase.withLock { $0 = .atWork }
    defer { phase.withLock { $0 = .after } }
    return try body()
  }

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
      end("Stopped before the work began. Start it again.")
    case .atWork:
      StopRequest.ofProcess.make()
      queue.asyncAfter(deadline: .now() + .seconds(Int(Patience.last.components.seconds))) {
        end(
          """
          Stopped, although the work did not end within \(Patience.last.inSeconds). The next command cleans up. \
          Start it again.
          """)
      }
    case .after:
      // The program usually exits earlier. It does not if nobody reads its output.
      queue.asyncAfter(deadline: .now() + .seconds(1)) {
        end("Stopped because the output was not read. The work is done.")
      }
    }
  }

  /// Ends the process at once, with one line if standard error accepts it.
  private static func end(_ words: String) -> Never {
    let line = Array("tieout: \(words)\n".utf8)
    var errors = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    if unsafe poll(&errors, 1, 0) == 1 { unsafe _ = write(STDERR_FILENO, line, line.count) }
    _exit(75)
  }
}
