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
  }
}
