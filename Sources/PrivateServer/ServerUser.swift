import Glibc
import Waiting

/// The operating system's user that the server runs as.
///
/// That is the user who runs the program; for root, whom PostgreSQL refuses, another one.
struct ServerUser: Sendable, Equatable {
  let name: String
  let uid: uid_t
  let gid: gid_t

  /// Whether the program must change to this user to act as it.
  var isAnother: Bool { uid != geteuid() }

  /// Whom root's server runs as: the first of these that is there.
  ///
  /// The first is for Tieout alone; the program's packages make it. Whoever runs another server as the second,
  /// which Debian's server package makes, can read this one's data, and so can whatever runs as the third.
  static let forRoot = ["tieout", "postgres", "nobody"]

  /// The user that a fresh cluster belongs to.
  static func forNewCluster(
    among names: [String] = forRoot
  ) throws(PrivateServerError) -> ServerUser {
    guard geteuid() == 0 else { return try ServerUser(uid: geteuid()) }
    for name in names {
      if let entry = getpwnam(name)?.pointee, entry.pw_uid != 0 { return ServerUser(entry) }
    }
    throw PrivateServerError(
      .cannotCreate,
      "PostgreSQL refuses to run as root, and there is no user \(names.joined(separator: " or "))",
      remedy: "Make one: useradd --system --user-group --shell /usr/sbin/nologin tieout")
  }

  /// The user of a number.
  init(uid: uid_t) throws(PrivateServerError) {
    guard let entry = getpwuid(uid)?.pointee else {
      throw PrivateServerError(
        .cannotCreate, "The user with the number \(uid) has no name, which PostgreSQL requires",
        remedy: "Run as a user of /etc/passwd, or name a database with --database.")
    }
    self.init(entry)
  }

  private init(_ entry: passwd) {
    name = String(cString: entry.pw_name)
    uid = entry.pw_uid
    gid = entry.pw_gid
  }

  /// Runs a program as this user; the parameters are those of ``ProgramRun``.
  func run(
    _ program: String, _ arguments: [String], input: String = "", holding lock: FileLock? = nil,
    atMost limit: Duration = Patience.program, afterStop: Duration = Patience.afterStop
  ) throws(PrivateServerError) -> ProgramRun {
    var words = [program] + arguments
    if isAnother {
      words = ["setpriv", "--reuid=\(uid)", "--regid=\(gid)", "--init-groups", "--"] + words
    }
    return try ProgramRun.run(
      words[0], Array(words[1...]), input: input, holding: lock, atMost: limit,
      afterStop: afterStop)
  }
}
