import Glibc

/// The operating system's user that the server runs as.
///
/// That is the user who runs the program; for root, whom PostgreSQL refuses, another one.
struct ServerUser: Sendable, Equatable {
  let name: String
  let uid: uid_t
  let gid: gid_t

  /// Whether the program must change to this user to act as it.
  var isAnother: Bool { uid != geteuid() }

  /// The user that a fresh cluster belongs to.
  static func forNewCluster() throws(PrivateServerError) -> ServerUser {
    guard geteuid() == 0 else { return try ServerUser(uid: geteuid()) }
    // Debian's server package makes the first; the second is everywhere.
    for name in ["postgres", "nobody"] {
      if let entry = getpwnam(name)?.pointee, entry.pw_uid != 0 { return ServerUser(entry) }
    }
    throw PrivateServerError(
      .cannotCreate, "PostgreSQL refuses to run as root, and there is no user postgres or nobody",
      remedy: "Make one: adduser --system --group postgres")
  }

  /// The user of a number.
  init(uid: uid_t) throws(PrivateServerError) {
    guard let entry = getpwuid(uid)?.pointee else {
      throw PrivateServerError(
        .cannotCreate, "The user with the number \(uid) has no name, which PostgreSQL requires",
        remedy: "Run as a user of /etc/passwd, or name a database of your own.")
    }
    self.init(entry)
  }

  private init(_ entry: passwd) {
    name = String(cString: entry.pw_name)
    uid = entry.pw_uid
    gid = entry.pw_gid
  }

  /// Runs a program as this user.
  func run(
    _ program: String, _ arguments: [String], input: String = "", holding lock: FileLock? = nil
  ) throws(PrivateServerError) -> ProgramRun {
    guard isAnother else {
      return try ProgramRun.run(program, arguments, input: input, holding: lock)
    }
    let change = ["--reuid=\(uid)", "--regid=\(gid)", "--init-groups", "--", program]
    return try ProgramRun.run("setpriv", change + arguments, input: input, holding: lock)
  }
}
