import Foundation
import Synchronization
import TestNeeds
import Testing
import Waiting

@testable import PrivateServer

extension Servers {
  @Suite("Waits for a process that never answers") struct Waits {
    @Test("the wait for a stopped process's start lock ends, and the error names the process")
    func startLock() async throws {
      let scratch = try Scratch(hasDataFolder: true)
      let holder = try Holder(of: "\(scratch.state)/start.lock")
      defer { holder.end() }
      kill(holder.process, SIGSTOP)
      await #expect(processExitsWith: .success) {
        [state = scratch.state as String, process = holder.process as pid_t] in
        setenv("TIEOUT_PATIENCE", "3", 1)
        let notices = Lines()
        let error = #expect(throws: PrivateServerError.self) {
          try PrivateServer.open(stateDirectory: state, report: ServerReport(notice: notices.add))
        }
        #expect(error?.code == .busy)
        for words in [error?.message ?? "", notices.all.first ?? ""] {
          #expect(words.contains("process \(process) (holder night, since 20"))
          #expect(words.contains("kill -CONT \(process)"))
          #expect(words.contains("\(state)/start.lock"))
        }
      }
      // The holder's end is noticed without any signal from it.
      let opened = Mutex(false)
      let waiting = Thread { [state = scratch.state] in
        let server = try? PrivateServer.open(stateDirectory: state)
        server?.close()
        opened.withLock { $0 = server != nil }
      }
      waiting.start()
      usleep(200_000)
      holder.end()
      #expect(eventually { opened.withLock { $0 } })
    }

    @Test("a wait that begins after a stop request has time of its own, however late it begins")
    func cleanup() async {
      await #expect(processExitsWith: .success) {
        let before = Wait(atMost: .seconds(60), afterStop: Patience.afterStop)
        StopRequest.ofProcess.make()
        #expect(before.end == nil)
        usleep(UInt32(Patience.afterStop.components.seconds) * 1_000_000)
        #expect(before.end == .stop)
        #expect(Wait(atMost: .seconds(60)).end == nil)
        #expect(Wait(atMost: .zero).end == .limit)
      }
    }

    @Test("a thread that the system does not allow is an error, and the next one starts")
    func thread() throws {
      // No address space has room for this stack.
      let error = #expect(throws: ThreadError.self) { try startThread(stackBytes: 1 << 60) {} }
      #expect(error?.description.contains("allows no further thread") == true)
      let hasRun = Mutex(false)
      try startThread { hasRun.withLock { $0 = true } }
      #expect(eventually { hasRun.withLock { $0 } })
    }

    @Test("a stop request ends the wait at once")
    func stop() async throws {
      let scratch = try Scratch(hasDataFolder: true)
      let holder = try Holder(of: "\(scratch.state)/start.lock")
      defer { holder.end() }
      await #expect(processExitsWith: .success) { [state = scratch.state as String] in
        Thread.detachNewThread {
          usleep(300_000)
          StopRequest.ofProcess.make()
        }
        let error = #expect(throws: PrivateServerError.self) {
          try PrivateServer.open(stateDirectory: state)
        }
        #expect(error?.code == .stopped)
        #expect(error?.message.contains("(holder night, since 20") == true)
      }
    }

    @Test("a close without the lock leaves the server running, and the next close stops it")
    func closing() async throws {
      let scratch = try Scratch(hasDataFolder: true)
      await #expect(processExitsWith: .success) { [state = scratch.state as String] in
        setenv("TIEOUT_PATIENCE", "3", 1)
        let notices = Lines()
        let server = try PrivateServer.open(
          stateDirectory: state, report: ServerReport(notice: notices.add))
        let holder = try Holder(of: "\(state)/start.lock")
        server.close()
        holder.end()
        #expect(notices.all.last?.contains("the next command stops it") == true)
      }
      let process = try #require(scratch.serverProcess())
      #expect(isRunning(process))
      try PrivateServer.open(stateDirectory: scratch.state).close()
      #expect(eventually { !isRunning(process) })
    }

    @Test(
      "a program that never ends is ended with all its children, and the error names it",
      .needs(.pgrep))
    func program() async throws {
      let scratch = try Scratch()
      try scratch.script(
        "\(scratch.folder)/slow",
        "echo begun; sleep 600 & echo $! >'\(scratch.folder)/child'; kill -STOP $$")
      await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
        // The child of the last run. The file is removed, so that each run has to write its own.
        func child() throws -> pid_t {
          let path = "\(folder)/child"
          defer { try? FileManager.default.removeItem(atPath: path) }
          let text = try String(contentsOfFile: path, encoding: .utf8)
          return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        let error = #expect(throws: PrivateServerError.self) {
          try ProgramRun.run("\(folder)/slow", [], atMost: .seconds(3))
        }
        #expect(error?.code == .noAnswer)
        #expect(error?.message.contains("\(folder)/slow (process ") == true)
        let left = try ProgramRun.run("pgrep", ["-f", "\(folder)/slow"])
        #expect(left.output == "")
        let first = try child()
        #expect(eventually { !isRunning(first) })
        Thread.detachNewThread {
          // The program has written the whole line.
          _ = eventually {
            let text = try? String(contentsOfFile: "\(folder)/child", encoding: .utf8)
            return text?.hasSuffix("\n") == true
          }
          StopRequest.ofProcess.make()
        }
        let stopped = #expect(throws: PrivateServerError.self) {
          try ProgramRun.run("\(folder)/slow", [], afterStop: .zero)
        }
        #expect(stopped?.code == .stopped)
        let second = try child()
        #expect(eventually { !isRunning(second) })
        // A clean-up can still run programs after that.
        let clearing = try ProgramRun.run("echo", ["cleared"])
        #expect(clearing.output == "cleared\n")
      }
    }

    @Test("the end of a program is not delayed by another process that has its output open")
    func output() throws {
      let run = try ProgramRun.run("sh", ["-c", "sleep 600 & echo $!"])
      let process = try #require(pid_t(run.output.lastLines(1)))
      #expect(kill(process, SIGKILL) == 0)
    }

    @Test("an initdb that never ends is ended by a stop request, and leaves no files")
    func creation() async throws {
      let scratch = try Scratch()
      let bin = try scratch.programs(
        "slow", overrides: ["initdb": #"mkdir -p "$2/base"; sleep 600"#])
      await #expect(processExitsWith: .success) {
        [state = scratch.state as String, bin = bin as String] in
        Thread.detachNewThread {
          usleep(1_000_000)
          StopRequest.ofProcess.make()
        }
        let error = #expect(throws: PrivateServerError.self) {
          try PrivateServer.open(stateDirectory: state, programs: bin)
        }
        #expect(error?.code == .stopped)
      }
      #expect(try scratch.names() == ["start.lock"])
    }
  }
}

/// A process that holds a lock, as a command of that name would hold it.
final class Holder {
  let process: pid_t
  private let script: String

  init(of lock: String) throws {
    // A separate shell takes the lock. The test writes the holder into the file.
    script = ShortPath.unused("holder")
    try """
    #!/bin/sh
    exec 9<>'\(lock)' && flock 9 && echo $$ && exec sleep 600 >/dev/null 2>&1
    """.write(toFile: script, atomically: true, encoding: .utf8)
    let user = try ServerUser(uid: Self.owner(of: lock))
    // It prints its number once it owns the lock.
    let run = try user.run("sh", ["-c", "{ sh \(script) & } | head -n 1"])
    process = try #require(pid_t(run.output.lastLines(1)), "\(run.output)")
    let start = try #require(ProcessStatus(of: UInt(process))?.start)
    try "\(process) \(start) \(Date.now.ISO8601Format()) holder night\n".write(
      toFile: lock, atomically: false, encoding: .utf8)
  }

  func end() {
    kill(process, SIGKILL)
    try? FileManager.default.removeItem(atPath: script)
  }

  private static func owner(of path: String) -> uid_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_uid : geteuid()
  }
}
