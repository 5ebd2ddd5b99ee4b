import Foundation
import Glibc

/// psql as a child in the same terminal.
enum Psql {
  /// Runs psql and waits for it.
  ///
  /// It stays in the program's process group, so that it may read from the terminal; the interrupt key
  /// is psql's while it runs.
  ///
  /// - Parameter password: Given to psql in its environment, which its user alone can read.
  /// - Returns: psql's exit status; 127 if there is no psql.
  static func run(arguments: [String], password: String?) throws -> Int32 {
    if let password { unsafe setenv("PGPASSWORD", password, 1) }
    // psql's own startup file may say more; PGOPTIONS of the user's own is kept.
    let options = ProcessInfo.processInfo.environment["PGOPTIONS"].map { "\($0) " } ?? ""
    unsafe setenv("PGOPTIONS", "\(options)-c search_path=tieout,public", 1)
    let before = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, before) }
    var words: [UnsafeMutablePointer<CChar>?] = unsafe (["psql"] + arguments).map {
      unsafe strdup($0)
    }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGINT)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var child: pid_t = 0
    guard unsafe posix_spawnp(&child, "psql", nil, &attributes, &words, environ) == 0 else {
      throw MissingProgram(
        "psql was not found. Install it: apt-get install postgresql-client")
    }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) == -1, errno == EINTR {}
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
