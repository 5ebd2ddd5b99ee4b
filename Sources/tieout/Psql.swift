import FileSystem
import Foundation
import Glibc
import Runs
import Waiting

/// psql as a child in the same terminal.
enum Psql {
  /// The option of a session that sets the search path.
  static let searchPath = "-c search_path=tieout"

  /// Runs psql and waits for it.
  ///
  /// psql stays in the program's process group, so that it can read from the terminal. While it
  /// runs, the interrupt key is for psql alone. A stop request to the program also stops psql.
  ///
  /// - Parameters:
  ///   - password: Given to psql in its environment, which its user alone can read.
  ///   - setsSearchPath: Whether the search path is set; PgBouncer refuses a connection with it.
  ///   - programs: The folder of the server's programs, which is searched if `PATH` has no psql.
  /// - Returns: psql's exit status.
  /// - Throws: ``MissingProgram`` if there is no psql, or if it cannot be started.
  static func run(
    arguments: [String], password: String?, setsSearchPath: Bool, orIn programs: String?
  ) throws -> Int32 {
    // The current environment, without secrets.
    var variables = ProcessInfo.processInfo.environment
    variables[ProgramEnvironment.passwordVariable] = password
    if setsSearchPath {
      // Keeps the user's PGOPTIONS. psql's startup file may set more.
      let options = variables["PGOPTIONS"].map { "\($0) " } ?? ""
      variables["PGOPTIONS"] = "\(options)\(searchPath)"
    }
    var words: [UnsafeMutablePointer<CChar>?] = unsafe (["psql"] + arguments).map {
      unsafe strdup($0)
    }
    unsafe words.append(nil)
    var environment: [UnsafeMutablePointer<CChar>?] = unsafe variables.map {
      unsafe strdup("\($0.key)=\($0.value)")
    }
    unsafe environment.append(nil)
    defer { unsafe (words + environment).forEach { unsafe free($0) } }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] {
      unsafe sigaddset(&defaults, number)
    }
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var child: pid_t = 0
    var code = unsafe posix_spawnp(&child, "psql", nil, &attributes, &words, &environment)
    if code == ENOENT, let programs {
      // psql looks for its own file under the name by which it was started.
      unsafe free(words[0])
      let path = "\(programs)/psql"
      unsafe words[0] = unsafe strdup(path)
      code = unsafe posix_spawn(&child, path, nil, &attributes, &words, &environment)
    }
    guard code == 0 else {
      throw MissingProgram(
        code == ENOENT
          ? "psql is not installed. Install it: apt-get install postgresql-client"
          : "psql cannot be started: \(systemErrorText(code)).")
    }
    return try end(of: child)
  }

  /// Waits for psql without a limit, because a person works in it.
  ///
  /// - Throws: ``ReconciliationError`` with `stopped`, when psql has ended.
  private static func end(of child: pid_t) throws -> Int32 {
    var status: Int32 = 0
    var nap: UInt32 = 0
    var told = 0
    while true {
      let ended = unsafe waitpid(child, &status, WNOHANG)
      if ended == child { break }
      // There is no status to read, so the end of psql is not known to be a success.
      if ended == -1, errno != EINTR { return 255 }
      if let madeAt = StopRequest.ofProcess.madeAt {
        // psql gets SIGKILL if it does not end three seconds after SIGTERM.
        if told == 0 { kill(child, SIGTERM) }
        if told < 2, ContinuousClock.now - madeAt > .seconds(3) {
          kill(child, SIGKILL)
          told = 2
        }
        told = max(told, 1)
      }
      nap = min(50, nap + 1)
      usleep(nap * 1000)
    }
    guard told == 0 else {
      throw ReconciliationError(
        .stopped, "Stopped: psql was ended, and its uncommitted changes are undone.")
    }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }
}

/// A program that is not installed.
struct MissingProgram: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
