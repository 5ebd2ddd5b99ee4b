import Foundation
import TestNeeds
import Testing

@testable import PrivateServer

extension Servers {
  @Suite(
    "The user of root's server",
    .needsRoot("an ordinary user's server runs as that user"))
  struct Users {
    @Test("the first existing user of the list is used, and the list begins with tieout")
    func order() throws {
      #expect(ServerUser.forRoot == ["tieout", "postgres", "nobody"])
      #expect(try ServerUser.forNewDataFolder(among: ["nobody", "postgres"]).name == "nobody")
      #expect(try ServerUser.forNewDataFolder(among: ["no-such-user", "nobody"]).name == "nobody")
      // PostgreSQL does not run as root.
      #expect(try ServerUser.forNewDataFolder(among: ["root", "nobody"]).name == "nobody")
      let error = #expect(throws: PrivateServerError.self) {
        try ServerUser.forNewDataFolder(among: ["no-such-user"])
      }
      #expect(error?.remedy.contains("useradd --system") == true)
    }

    @Test(
      "a server with its own user is not readable for the user of other servers",
      .needsUser("tieout"))
    func own() throws {
      let scratch = try Scratch()
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      _ = try ask(server, "create table kept as select 7 as number")
      let state = try StateDirectory(scratch.state)
      #expect(state.user.name == "tieout")
      let other = try ServerUser.forNewDataFolder(among: ["postgres", "nobody"])
      for path in ["data/PG_VERSION", "data/base", "socket", "server.log"] {
        #expect(try !other.run("cat", ["\(scratch.state)/\(path)"]).succeeded)
        #expect(try !other.run("ls", ["\(scratch.state)/\(path)"]).succeeded)
      }
      let asked = try other.run(
        "\(server.programs)/psql", ["-Xc", "table kept", server.connectionString])
      #expect(!asked.succeeded)
    }

    @Test("a data folder of an earlier version keeps its user until its files get a new owner")
    func existing() throws {
      let scratch = try Scratch()
      // This is the state of earlier versions, which had no user of their own.
      let former = try ServerUser.forNewDataFolder(among: ["postgres", "nobody"])
      mkdir(scratch.state, 0o700)
      chown(scratch.state, former.uid, former.gid)
      let first = try PrivateServer.open(stateDirectory: scratch.state)
      _ = try ask(first, "create table kept as select 7 as number")
      #expect(try StateDirectory(scratch.state).user == former)
      first.close()
      let second = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(second, "select number from kept") == "7")
      second.close()

      // docs/security.md describes this change of the owner.
      let own = try ServerUser.forNewDataFolder(
        among: (getpwnam("tieout") != nil) ? ["tieout"] : ["nobody"])
      let moved = try ProgramRun.run(
        "chown", ["-R", "--no-dereference", "\(own.uid):\(own.gid)", scratch.state])
      try #require(moved.succeeded)
      let third = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try StateDirectory(scratch.state).user == own)
      #expect(try ask(third, "select number from kept") == "7")
      let process = try #require(scratch.serverProcess())
      var status = stat()
      #expect(stat("/proc/\(process)", &status) == 0 && status.st_uid == own.uid)
    }
  }
}
