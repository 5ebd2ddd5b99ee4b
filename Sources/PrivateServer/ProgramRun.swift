import Foundation
import Effects
import Glibc
import Waiting

/// One program that was run to its end.
struct ProgramRun {
  /// The exit status; 128 and the signal's number for one that a signal ended.
  let status: Int32
  /// What it wrote to standard output and standard error.
  let output: String

  var succeeded: Bool { status == 0 }

  /// Runs a program and waits for its end; one that does not end is ended.
  ///
  /// It gets a process group of its own, so that the terminal's Ctrl-C cannot end a server program half
  /// way; `/` as its working directory, which every user can enter; and none of the caller's
  /// environment but what finding programs and libraries needs, so that no `PG…` variable bends it.
  /// Of the caller's open files it gets none but `lock`, which it then holds for as long as it lives.
  ///
  /// - Parameters:
  ///   - input: what it reads from standard input; at most what a pipe holds, 64 kB.
  ///   - limit: how long it may take.
  ///   - afterStop: how long it may go on after this process was told to stop.
  /// - Throws: ``PrivateServerError`` with `cannotStart` if it cannot be run, with `noAnswer` or `stopped` if it was
  ///   ended.
  static func run(
    _ program: String, _ arguments: [String], input: String = "", holding lock: FileLock? = nil,
    atMost limit: Duration = Patience.program, afterStop: Duration = Patience.afterStop
  ) throws(PrivateServerError) -> ProgramRun {
    let cannotRun = { (error: Int32) in
      PrivateServerError(
        .cannotStart, "\(program) cannot be run: \(errorText(error))",
        remedy: "Check that it is installed and that this user may run programs.")
    }
    if let error = Effect.program.systemError(([program] + arguments).joined(separator: " ")) {
      return ProgramRun(status: 1, output: errorText(error))
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

    let words = ["env", "-C", "/", program] + arguments
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
        // What it left running may hold the pipe open for ever.
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

  /// Ends a program and all that it started in its process group.
  private static func stop(_ process: pid_t) {
    for signal in [SIGTERM, SIGKILL] {
      // Its number is its own until its status was taken; SIGCONT, as one that was stopped hears nothing.
      kill(-process, signal)
      kill(-process, SIGCONT)
      for _ in 0..<200 {
        if exitStatus(of: process) != nil { return }
        usleep(10_000)
      }
    }
  }

  /// What the program sees of the environment: nothing of PostgreSQL's, and no language but C.
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

  /// The exit status; nil: it has not ended.
  private static func exitStatus(of process: pid_t) -> Int32? {
    var status: Int32 = 0
    let ended = waitpid(process, &status, WNOHANG)
    if ended == 0 || ended < 0 && errno == EINTR { return nil }
    // Somebody who ignores SIGCHLD has taken the status; then nothing is known but that it ended.
    guard ended == process else { return 0 }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

/// The operating system's words for an error number.
func errorText(_ number: Int32) -> String {
  String(cString: strerror(number))
}
