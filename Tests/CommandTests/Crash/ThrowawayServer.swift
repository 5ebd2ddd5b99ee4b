import Foundation
import Glibc
import PostgreSQL
import TestNeeds
import Testing

/// A PostgreSQL server of one test, which the test can stop, fill and limit.
final class ThrowawayServer {
  /// The folder with the cluster and the socket.
  let folder: String
  private let programs: String
  private var isMounted = false

  /// The connection string of the superuser for libpq.
  var connectionString: String { "host=\(folder) user=postgres dbname=postgres" }

  /// Whether this process may mount file systems.
  ///
  /// Tests need small and read-only ones.
  static let mayMount: Bool = {
    guard geteuid() == 0 else { return false }
    let place = FileManager.default.temporaryDirectory.appending(path: "may-\(UUID())").path
    try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let isMounted = shell("mount -t tmpfs -o size=64k tmpfs '\(place)'").status == 0
    if isMounted { _ = shell("umount '\(place)'") }
    return isMounted
  }()

  /// The folder of the programs of the newest PostgreSQL that has a server.
  static func newestPrograms() -> String {
    shell("dirname \"$(ls /usr/lib/postgresql/*/bin/initdb | sort -V | tail -n 1)\"").output
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Creates and starts the server with these settings.
  ///
  /// - Parameter primary: A server that this server follows as a standby, instead of a new cluster.
  init(_ settings: String = "", standbyOf primary: ThrowawayServer? = nil) throws {
    // A socket needs a short path that the server's user can reach.
    folder = ShortPath.unused("thrown")
    programs = Self.newestPrograms()
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    if geteuid() == 0 { _ = shell("chown postgres '\(folder)'") }
    if let primary {
      try asServer(
        "pg_basebackup -D '\(folder)/data' -h '\(primary.folder)' -U postgres -R -X stream -c fast")
    } else {
      try asServer("initdb -D '\(folder)/data' -U postgres -A trust -E UTF8 --no-locale --no-sync")
    }
    try asServer(
      """
      sh -c 'cat >> "\(folder)/data/postgresql.conf"' <<CONF
      listen_addresses = ''
      unix_socket_directories = '\(folder)'
      fsync = off
      shared_buffers = 16MB
      \(settings)
      CONF
      """)
    try start()
  }

  deinit {
    _ = try? stop("immediate")
    if isMounted { _ = shell("umount -l '\(folder)/small'") }
    try? FileManager.default.removeItem(atPath: folder)
  }

  func start() throws {
    let log = "'\(folder)/data/log'"
    try asServer(
      "pg_ctl start -D '\(folder)/data' -l \(log) -w -s || { tail -n 5 \(log); exit 1; }")
  }

  func stop(_ mode: String) throws {
    try asServer("pg_ctl stop -D '\(folder)/data' -m \(mode) -w -s")
  }

  /// Mounts a file system of this size, in which the server may keep a tablespace.
  func mountSmall(_ size: String) throws -> String {
    let place = "\(folder)/small"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    try expectDone(
      shell("mount -t tmpfs -o size=\(size) tmpfs '\(place)' && chown postgres '\(place)'"))
    isMounted = true
    return place
  }

  /// Changes the size of the small file system.
  func resize(_ size: String) throws {
    try expectDone(shell("mount -o remount,size=\(size) '\(folder)/small'"))
  }

  /// Runs an SQL statement as the superuser.
  @discardableResult
  func run(_ sql: String, in database: String = "postgres") throws -> String? {
    try Connection("\(connectionString) dbname=\(database)", applicationName: "tieout test")
      .run(sql, step: "throwaway").first
  }

  private func asServer(_ command: String) throws {
    // The server refuses to run as root.
    let user = geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --init-groups " : ""
    try expectDone(shell("cd '\(folder)' && PATH='\(programs)':$PATH \(user)sh -c \"\(command)\""))
  }

  private func expectDone(_ ended: (status: Int32, output: String)) throws {
    try #require(ended.status == 0, "\(ended.output)")
  }
}

/// Runs a shell command to its end, and returns the texts of standard output and standard error.
@discardableResult
func shell(_ command: String) -> (status: Int32, output: String) {
  let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"]
  do {
    let ended = try Program(running: ["sh", "-c", command], environment: environment).ended()
    return (ended.status, ended.output + ended.errors)
  } catch {
    return (127, "\(error)")
  }
}
