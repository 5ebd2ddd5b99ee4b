import Glibc
import PostgreSQL

/// The folder of the server's Unix socket.
///
/// Only the server's user and root can enter it.
struct SocketFolder: Sendable {
  /// Used only in the name of the socket's file: the server does not listen on a network.
  static let port = 5432

  let path: String

  var socket: String { "\(path)/.s.PGSQL.\(Self.port)" }

  /// Opens the folder `socket` in the state directory, and creates it if it does not exist.
  ///
  /// If that path is not fit for a socket, the folder has a short path under /tmp instead.
  init(of state: StateDirectory) throws(PrivateServerError) {
    let own = "\(state.path)/socket"
    path =
      Self.isFit(own)
      ? own : "/tmp/tieout-\(state.user.uid)-\(TextFingerprint.of([state.path]))"
    var status = stat()
    if lstat(path, &status) != 0 {
      // Created as the server's user, so that root cannot follow a link that another user placed
      // there.
      let words = try state.user.makeFolder(path)
      guard lstat(path, &status) == 0 else { throw unusable(words) }
    }
    // The name of the short path can be guessed.
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == state.user.uid else {
      throw unusable("it is not a folder of \(state.user.name)")
    }
    try state.user.close(folder: path)
  }

  /// The libpq connection string of this user's server.
  func connectionString(to user: ServerUser) -> String {
    // With requirepeer libpq checks that the server's process belongs to this user. The other
    // settings overrule environment variables that are meant for other servers and that a socket
    // cannot satisfy, or that libpq cannot read. libpq uses no TLS on a socket, but checks the
    // settings: of all modes it accepts only verify-full with each PGSSLROOTCERT.
    let peer = ConnectionText.quoted(user.name)
    return "host=\(path) port=\(Self.port) dbname=tieout user=tieout requirepeer=\(peer)"
      + " gssencmode=disable channel_binding=disable target_session_attrs=any"
      + " sslmode=verify-full ssl_min_protocol_version='' ssl_max_protocol_version=''"
  }

  /// Whether a socket can have this path, and libpq and the server read the path as one folder.
  static func isFit(_ folder: String) -> Bool {
    // sun_path holds 108 bytes, including the final zero.
    folder.utf8.count + "/.s.PGSQL.\(port)".utf8.count <= 107
      && folder.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !",'\"\\".utf8.contains($0) }
  }

  private func unusable(_ reason: String) -> PrivateServerError {
    PrivateServerError(
      .unusableDirectory, "The socket's folder \(path) cannot be used: \(reason)",
      remedy: "Remove what is there, or choose a shorter path for the state directory.")
  }
}
