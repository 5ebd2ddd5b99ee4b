import Glibc
import Waiting

/// The operating system's user that the server runs as.
///
/// This is the user who runs the program. PostgreSQL refuses to run as root; for root it is another
/// user.
struct ServerUser: Sendable, Equatable {
  let name: String
  let uid: uid_t
  let gid: gid_t

  /// Whether the program must change to this user to act with this user's rights.
  var isAnother: Bool { uid != geteuid() }

  /// Users for a server that root starts, in order: the first one that exists is used.
  ///
  /// The first is for Tieout alone; the program's packages create it. The second is created by
  /// Debian's server package: anyone who runs another server as that user can read this server's
  /// data. So can every program that runs as the third.
  static let forRoot = ["tieout", "postgres", "nobody"]

  /// The user that owns a new data folder.
  static func forNewDataFolder(
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

  /// The user with a number.
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
