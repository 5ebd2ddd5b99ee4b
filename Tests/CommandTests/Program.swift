import Foundation
import Glibc

/// The built program, started as a child process as a user or cron starts it.
final class Program {
  /// How a process of the program ended.
  struct Ended {
    /// The exit status; 128 plus the signal's number for a killed process.
    let status: Int32
    /// The text on standard output.
    let output: String
    /// The text on standard error.
    let errors: String
  }

  /// The path of the program: the one that `TIEOUT_TEST_PROGRAM` names, such as a build with a
  /// sanitizer, or the one that was built beside the tests.
  static let path: String = {
    if let named = ProcessInfo.processInfo.environment["TIEOUT_TEST_PROGRAM"] { return named }
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: "tieout").path
  }()

  /// The process ID.
  let process: pid_t
  private let folder: URL

  /// Starts the program with these arguments and this environment, in this folder.
  ///
  /// - Parameter prefix: The words before the program's path, such as a command that starts the
  ///   program.
  convenience init(
    _ arguments: [String], environment: [String: String], in workingFolder: String,
    prefix: [String] = []
  ) throws {
    // The tests are about fixed days, whatever the clock of the machine says.
    let anyDay = ["TIEOUT_ALLOW_FUTURE": "true"]
    // Each command replaces itself with the next one, so the process ID stays the same.
    try self.init(
      running: ["env", "--chdir=\(workingFolder)"] + prefix + [Self.path] + arguments,
      environment: anyDay.merging(environment) { $1 })
  }

  /// Starts any program.
  ///
  /// Foundation's `Process` would wait for processes that the program leaves behind, such as a
  /// server.
  init(running words: [String], environment: [String: String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "said-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (descriptor, name) in [(Int32(1), "output"), (2, "errors")] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, folder.appending(path: name).path, O_WRONLY | O_CREAT | O_APPEND,
        0o600)
    }
    // Other tests run at the same time. A child that kept the end of one of their pipes, or of a
    // socket with which Foundation waits for a process, would let them wait for its own end.
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    for descriptor in names.compactMap({ Int32($0) }) where descriptor > 2 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    // When coverage is measured, `LLVM_PROFILE_FILE` of this process names the folder. A thousand
    // child processes share a few files in it. They do not share the files of this process, because
    // the test runner reads those, and a killed child process can damage a file.
    var environment = environment
    if let profile = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] {
      let place = URL(filePath: profile).deletingLastPathComponent().path
      environment["LLVM_PROFILE_FILE"] = "\(place)/programs/%4m.profraw"
    }
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in arguments + variables { free(word) } }
    // The tests may run in the background or with nohup, which ignore some signals.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGHUP, SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var child: pid_t = 0
    let result = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &variables)
    guard result == 0 else { throw CocoaError(.executableLoad) }
    process = child
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Sends a signal.
  func send(_ signal: Int32) {
    kill(process, signal)
  }

  /// The text on standard error so far.
  func said() throws -> String {
    try String(decoding: Data(contentsOf: folder.appending(path: "errors")), as: UTF8.self)
  }

  /// Waits for the end of the process.
  ///
  /// It can be called only once.
  func ended() throws -> Ended {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    let said = try ["output", "errors"].map { name in
      try String(decoding: Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }
    return Ended(
      status: status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f),
      output: said[0], errors: said[1])
  }
}
