import Glibc
import Synchronization
import Waiting

/// The PostgreSQL server that belongs to the program; open while the object holds it in use.
///
/// Each command that uses the server holds a shared lock, which the kernel releases when the
/// process ends. So a second command can use the server at the same time, and the end of the first
/// command does not stop it. If a run is killed, the next run finds the server still running, uses
/// it, and stops it at its own end.
package final class PrivateServer: Sendable {
  /// The libpq connection string of the server.
  package let connectionString: String
  /// The folder of the server's programs, for instance psql.
  package let programs: String

  private let startLock: FileLock
  private let usersLock: FileLock
  private let postmaster: Postmaster
  private let isOpen = Mutex(true)

  /// Opens the server: creates and starts it if necessary, and holds it in use.
  ///
  /// `close()`, the end of the object or the end of the process ends the use.
  ///
  /// - Parameters:
  ///   - stateDirectory: The folder of its state; nil for the user's standard folder.
  ///   - programs: The folder of PostgreSQL's server programs; nil to find them.
  ///   - report: The receivers of its messages.
  /// - Throws: ``PrivateServerError``; its code is `busy` if another process holds a lock for too
  ///   long, and `stopped` if the process got a stop request meanwhile.
  package static func open(
    stateDirectory: String? = nil, programs: String? = nil, report: ServerReport = ServerReport()
  ) throws(PrivateServerError) -> PrivateServer {
    guard !StopRequest.ofProcess.isMade else {
      throw .stopped("before the private PostgreSQL was opened")
    }
    let state = try StateDirectory(stateDirectory)
    let startLock = try FileLock.start(of: state, tell: report.notice)
    defer { startLock.release() }
    return try PrivateServer(state, programs: programs, startLock: startLock, report: report)
  }

  private init(
    _ state: StateDirectory, programs: String?, startLock: FileLock, report: ServerReport
  ) throws(PrivateServerError) {
    let dataFolder = DataFolder(path: state.data, user: state.user)
    try ServerUpgrade.finish(in: state, tell: report.notice)
    try dataFolder.removeDrafts(holding: startLock)
    let chosen: ServerPrograms
    if dataFolder.exists {
      chosen = try ServerPrograms.serving(dataFolder, chosen: programs)
    } else {
      chosen = try ServerPrograms.installed(in: programs)[0]
      report.info("creating a private PostgreSQL \(chosen.majorVersion) in \(dataFolder.path)")
      try dataFolder.create(with: chosen, holding: startLock)
    }
    let socketFolder = try SocketFolder(of: state)
    let usersLock = try FileLock(state.usersLock, owner: state.user)
    // No process holds this lock exclusively without the start lock.
    try usersLock.acquire(.shared, atMost: Patience.closing, tell: report.notice)
    let postmaster = Postmaster(
      dataFolder: dataFolder, programs: chosen, socketFolder: socketFolder, state: state,
      report: report)
    do throws(PrivateServerError) {
      try postmaster.start { () throws(PrivateServerError) in
        let isFree = usersLock.tryAcquire()
        try usersLock.acquire(.shared, atMost: Patience.closing, tell: report.notice)
        return isFree
      }
    } catch {
      // Stops a server that nobody will use.
      if error.code == .stopped, usersLock.tryAcquire() { try? postmaster.stop() }
      throw error
    }
    self.usersLock = usersLock
    self.postmaster = postmaster
    self.startLock = startLock
    self.programs = chosen.directory
    connectionString = socketFolder.connectionString(to: state.user)
  }

  deinit { close() }

  /// Ends the use.
  ///
  /// The last user stops the server.
  ///
  /// If the server does not stop, a notice reports it. The next command uses the running server,
  /// and stops it.
  package func close() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    do throws(PrivateServerError) {
      try startLock.acquire(.exclusive, atMost: Patience.closing, tell: postmaster.report.notice)
      defer { startLock.release() }
      usersLock.release()
      guard usersLock.tryAcquire() else { return }
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
