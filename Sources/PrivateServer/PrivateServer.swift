import Glibc
import Synchronization
import Waiting

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
  ///   - notice: told what somebody should know: who is waited for, and what was ended by force.
  /// - Throws: ``PrivateServerError``, with `busy` if another process does not let it, and with `stopped` if the
  ///   process was told to stop meanwhile.
  public static func open(
    stateDirectory: String? = nil, programs: String? = nil,
    log: @escaping @Sendable (String) -> Void = { _ in },
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(PrivateServerError) -> PrivateServer {
    guard !StopRequest.ofProcess.isMade else {
      throw .stopped("before the private PostgreSQL was opened")
    }
    let state = try StateDirectory(stateDirectory)
    let startLock = try FileLock(state.startLock, owner: state.user)
    try startLock.acquire(.exclusive, atMost: Patience.startLock, tell: notice)
    defer { startLock.release() }
    return try PrivateServer(
      state, programs: programs, startLock: startLock,
      report: ServerReport(info: log, notice: notice))
  }

  private init(
    _ state: StateDirectory, programs: String?, startLock: FileLock, report: ServerReport
  ) throws(PrivateServerError) {
    let cluster = Cluster(folder: state.data, user: state.user)
    try ServerUpgrade.finish(in: state, tell: report.notice)
    try cluster.removeDrafts(holding: startLock)
    let chosen: ServerPrograms
    if cluster.exists {
      chosen = try ServerPrograms.serving(cluster, chosen: programs)
    } else {
      chosen = try ServerPrograms.installed(in: programs)[0]
      report.info("creating a private PostgreSQL \(chosen.majorVersion) in \(cluster.folder)")
      try cluster.create(with: chosen, holding: startLock)
    }
    let socketFolder = try SocketFolder(of: state)
    let usersLock = try FileLock(state.usersLock, owner: state.user)
    // Nobody holds it alone without the start lock.
    try usersLock.acquire(.shared, atMost: Patience.closing, tell: report.notice)
    let postmaster = Postmaster(
      cluster: cluster, programs: chosen, socketFolder: socketFolder, logFile: state.log,
      report: report)
    do throws(PrivateServerError) {
      try postmaster.start { () throws(PrivateServerError) in
        let isFree = usersLock.tryAcquire(.exclusive)
        try usersLock.acquire(.shared, atMost: Patience.closing, tell: report.notice)
        return isFree
      }
    } catch {
      // A server that nobody will use is not left running.
      if error.code == .stopped, usersLock.tryAcquire(.exclusive) { try? postmaster.stop() }
      throw error
    }
    self.usersLock = usersLock
    self.postmaster = postmaster
    self.startLock = startLock
    self.programs = chosen.directory
    stateDirectory = state.path
    connectionString = socketFolder.connectionString(to: state.user)
  }

  deinit { close() }

  /// Ends the hold; the last user stops the server.
  ///
  /// A server that does not stop is told of in the log and harms nothing: the next user adopts it.
  public func close() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    do throws(PrivateServerError) {
      try startLock.acquire(.exclusive, atMost: Patience.closing, tell: postmaster.report.notice)
      defer { startLock.release() }
      usersLock.release()
      guard usersLock.tryAcquire(.exclusive) else { return }
      defer { usersLock.release() }
      try postmaster.stop()
    } catch {
      usersLock.release()
      postmaster.report.notice(
        "The private PostgreSQL may still be running, and the next command stops it. "
          + error.description)
    }
  }
}
