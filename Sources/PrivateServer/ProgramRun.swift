import Effects
import FileSystem
import Foundation
import Glibc
import Waiting

/// The result of a program that has ended.
struct ProgramRun {
  /// The exit status; if a signal ended the program, 128 plus the signal's number.
  let status: Int32
  /// Its standard output and standard error.
  let output: String

  var succeeded: Bool { status == 0 }

  /// Runs a program and waits for its end.
  ///
  /// A program that exceeds its time is ended.
  ///
  /// The program gets:
  ///
  /// - its own process group, so that Ctrl-C in the terminal cannot interrupt a server program,
  /// - the working directory `/`, which every user can enter,
  /// - only the environment variables that are needed to find programs and libraries, so that no
  ///   `PG…` variable changes its behaviour,
  /// - none of the caller's open files except `lock`, which it holds until it ends.
  ///
  /// - Parameters:
  ///   - input: Its standard input; at most 64 kB, the capacity of a pipe.
  ///   - limit: The longest time that it may take.
  ///   - afterStop: The time that it may continue after this process got a stop request.
  /// - Throws: ``PrivateServerError`` with `cannotStart` if it cannot be run, with `noAnswer` or
  ///   `stopped` if it was ended.
  static func run(
    _ program: String, _ arguments: [String], input: String = "", holding lock: FileLock? = nil,
    atMost limit: Duration = Patience.program, afterStop: Duration = Patience.afterStop
  ) throws(PrivateServerError) -> ProgramRun {
    let cannotRun = { (error: Int32) in
      PrivateServerError(
        .cannotStart, "\(program) cannot be run: \(systemErrorText(error))",
        remedy: "Check that it is installed and that this user may run programs.")
    }
    if let error = Effect.program.systemError(([program] + arguments).joined(separator: " ")) {
      return ProgramRun(status: 1, output: systemErrorText(error))
    }
    guard let source = Pipe(), let sink = Pipe(), source.fill(with: input) else {
      throw cannotRun(errno)
    }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, source.readEnd, 0)
    posix_spawn_file_actions_adddup2(&actions, sink.writeEnd, 1)
    posix_spawn_file_actions_adddup2(&actions, sink.writeEnd, 2)
    for descriptor in openDescriptors() where descriptor > 2 && descriptor != lock?.descriptor {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    if let lock { posix_spawn_file_actions_adddup2(&actions, lock.descriptor, lock.descriptor) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    // env takes a program with an equals sign in its path for a variable, and a shell does not.
    let isLikeVariable = program.utf8.contains(UInt8(ascii: "="))
    let shell = isLikeVariable ? ["sh", "-c", #"exec "$0" "$@""#] : []
    let words = ["env", "-C", "/"] + shell + [program] + arguments
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var environ: [UnsafeMutablePointer<CChar>?] = environment().map { strdup($0) } + [nil]
    defer { for word in argv + environ { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, "/usr/bin/env", &actions, &attributes, &argv, &environ)
    guard failure == 0 else { throw cannotRun(failure) }

    sink.handOver()
    var bytes: [UInt8] = []
    var wait = Wait(atMost: limit, afterStop: afterStop)
    while true {
      sink.read(into: &bytes, within: wait.nap())
      if let status = exitStatus(of: process) {
        // A child that still runs can keep the pipe open permanently, so only what is there is
        // read.
        sink.readRest(into: &bytes)
        return ProgramRun(status: status, output: String(decoding: bytes, as: UTF8.self))
      }
      guard let end = wait.end else { continue }
      stop(process)
      let name = URL(fileURLWithPath: program).lastPathComponent
      if end == .stop { throw .stopped("while \(name) was at work") }
      throw PrivateServerError(
        .noAnswer,
        "\(program) (process \(process)) did not end within \(limit.inSeconds), and was ended",
        remedy: "Find out why it did not end, and run again.")
    }
  }

  /// Ends a program and all processes of its process group.
  private static func stop(_ process: pid_t) {
    for signal in [SIGTERM, SIGKILL] {
      // The number cannot be reused before its status is read. A stopped process handles SIGTERM
      // only after SIGCONT.
      kill(-process, signal)
      kill(-process, SIGCONT)
      for _ in 0..<200 {
        if hasEnded(process) { break }
        usleep(10_000)
      }
    }
    // The last signal may need a moment.
    for _ in 0..<200 {
      if exitStatus(of: process) != nil { return }
      usleep(10_000)
    }
  }

  /// Whether the process has ended; its status can still be read.
  private static func hasEnded(_ process: pid_t) -> Bool {
    var information = siginfo_t()
    let answer = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    // Without a child the answer is an error. The number in the answer is 0 if the process still runs.
    return answer != 0 || information.si_signo != 0
  }

  /// The program's environment: no variable of PostgreSQL, and the locale C.
  private static func environment() -> [String] {
    let own = ProcessInfo.processInfo.environment
    return ["PATH", "LD_LIBRARY_PATH", "TMPDIR"].compactMap { name in
      own[name].map { "\(name)=\($0)" }
    } + ["LC_ALL=C"]
  }

  private static func openDescriptors() -> [Int32] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return names?.compactMap { Int32($0) } ?? []
  }

  /// The exit status; nil while the process runs.
  private static func exitStatus(of process: pid_t) -> Int32? {
    var status: Int32 = 0
    let ended = waitpid(process, &status, WNOHANG)
    if ended == 0 || ended < 0 && errno == EINTR { return nil }
    // If SIGCHLD is ignored, the kernel keeps no status. An unknown status is no success.
    guard ended == process else { return 255 }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}
