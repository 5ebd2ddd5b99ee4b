import Foundation
import TestNeeds
import Testing

@testable import PrivateServer

extension Servers {
  @Suite("Versions of the server") struct Versions {
    @Test("a newer server is reported, with how to continue and how to upgrade")
    func newerServer() throws {
      let scratch = try Scratch()
      try PrivateServer.open(stateDirectory: scratch.state).close()
      let version = try ServerPrograms.installed(in: nil)[0].majorVersion
      let user = try StateDirectory(scratch.state).user
      try user.write("\(version - 1)\n", to: "\(scratch.state)/data/PG_VERSION")
      let error = #expect(throws: PrivateServerError.self) {
        try PrivateServer.open(stateDirectory: scratch.state)
      }
      #expect(error?.code == .newerServer)
      #expect(error?.message.contains("was made by PostgreSQL \(version - 1)") == true)
      #expect(error?.remedy.contains("apt-get install postgresql-\(version - 1)") == true)
      #expect(error?.remedy.contains("tieout upgrade-server") == true)
      #expect(error?.remedy.contains("pg_dump") == true)
    }

    @Test("an older server is reported, with the package to install")
    func olderServer() throws {
      let scratch = try Scratch()
      try PrivateServer.open(stateDirectory: scratch.state).close()
      let user = try StateDirectory(scratch.state).user
      try user.write("99\n", to: "\(scratch.state)/data/PG_VERSION")
      let error = #expect(throws: PrivateServerError.self) {
        try PrivateServer.open(stateDirectory: scratch.state)
      }
      #expect(error?.code == .olderServer)
      #expect(error?.remedy.contains("apt-get install postgresql-99") == true)
    }

    @Test("the newest programs come first, and the programs of the data folder's version are used")
    func choosesPrograms() throws {
      let scratch = try Scratch()
      for version in [9, 14, 17] {
        _ = try scratch.programs(
          "\(version)/bin",
          overrides: ["postgres": "echo 'postgres (PostgreSQL) \(version).3'; exit"])
      }
      let found = try ServerPrograms.installed(in: nil, debian: scratch.folder, searchPath: "")
      #expect(found.map(\.majorVersion) == [17, 14, 9])
      try "14\n".write(toFile: "\(scratch.folder)/PG_VERSION", atomically: true, encoding: .utf8)
      let dataFolder = DataFolder(path: scratch.folder, user: try ServerUser.forNewDataFolder())
      let matching = try ServerPrograms.matching(dataFolder, among: found)
      #expect(matching.directory == "\(scratch.folder)/14/bin")
    }

    @Test("programs in a folder with an equals sign in its name are used")
    func equalsSign() throws {
      let scratch = try Scratch()
      let bin = try scratch.programs("pg=17", overrides: [:])
      #expect(try ServerPrograms.installed(in: bin)[0].directory == bin)
      let server = try PrivateServer.open(stateDirectory: scratch.state, programs: bin)
      #expect(try ask(server, "select 1") == "1")
    }

    @Test("without any server the error says which package to install")
    func notInstalled() throws {
      let error = #expect(throws: PrivateServerError.self) {
        try ServerPrograms.installed(in: nil, debian: "/nowhere", searchPath: "/usr/sbin:/nowhere")
      }
      #expect(error?.code == .notInstalled)
      #expect(error?.remedy.contains("apt-get install postgresql") == true)
      let given = #expect(throws: PrivateServerError.self) {
        try ServerPrograms.installed(in: "/nowhere")
      }
      #expect(given?.message.contains("/nowhere") == true)
    }

    @Test(
      "programs that do not work are reported with what they said, unless others are found",
      arguments: [
        "echo 'postgres: error while loading shared libraries: libpq.so.5' >&2; exit 127",
        "echo 'postgres (PostgreSQL) 9.3'; echo 'libpq.so.5'; exit 1", "echo 'no libpq.so.5'; exit",
      ])
    func broken(postgres: String) throws {
      let scratch = try Scratch()
      let bin = try scratch.programs("9/bin", overrides: ["postgres": postgres])
      let searches: [() throws -> [ServerPrograms]] = [
        { try ServerPrograms.installed(in: bin) },
        { try ServerPrograms.installed(in: nil, debian: scratch.folder, searchPath: "") },
      ]
      for search in searches {
        let error = #expect(throws: PrivateServerError.self) { _ = try search() }
        #expect(error?.code == .notInstalled)
        #expect(error?.message.contains("\(bin)/postgres") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("libpq.so.5") == true, "\(error?.message ?? "")")
        #expect(error?.remedy.contains("install their packages again") == true)
      }
      _ = try scratch.programs(
        "17/bin", overrides: ["postgres": "echo 'postgres (PostgreSQL) 17.3'; exit"])
      #expect(try searches[1]().map(\.majorVersion) == [17])
    }

    @Test("an upgrade copies roles and database by dump and restore, and keeps the old data folder")
    func upgrades() throws {
      let scratch = try Scratch()
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      _ = try ask(
        server,
        """
        create schema ledger; create table ledger.kept (word text primary key);
        insert into ledger.kept values ('here')
        """)
      _ = try ask(
        server, as: "postgres",
        """
        create role auditor; grant usage on schema ledger to auditor;
        create table ledger.noted as select 7 as number; alter table ledger.noted owner to auditor
        """)
      let installed = try ServerPrograms.installed(in: nil)[0].majorVersion
      // Only one version is installed; the newer one is the same version under another name.
      let newer = try scratch.programs(
        "newer",
        overrides: [
          "postgres": """
          test "$1" = --version && { echo 'postgres (PostgreSQL) \(installed + 1).0'; exit; }
          """
        ])
      let busy = #expect(throws: PrivateServerError.self) {
        _ = try PrivateServer.upgrade(stateDirectory: scratch.state, programs: newer)
      }
      #expect(busy?.code == .inUse)
      server.close()
      let user = try StateDirectory(scratch.state).user
      try user.write(
        "log_min_duration_statement = '5s'\n", to: "\(scratch.state)/data/local.conf")
      let aside = "\(scratch.state)/data.\(installed)"
      try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: false)
      let refused = #expect(throws: PrivateServerError.self) {
        _ = try PrivateServer.upgrade(stateDirectory: scratch.state, programs: newer)
      }
      #expect(refused?.code == .cannotUpgrade)
      #expect(refused?.message.contains("already exists") == true)
      try FileManager.default.removeItem(atPath: aside)

      let done = try PrivateServer.upgrade(stateDirectory: scratch.state, programs: newer)
      #expect(done == .upgraded(from: installed, to: installed + 1))
      #expect(
        try scratch.names()
          == [
            "data", "data.\(installed)", "server.lock", "server.log", "socket", "start.lock",
            "users.lock",
          ])
      let upgraded = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(upgraded, "select word from ledger.kept") == "here")
      #expect(try ask(upgraded, "show log_min_duration_statement") == "5s")
      #expect(try ask(upgraded, "select has_schema_privilege('auditor', 'ledger', 'usage')") == "t")
      #expect(
        try ask(upgraded, "select tableowner from pg_tables where tablename = 'noted'")
          == "auditor")
      let counted = "select reltuples from pg_class where relname = 'kept'"
      #expect(try ask(upgraded, counted) == "1", "the new database has no statistics")
      upgraded.close()
      #expect(try PrivateServer.upgrade(stateDirectory: scratch.state) == .isNewest(installed))
    }

    @Test("an upgrade that fails removes the new data folder, and keeps the old one")
    func failedUpgrade() throws {
      let scratch = try Scratch()
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      _ = try ask(server, "create table kept as select 7 as number")
      server.close()
      let installed = try ServerPrograms.installed(in: nil)[0].majorVersion
      let newer = try scratch.programs(
        "newer",
        overrides: [
          "postgres": """
          test "$1" = --version && { echo 'postgres (PostgreSQL) \(installed + 1).0'; exit; }
          """,
          "pg_restore": "echo 'pg_restore: error: no such thing'; exit 1",
        ])
      let failed = #expect(throws: PrivateServerError.self) {
        _ = try PrivateServer.upgrade(stateDirectory: scratch.state, programs: newer)
      }
      #expect(failed?.code == .cannotUpgrade)
      #expect(failed?.message.contains("no such thing") == true)
      #expect(
        try scratch.names()
          == ["data", "server.lock", "server.log", "socket", "start.lock", "users.lock"])
      let next = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(next, "select number from kept") == "7")
    }

    @Test(
      "the next command removes the remains of a killed upgrade, also its running server"
    )
    func removesRemains() throws {
      let scratch = try Scratch()
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      _ = try ask(server, "create table kept as select 7 as number")
      server.close()
      let restoring = "\(scratch.state)/data.restoring"
      for copy in [restoring, "\(scratch.state)/data.upgrade"] {
        try #require(
          try ProgramRun.run("cp", ["-a", "\(scratch.state)/data", copy]).succeeded)
      }
      let user = try StateDirectory(scratch.state).user
      try user.write("half of it", to: "\(scratch.state)/upgrade.dump")
      let programs = try ServerPrograms.installed(in: nil)[0]
      let left = try user.run(
        programs.path("pg_ctl"), ["start", "-D", restoring, "-w", "-s", "-l", "/dev/null"])
      try #require(left.succeeded, "\(left.output)")
      let process = try #require(scratch.serverProcess("data.restoring"))

      let next = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(eventually { !isRunning(process) })
      #expect(try ask(next, "select number from kept") == "7")
      next.close()
      #expect(
        try scratch.names()
          == ["data", "server.lock", "server.log", "socket", "start.lock", "users.lock"])
    }

    @Test("the next command finishes an upgrade that was killed between its two renames")
    func finishesUpgrade() throws {
      let scratch = try Scratch()
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      _ = try ask(server, "create table kept as select 7 as number")
      server.close()
      try FileManager.default.moveItem(
        atPath: "\(scratch.state)/data", toPath: "\(scratch.state)/data.upgrade")
      let next = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(next, "select number from kept") == "7")
    }
  }
}
