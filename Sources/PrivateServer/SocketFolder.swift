import Glibc

/// The folder of the server's Unix socket, which nobody but its user (and root) can enter.
struct SocketFolder: Sendable {
  /// The port names the socket's file alone: the server listens on no network.
  static let port = 5432

  let path: String

  var socket: String { "\(path)/.s.PGSQL.\(Self.port)" }

  /// `socket` in the state directory, or a short folder under /tmp where that cannot be a socket's path.
  init(of state: StateDirectory, temporary: String = "/tmp") throws(PrivateServerError) {
    let own = "\(state.path)/socket"
    path =
      Self.isFit(own)
      ? own : "\(temporary)/tieout-\(state.user.uid)-\(Self.fingerprint(state.path))"
    var status = stat()
    if lstat(path, &status) != 0 {
      // As its user, so that root follows no link that another user laid.
      let words = try state.user.makeFolder(path)
      guard lstat(path, &status) == 0 else { throw unusable(words, user: state.user) }
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == state.user.uid else {
      throw unusable("it is not a folder of \(state.user.name)", user: state.user)
    }
    try state.user.close(folder: path)
  }

  /// How libpq reaches the server of this user.
  func connectionString(to user: ServerUser) -> String {
    // With requirepeer libpq itself sees that the server is the one whose socket this ought to be. The
    // last three are what the environment may ask of servers elsewhere, and a socket cannot give.
    "host=\(path) port=\(Self.port) dbname=tieout user=tieout requirepeer=\(Self.quoted(user.name))"
      + " gssencmode=disable channel_binding=disable target_session_attrs=any"
  }

  /// A value as libpq's connection strings take it.
  private static func quoted(_ value: String) -> String {
    "'" + value.flatMap { "\\'".contains($0) ? ["\\", $0] : [$0] } + "'"
  }

  /// Whether the system takes a socket at this path, and libpq and the server read it as one folder.
  static func isFit(_ folder: String) -> Bool {
    // sun_path holds 108 bytes with the closing zero.
    folder.utf8.count + "/.s.PGSQL.\(port)".utf8.count <= 107
      && folder.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !",'\"\\".utf8.contains($0) }
  }

  /// FNV-1a: short, the same on every machine, and nothing rests on its being hard to forge.
  private static func fingerprint(_ path: String) -> String {
    let hash = path.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }

  private func unusable(_ reason: String, user: ServerUser) -> PrivateServerError {
    PrivateServerError(
      .unusableDirectory, "The socket's folder \(path) cannot be used: \(reason)",
      remedy: "Remove what is there, or choose a shorter path for the state directory.")
  }
}
