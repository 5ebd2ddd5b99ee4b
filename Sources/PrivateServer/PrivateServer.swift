import Glibc
import Synchronization

/// The PostgreSQL that the program keeps for itself, held in use.
///
/// Users are counted by a shared lock, which the kernel drops when a user dies. So a second command
/// neither fails nor loses the server to the end of the first, and the server of a killed run is found
/// running by the next one, which stops it at its own end.
public final class PrivateServer: Sendable {
  /// How libpq reaches the server.
  public let connectionString: String
  /// The folder of the server's programs, psql among them.
  public let programs: String
  /// The folder that holds cluster, socket, log and locks.
  public let stateDirectory: String

  private let startLock: FileLock
  private let usersLock: FileLock
  private let postmaster: Postmaster
  private let isOpen = Mutex(true)

  /// Finds the server, creates and starts it where needed, and holds it in use.
  ///
  /// The hold ends with `close()`, with the object or with the process.
  ///
  /// - Parameters:
  ///   - stateDirectory: where its state is kept; nil for the user's own place.
  ///   - programs: the folder of PostgreSQL's server programs; nil to find them.
  ///   - log: told what takes its time.
  public static func open(
    stateDirectory: String? = nil, programs: String? = nil,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(PrivateServerError) -> PrivateServer {
    let state = try StateDirectory(stateDirectory)
    let startLock = try FileLock(state.startLock, owner: state.user)
    try acquire(startLock, log: log)
    defer { startLock.release() }
    return try PrivateServer(state, programs: programs, startLock: startLock, log: log)
  }

  private init(
    _ state: StateDirectory, programs: String?, startLock: FileLock,
    log: @escaping @Sendable (String) -> Void
  ) throws(PrivateServerError) {
    let cluster = Cluster(folder: state.data, user: state.user)
    try ServerUpgrade.finish(in: state)
    try cluster.removeDrafts(holding: startLock)
    let chosen: ServerPrograms
    if cluster.exists {
      chosen = try ServerPrograms.serving(cluster, chosen: programs)
    } else {
      chosen = try ServerPrograms.installed(in: programs)[0]
      log("creating a private PostgreSQL \(chosen.majorVersion) in \(cluster.folder)")
      try cluster.create(with: chosen, holding: startLock)
    }
    let socketFolder = try SocketFolder(of: state)
    usersLock = try FileLock(state.usersLock, owner: state.user)
    try usersLock.acquire(.shared)
    postmaster = Postmaster(
      cluster: cluster, programs: chosen, socketFolder: socketFolder, logFile: state.log, log: log)
    try postmaster.start()
    self.startLock = startLock
    self.programs = chosen.directory
    stateDirectory = state.path
    // With requirepeer libpq itself sees that the server is the one whose socket this ought to be. The
    // last three are what the environment may ask of servers elsewhere, and a socket cannot give.
    connectionString =
      "host=\(socketFolder.path) port=\(SocketFolder.port) dbname=tieout user=tieout"
      + " requirepeer=\(Self.quoted(state.user.name))"
      + " gssencmode=disable channel_binding=disable target_session_attrs=any"
  }

  deinit { close() }

  /// A value as libpq's connection strings take it.
  private static func quoted(_ value: String) -> String {
    "'" + value.flatMap { "\\'".contains($0) ? ["\\", $0] : [$0] } + "'"
  }

  /// Ends the hold; the last user stops the server.
  ///
  /// A server that does not stop is told of in the log and harms nothing: the next user adopts it.
  public func close() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    do {
      try Self.acquire(startLock, log: postmaster.log)
      defer { startLock.release() }
      usersLock.release()
      guard usersLock.tryAcquire(.exclusive) else { return }
      defer { usersLock.release() }
      try postmaster.stop()
    } catch {
      usersLock.release()
      postmaster.log(error.description)
    }
  }

  /// Takes the start lock, and says so if that takes its time.
  static func acquire(
    _ lock: FileLock, log: @Sendable (String) -> Void
  ) throws(PrivateServerError) {
    for _ in 0..<20 {
      if lock.tryAcquire(.exclusive) { return }
      usleep(50_000)
    }
    log("waiting for another command that starts or stops the private PostgreSQL")
    try lock.acquire(.exclusive)
  }
}
