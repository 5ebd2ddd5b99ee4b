import Foundation
import Testing

@testable import PrivateServer

extension Servers {
  @Suite("The server's settings") struct MachineSizes {
    private static let sizes = [
      Machine(
        memory: 256 * Machine.megabyte, processors: 1, freeDisk: 2 * Machine.gigabyte,
        hasLastingSharedMemory: false),
      Machine(
        memory: 512 * Machine.megabyte, processors: 1, freeDisk: 20 * Machine.gigabyte,
        hasLastingSharedMemory: false),
      Machine(
        memory: 8 * Machine.gigabyte, processors: 4, freeDisk: 100 * Machine.gigabyte,
        hasLastingSharedMemory: true),
      Machine(
        memory: 256 * Machine.gigabyte, processors: 128, freeDisk: 10_000 * Machine.gigabyte,
        hasLastingSharedMemory: true),
    ]

    @Test("a real server accepts every line of the settings, on small and large machines")
    func taken() throws {
      let scratch = try Scratch()
      let server = try PrivateServer.open(stateDirectory: scratch.state)
      server.close()
      let state = try StateDirectory(scratch.state)
      let socketFolder = try SocketFolder(of: state)
      for machine in Self.sizes {
        let settings = ServerSettings(
          machine: machine, socketFolder: socketFolder.path, user: state.user)
        try state.user.write(settings.server, to: "\(state.data)/postgresql.conf")
        func control(_ words: String...) throws -> ProgramRun {
          try state.user.run("\(server.programs)/pg_ctl", words + ["-D", state.data, "-w", "-s"])
        }
        let started = try control("start", "-l", state.log)
        try #require(started.succeeded, "\(machine): \(started.output)")
        defer { _ = try? control("stop", "-m", "immediate") }
        let refused = """
          select coalesce(string_agg(name || ': ' || coalesce(error, 'not applied'), ', '), '')
          from pg_file_settings where not applied or error is not null
          """
        #expect(try ask(server, as: "postgres", refused) == "", "\(machine)")
        let lines = settings.server.split(separator: "\n").filter { line in
          line.firstMatch(of: /^[a-z_]+ =/) != nil
        }
        #expect(
          try ask(server, as: "postgres", "select count(*) from pg_file_settings")
            == "\(lines.count)")
      }
    }
  }
}
