import Foundation
import Synchronization
import TestNeeds
import Testing

@testable import PrivateServer

extension Servers {
  @Suite("A private server that loses a process") struct DeadBackend {
    /// Kills the server process of a long SQL statement.
    private func killBackend(of server: PrivateServer, _ scratch: Scratch) throws {
      let words = ["-Xc", "select pg_sleep(600)", server.connectionString]
      let asked = Thread { [psql = "\(server.programs)/psql"] in
        _ = try? ProgramRun.run(psql, words, atMost: .seconds(600))
      }
      asked.start()
      let question = "select pid from pg_stat_activity where wait_event = 'PgSleep'"
      var backend: pid_t?
      #expect(
        try eventually {
          backend = pid_t(try ask(server, question))
          return backend != nil
        })
      let before = try deaths(scratch)
      kill(try #require(backend), SIGKILL)
      // The server accepts connections until it notices the loss.
      #expect(try eventually { try deaths(scratch) > before })
    }

    /// The number of killed server processes, from the server's log.
    private func deaths(_ scratch: Scratch) throws -> Int {
      try String(contentsOfFile: "\(scratch.state)/server.log", encoding: .utf8)
        .split(separator: "terminated by signal 9").count
    }

    @Test("the stop waits for the recovery, and then the server stops as usual")
    func stopsAfterRecovery() throws {
      let scratch = try Scratch(hasDataFolder: true)
      let notices = Lines()
      let server = try PrivateServer.open(
        stateDirectory: scratch.state, report: ServerReport(notice: notices.add))
      _ = try ask(server, "create table kept as select 7 as number")
      try killBackend(of: server, scratch)
      server.close()
      #expect(scratch.serverProcess() == nil)
      #expect(try serverProcesses(scratch).isEmpty)
      #expect(notices.all == [])
      let log = try String(contentsOfFile: "\(scratch.state)/server.log", encoding: .utf8)
      #expect(log.contains("terminated by signal 9"))
      #expect(log.components(separatedBy: "database system is shut down").count == 2)
      let next = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(next, "select number from kept") == "7")
    }

    @Test("several hundred megabytes are recovered before the server is used or stopped")
    func longRecovery() throws {
      let scratch = try Scratch(hasDataFolder: true)
      let notices = Lines()
      let server = try PrivateServer.open(
        stateDirectory: scratch.state, report: ServerReport(notice: notices.add))
      // The table is filled in a separate transaction: rows of a table created in the same
      // transaction are not in the journal.
      _ = try ask(server, "create table kept (number integer, filler text)")
      _ = try ask(
        server, "insert into kept select n, repeat('x', 900) from generate_series(1, 400000) as n")
      try killBackend(of: server, scratch)
      // Another command starts at this moment, and a third one after all have ended.
      let second = try PrivateServer.open(
        stateDirectory: scratch.state, report: ServerReport(notice: notices.add))
      #expect(try ask(second, "select count(*) from kept") == "400000")
      try killBackend(of: second, scratch)
      second.close()
      server.close()
      #expect(try serverProcesses(scratch).isEmpty)
      #expect(!notices.all.contains { $0.contains("killed") || $0.contains("stopped at once") })
      let third = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(third, "select count(*) from kept") == "400000")
    }

    @Test("a server that got a stop request during its recovery is ended, and keeps committed data")
    func wedged() async throws {
      let scratch = try Scratch(hasDataFolder: true)
      // The short patience applies in this process only.
      await #expect(processExitsWith: .success) { [state = scratch.state as String] in
        setenv("TIEOUT_PATIENCE", "8", 1)
        let notices = Lines()
        let server = try PrivateServer.open(
          stateDirectory: state, report: ServerReport(notice: notices.add))
        _ = try ask(server, "create table kept as select 7 as number")
        let dataFolder = DataFolder(path: "\(state)/data", user: try StateDirectory(state).user)
        let process = try dataFolder.server()
        // This is the state after a stop request during a recovery: the server reports that it is
        // stopping, and never ends.
        let checkpointer = try #require(
          try dataFolder.processes().first {
            let words = try? String(contentsOfFile: "/proc/\($0.number)/cmdline", encoding: .utf8)
            return words?.contains("checkpointer") == true
          })
        kill(pid_t(checkpointer.number), SIGSTOP)
        kill(pid_t(process.number), SIGINT)
        try #require(eventually { (try? dataFolder.server().state) == .stopping })
        // A second command finds the server in this state, ends it and starts its own.
        let next = try PrivateServer.open(
          stateDirectory: state, report: ServerReport(notice: notices.add))
        #expect(try ask(next, "select number from kept") == "7")
        #expect(try dataFolder.server() != process)
        #expect(notices.all.contains { $0.contains("process \(process.number)) did not stop") })
        server.close()
        next.close()
        #expect(try eventually { try dataFolder.processes().isEmpty })
      }
    }

    @Test("a server that does not react at all is killed by its last user, which reports that")
    func stopped() async throws {
      let scratch = try Scratch(hasDataFolder: true)
      await #expect(processExitsWith: .success) { [state = scratch.state as String] in
        setenv("TIEOUT_PATIENCE", "8", 1)
        let notices = Lines()
        let server = try PrivateServer.open(
          stateDirectory: state, report: ServerReport(notice: notices.add))
        _ = try ask(server, "create table kept as select 7 as number")
        let dataFolder = DataFolder(path: "\(state)/data", user: try StateDirectory(state).user)
        let process = try dataFolder.server()
        for each in try dataFolder.processes() { kill(pid_t(each.number), SIGSTOP) }

        // Other commands do not end a server that is in use; their error names the process.
        let refused = #expect(throws: PrivateServerError.self) {
          try PrivateServer.open(stateDirectory: state)
        }
        #expect(refused?.code == .busy)
        #expect(refused?.message.contains("process \(process.number)") == true)

        server.close()
        #expect(try eventually { try dataFolder.processes().isEmpty })
        #expect(notices.all.contains { $0.contains("process \(process.number)) did not stop") })
        let next = try PrivateServer.open(stateDirectory: state)
        #expect(try ask(next, "select number from kept") == "7")
      }
    }

    @Test("a server is started again if a killed command left only processes that hang")
    func remains() throws {
      let scratch = try Scratch(hasDataFolder: true)
      let state: String = scratch.state
      let notices = Lines()
      let server = try PrivateServer.open(
        stateDirectory: state, report: ServerReport(notice: notices.add))
      _ = try ask(server, "create table kept as select 7 as number")
      let dataFolder = DataFolder(path: "\(state)/data", user: try StateDirectory(state).user)
      let process = try dataFolder.server()
      for each in try dataFolder.processes() where each.number != process.number {
        kill(pid_t(each.number), SIGSTOP)
      }
      kill(pid_t(process.number), SIGKILL)
      let next = try PrivateServer.open(
        stateDirectory: state, report: ServerReport(notice: notices.add))
      #expect(try ask(next, "select number from kept") == "7")
      #expect(notices.all.contains { $0.contains("had not ended, and were killed") })
      server.close()
      next.close()
      #expect(try eventually { try dataFolder.processes().isEmpty })
    }

    private func serverProcesses(_ scratch: Scratch) throws -> [ServerProcess] {
      let user = try StateDirectory(scratch.state).user
      return try DataFolder(path: "\(scratch.state)/data", user: user).processes()
    }
  }

  @Suite("The target of a signal") struct Signals {
    @Test("a process of another folder, or one that reuses a number, is not taken for the server")
    func foreign() throws {
      let scratch = try Scratch(hasDataFolder: true)
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      let user = try StateDirectory(scratch.state).user
      let file = "\(scratch.state)/data/postmaster.pid"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let dataFolder = DataFolder(path: "\(scratch.state)/data", user: user)
      let own = try dataFolder.server()
      #expect(own.start == ProcessStatus(of: own.number)?.start)
      // The same number with another start time is another process.
      let reused = ServerProcess(state: .ready, number: own.number, start: own.start + 1)
      #expect(throws: Never.self) { try dataFolder.end(reused, isWritten: false) { _ in } }
      #expect(try ask(server, "select 1") == "1")
      // A postgres in another folder is another process too.
      let sleeper = "\(scratch.folder)/postgres"
      try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: sleeper)
      let said = try user.run("sh", ["-c", "\(sleeper) 60 >/dev/null 2>&1 & echo $!"]).output
      let foreign = try #require(pid_t(said.lastLines(1)))
      defer { kill(foreign, SIGKILL) }
      let lines = ["\(foreign)"] + text.split(separator: "\n").dropFirst().map(String.init)
      try user.write(lines.joined(separator: "\n") + "\n", to: file)
      #expect(try dataFolder.server() == .none)
      try user.write(text, to: file)
      server.close()
      #expect(isRunning(foreign))
    }
  }
}

/// Collects messages in their order.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  @Sendable func add(_ line: String) { lines.withLock { $0.append(line) } }
}
