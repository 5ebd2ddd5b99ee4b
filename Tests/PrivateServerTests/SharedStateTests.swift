import Foundation
import TestNeeds
import Testing

@testable import PrivateServer

extension Servers {
  @Suite("A state directory that is in several places") struct SharedState {
    @Test(
      "a server is found through another path of its folder, and is not started again",
      .needsMount(mayMount))
    func otherPath() throws {
      let scratch = try Scratch()
      let first = try PrivateServer.open(stateDirectory: scratch.state)
      _ = try ask(first, "create table kept as select 7 as number")
      let process = try #require(scratch.serverProcess())
      let other = "\(scratch.folder)/other"
      mkdir(other, 0o755)
      try #require(try ProgramRun.run("mount", ["--bind", scratch.state, other]).succeeded)
      defer { _ = try? ProgramRun.run("umount", ["-l", "\(scratch.folder)/other"]) }
      let second = try PrivateServer.open(stateDirectory: other)
      #expect(scratch.serverProcess() == process)
      #expect(try ask(second, "select number from kept") == "7")
      first.close()
      #expect(isRunning(process))
      second.close()
      #expect(eventually { !isRunning(process) })
    }

    @Test(
      "a server in another PID namespace, such as a container's, is not replaced",
      .needsMount(mayMount), .needs(.pgrep))
    func otherNamespace() throws {
      let scratch = try Scratch()
      let first = try PrivateServer.open(stateDirectory: scratch.state)
      _ = try ask(first, "create table kept as select 7 as number")
      first.close()
      let state = try StateDirectory(scratch.state)
      let server =
        "setpriv --reuid=\(state.user.uid) --regid=\(state.user.gid) --init-groups"
        + " '\(first.programs)/postgres' -D '\(state.data)'"
      // The shell is process 1 of the namespace, and the server has another small number there.
      let apart = #"unshare --pid --fork --mount-proc sh -c "$1; exit 1" >/dev/null 2>&1 & echo $!"#
      let started = try ProgramRun.run("sh", ["-c", apart, "sh", server])
      let outer = try #require(pid_t(started.output.lastLines(1)))
      defer { _ = try? ProgramRun.run("pkill", ["-KILL", "-P", "\(outer)"]) }
      let file = "\(state.data)/postmaster.pid"
      let isReady = {
        (try? String(contentsOfFile: file, encoding: .utf8))?.contains("\nready") == true
      }
      try #require(eventually(isReady))
      let children = try ProgramRun.run("pgrep", ["-P", "\(outer)"]).output
      let inner = try #require(UInt(children.lastLines(1)))
      #expect(ProcessStatus.isInContainer(inner))
      #expect(!ProcessStatus.isInContainer(UInt(getpid())))

      let before = try String(contentsOfFile: file, encoding: .utf8)
      let refused = #expect(throws: PrivateServerError.self) {
        try PrivateServer.open(stateDirectory: scratch.state)
      }
      #expect(refused?.code == .busy)
      #expect(refused?.message.contains("a process that this one cannot see") == true)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
      #expect(try ask(first, "select number from kept") == "7")

      // All processes of the namespace end with its first one, and leave their files.
      try #require(try ProgramRun.run("pkill", ["-KILL", "-P", "\(outer)"]).succeeded)
      #expect(eventually { !isRunning(outer) })
      let next = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(next, "select number from kept") == "7")
    }

    @Test("a server whose process is not visible is not replaced, and its files stay")
    func invisible() throws {
      let scratch = try Scratch()
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      let user = try StateDirectory(scratch.state).user
      let file = "\(scratch.state)/data/postmaster.pid"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      // The number is that of no process, as a number of another container can be.
      let lines = ["4194305"] + text.split(separator: "\n").dropFirst().map(String.init)
      let unknown = lines.joined(separator: "\n") + "\n"
      try user.write(unknown, to: file)
      let refused = #expect(throws: PrivateServerError.self) {
        try PrivateServer.open(stateDirectory: scratch.state)
      }
      #expect(refused?.code == .busy)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == unknown)
      try user.write(text, to: file)
      #expect(try ask(server, "select 1") == "1")
    }

    @Test("no server is started while a process that is not visible holds the lock of the last one")
    func heldLock() async throws {
      let scratch = try Scratch()
      let first = try PrivateServer.open(stateDirectory: scratch.state)
      let process = try #require(scratch.serverProcess())
      kill(process, SIGKILL)
      #expect(eventually { !isRunning(process) })
      first.close()
      let holder = try Holder(of: "\(scratch.state)/server.lock")
      defer { holder.end() }
      await #expect(processExitsWith: .success) { [state = scratch.state as String] in
        setenv("TIEOUT_PATIENCE", "3", 1)
        let error = #expect(throws: PrivateServerError.self) {
          try PrivateServer.open(stateDirectory: state)
        }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("in another container") == true)
      }
      #expect(scratch.serverProcess() == process)
      holder.end()
      let next = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(next, "select 1") == "1")
    }
  }
}
