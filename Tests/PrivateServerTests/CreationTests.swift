import Foundation
import Synchronization
import Testing

@testable import PrivateServer

extension Servers {
  @Suite("Creating the data folder") struct Creation {
    @Test("a creation that is killed midway leaves no incomplete data folder")
    func isAtomic() async throws {
      let scratch = try Scratch()
      // The command is killed when the data folder is half complete; initdb itself continues for a
      // while.
      let bin = try scratch.programs(
        "slow",
        overrides: [
          "initdb": #"mkdir -p "$2/base"; touch "$2/half"; sleep 2; test -e "$2/half" && exit 1"#
        ])
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [state = scratch.state as String, bin = bin as String] in
        Thread.detachNewThread {
          while true {
            usleep(10_000)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []
            for name in names where name.hasPrefix("data.new-") {
              if access("\(state)/\(name)/half", F_OK) == 0 { _ = kill(getpid(), SIGKILL) }
            }
          }
        }
        _ = try PrivateServer.open(stateDirectory: state, programs: bin)
      }
      #expect(try scratch.names().contains { $0.hasPrefix("data.new-") })
      #expect(try !scratch.names().contains("data"))

      // The next command waits until the orphaned initdb has ended, and removes its files.
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      #expect(try ask(server, "select 1") == "1")
      #expect(try !scratch.names().contains { $0.hasPrefix("data.new") })
    }

    @Test("a creation removes its files after a failed step, and reports the failure")
    func clearsUp() throws {
      let scratch = try Scratch()
      let bin = try scratch.programs(
        "full",
        overrides: [
          "initdb": #"mkdir -p "$2/base"; echo "initdb: error: No space left on device"; exit 1"#
        ])
      let error = #expect(throws: PrivateServerError.self) {
        try PrivateServer.open(stateDirectory: scratch.state, programs: bin)
      }
      #expect(error?.code == .cannotCreate)
      #expect(error?.message.contains("No space left on device") == true)
      #expect(error?.remedy.hasPrefix("The disk is full") == true)
      #expect(try scratch.names() == ["start.lock"])
    }

    @Test("commands that start at the same time share a new state directory")
    func givesTheFolderOnce() throws {
      let scratch = try Scratch()
      let state = scratch.state
      for round in 1...100 {
        let opened = Mutex<[Result<StateDirectory, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
          let folder = Result { try StateDirectory("\(state)/\(round)") }
          opened.withLock { $0.append(folder) }
        }
        let users = try opened.withLock { $0 }.map { try $0.get().user }
        #expect(users.count == 4 && Set(users.map(\.uid)).count == 1)
      }
    }

    @Test("the data folder is created once, even if four commands start at the same time")
    func happensOnce() throws {
      let scratch = try Scratch()
      let state = scratch.state
      let opened = Mutex<[Result<PrivateServer, any Error>]>([])
      let created = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        let report = ServerReport(info: { line in
          if line.hasPrefix("creating") { created.withLock { $0 += 1 } }
        })
        let server = Result { try PrivateServer.open(stateDirectory: state, report: report) }
        opened.withLock { $0.append(server) }
      }
      let all = try opened.withLock { $0 }.map { try $0.get() }
      #expect(all.count == 4)
      #expect(created.withLock { $0 } == 1)
      for server in all { #expect(try ask(server, "select 1") == "1") }
      DispatchQueue.concurrentPerform(iterations: 4) { all[$0].close() }
      #expect(scratch.serverProcess() == nil)
    }
  }
}
