import Foundation
import Synchronization
import TestNeeds
import Testing

@testable import PrivateServer

extension Servers {
  @Suite("The life of the private server") struct Life {
    @Test("the server is created, started and stopped, and keeps its data between runs")
    func keepsData() throws {
      let scratch = try Scratch()
      let first = try PrivateServer.open(stateDirectory: scratch.state)
      _ = try ask(first, "create table kept (word text); insert into kept values ('here')")
      let process = try #require(scratch.serverProcess())
      first.close()
      first.close()
      #expect(eventually { !isRunning(process) })
      #expect(scratch.serverProcess() == nil)

      let second = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(second, "select word from kept") == "here")
      #expect(try ask(second, "select current_user, current_database()") == "tieout|tieout")
    }

    @Test("the server stays while a second user uses it, and stops with the last user")
    func staysForOthers() throws {
      let scratch = try Scratch(hasDataFolder: true)
      let first = try PrivateServer.open(stateDirectory: scratch.state)
      let second = try PrivateServer.open(stateDirectory: scratch.state)
      let process = try #require(scratch.serverProcess())
      first.close()
      #expect(try ask(second, "select 1") == "1")
      #expect(scratch.serverProcess() == process)
      second.close()
      #expect(eventually { !isRunning(process) })
    }

    @Test("a second user opens and closes the server without running any program")
    func isFoundAtOnce() async throws {
      let scratch = try Scratch(hasDataFolder: true)
      let first = try PrivateServer.open(stateDirectory: scratch.state)
      // In a separate process, because other tests run programs meanwhile.
      await #expect(processExitsWith: .success) { [state = scratch.state as String] in
        try PrivateServer.open(stateDirectory: state).close()
        // -1 is RUSAGE_CHILDREN, whose type Glibc hides: the usage of children that were waited
        // for.
        var usage = rusage()
        try #require(getrusage(-1, &usage) == 0)
        #expect(usage.ru_minflt == 0, "a program was run")
      }
      #expect(try ask(first, "select 1") == "1")
    }

    @Test("the server stops when the object that holds it is released")
    func goesWithTheObject() throws {
      let scratch = try Scratch(hasDataFolder: true)
      do { _ = try PrivateServer.open(stateDirectory: scratch.state) }
      #expect(scratch.serverProcess() == nil)
    }

    @Test("the server outlives a killed user; the next user takes it over and stops it")
    func isAdopted() async throws {
      let scratch = try Scratch(hasDataFolder: true)
      await #expect(processExitsWith: .signal(SIGKILL)) { [state = scratch.state as String] in
        let server = try PrivateServer.open(stateDirectory: state)
        withExtendedLifetime(server) { _ = kill(getpid(), SIGKILL) }
      }
      let process = try #require(scratch.serverProcess())
      #expect(isRunning(process))
      let next = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(scratch.serverProcess() == process)
      #expect(try ask(next, "select 1") == "1")
      next.close()
      #expect(eventually { !isRunning(process) })
    }

    @Test("the server starts after a machine crash, even if another process now has its number")
    func startsOverStaleProcessFile() throws {
      let scratch = try Scratch(hasDataFolder: true)
      let first = try PrivateServer.open(stateDirectory: scratch.state)
      let user = try StateDirectory(scratch.state).user
      let file = "\(scratch.state)/data/postmaster.pid"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      first.close()

      // PostgreSQL only accepts the number if it belongs to a process of the server's own user.
      let foreign = try user.run("sh", ["-c", "sleep 60 >/dev/null 2>&1 & echo $!"]).output
        .lastLines(1)
      let process = try #require(pid_t(foreign))
      defer { kill(process, SIGKILL) }
      let lines = [foreign] + text.split(separator: "\n").dropFirst().map(String.init)
      try user.write(lines.joined(separator: "\n") + "\n", to: file)
      try user.write("\(foreign)\n", to: "\(scratch.state)/socket/.s.PGSQL.5432.lock")

      let next = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(next, "select 1") == "1")
      #expect(scratch.serverProcess() != process)
      #expect(isRunning(process))
    }

    @Test("the next start recovers all committed data of a killed server")
    func recovers() throws {
      let scratch = try Scratch(hasDataFolder: true)
      let first = try PrivateServer.open(stateDirectory: scratch.state)
      _ = try ask(first, "create table kept as select 7 as number")
      let process = try #require(scratch.serverProcess())
      kill(process, SIGKILL)
      #expect(eventually { !isRunning(process) })
      let second = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(second, "select number from kept") == "7")
      #expect(scratch.serverProcess() != process)
    }

    @Test("the server inherits its own lock, and none of the caller's other open files")
    func inheritsOneLock() throws {
      let scratch = try Scratch(hasDataFolder: true)
      // The file is inheritable, for instance a lock that must not outlive the caller.
      let descriptor = open("\(scratch.folder)/inherited", O_RDWR | O_CREAT, 0o644)
      try #require(descriptor > 2)
      defer { close(descriptor) }
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      let process = try #require(scratch.serverProcess())
      let user = try StateDirectory(scratch.state).user
      let files = try user.run("sh", ["-c", "ls -l /proc/\(process)/fd"])
      #expect(files.succeeded && files.output.contains("socket:"))
      #expect(!files.output.contains("inherited"))
      #expect(files.output.contains("/server.lock"))
      #expect(!files.output.contains("/start.lock") && !files.output.contains("/users.lock"))
      server.close()
    }

    @Test("an error at the start contains the log's last lines")
    func explainsFailure() throws {
      let scratch = try Scratch(hasDataFolder: true)
      let user = try StateDirectory(scratch.state).user
      try user.write("no_such_setting = 1\n", to: "\(scratch.state)/data/postgresql.auto.conf")
      let error = #expect(throws: PrivateServerError.self) {
        try PrivateServer.open(stateDirectory: scratch.state)
      }
      #expect(error?.code == .cannotStart)
      #expect(error?.message.contains("no_such_setting") == true)
      #expect(error?.message.contains("local.conf") == false)
      #expect(error?.remedy.contains("\(scratch.state)/server.log") == true)
    }
  }
}
