import Foundation
import TestNeeds
import Testing

@testable import PrivateServer

extension Servers {
  @Suite("Access to the private server") struct Access {
    @Test("only the server's user can enter its folders, and it does not listen on a network")
    func isClosed() throws {
      let scratch = try Scratch()
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      for folder in ["", "/data", "/socket"] {
        #expect(try mode(of: scratch.state + folder) == 0o700)
      }
      let settings = ["/data/postgresql.conf", "/data/pg_hba.conf"]
      for file in settings + ["/server.log", "/server.lock", "/users.lock"] {
        #expect(try mode(of: scratch.state + file) == 0o600)
      }
      #expect(try ask(server, "show listen_addresses") == "")
      let doors = "select count(*) from pg_hba_file_rules where type <> 'local'"
      #expect(try ask(server, as: "postgres", doors) == "0")
      let process = try #require(scratch.serverProcess())
      let user = try StateDirectory(scratch.state).user
      let sockets = try user.run(
        "sh", ["-c", "ls -l /proc/\(process)/fd | sed -n 's/.*socket:\\[\\(.*\\)\\]/\\1/p'"])
      let own = Set(sockets.output.split(separator: "\n"))
      #expect(!own.isEmpty)
      for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        guard let text = try? String(contentsOfFile: table, encoding: .utf8) else { continue }
        for line in text.split(separator: "\n").dropFirst() {
          let columns = line.split(separator: " ")
          // State 0A is a listening socket; the tenth column is its inode.
          #expect(columns[3] != "0A" || !own.contains(columns[9]))
        }
      }
    }

    @Test(
      "neither the folder nor the server accepts another user",
      .needsRoot("only root can act as another user"))
    func refusesOthers() throws {
      let scratch = try Scratch()
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      let state = try StateDirectory(scratch.state)
      let other = try ServerUser(uid: #require(getpwnam("nobody")?.pointee.pw_uid))
      try #require(other != state.user)
      let psql = "\(server.programs)/psql"
      let barred = try other.run(psql, ["-Xc", "select 1", server.connectionString])
      #expect(!barred.succeeded && barred.output.contains("Permission denied"))

      // Even if all file permissions are open, the server itself checks the user.
      for path in [state.path, "\(state.path)/socket", "\(state.path)/socket/.s.PGSQL.5432"] {
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
      }
      for role in ["tieout", "postgres"] {
        let refused = try other.run(
          psql, ["-Xc", "select 1", "\(server.connectionString) user=\(role)"])
        #expect(!refused.succeeded && refused.output.contains("Peer authentication failed"))
        let served = try state.user.run(
          psql, ["-XAtc", "select current_user", "\(server.connectionString) user=\(role)"])
        #expect(served.output == "\(role)\n")
      }
    }

    @Test("the server's role owns the database and can create others, but is no superuser")
    func roleIsModest() throws {
      let scratch = try Scratch()
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      let rights =
        "select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = 'tieout'"
      #expect(try ask(server, rights) == "f|t|f")
      _ = try ask(server, "create schema ledger")
      _ = try ask(server, "create database another")
    }

    @Test("a state directory whose path is too long for a socket gets a short folder elsewhere")
    func longPath() throws {
      let scratch = try Scratch()
      let deep = scratch.folder + "/" + String(repeating: "d", count: 100)
      let server = try PrivateServer.open(stateDirectory: deep)
      #expect(try ask(server, "select 1") == "1")
      let folder = try SocketFolder(of: StateDirectory(deep)).path
      defer { try? FileManager.default.removeItem(atPath: folder) }
      #expect(folder.hasPrefix("/tmp/tieout-") && folder.utf8.count < 60)
      #expect(try mode(of: folder) == 0o700)
      #expect(server.connectionString.hasPrefix("host=\(folder) "))
      server.close()
    }

    @Test("a state directory with a path of 86 bytes, but of no more, contains its socket")
    func shortPath() {
      // docs/operating.md and packaging/tieout.service have this number.
      for (length, isFit) in [(86, true), (87, false)] {
        let state = "/" + String(repeating: "d", count: length - 1)
        #expect(SocketFolder.isFit("\(state)/socket") == isFit)
      }
    }

    @Test("a socket folder that does not belong to the server's user is refused")
    func foreignSocketFolder() throws {
      let scratch = try Scratch()
      let state = try StateDirectory(scratch.folder + "/" + String(repeating: "d", count: 100))
      let folder = try SocketFolder(of: state).path
      try FileManager.default.removeItem(atPath: folder)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try FileManager.default.createSymbolicLink(
        atPath: folder, withDestinationPath: scratch.folder)
      let error = #expect(throws: PrivateServerError.self) { try SocketFolder(of: state) }
      #expect(error?.code == .unusableDirectory)
    }

    @Test(
      "the length limit of a socket's path includes the socket's name",
      arguments: [(93, true), (94, false)])
    func measuresPath(length: Int, fits: Bool) {
      // A socket's path has at most 107 bytes; "/.s.PGSQL.5432" has 14 of them.
      #expect(SocketFolder.isFit("/" + String(repeating: "d", count: length - 1)) == fits)
    }
  }
}
