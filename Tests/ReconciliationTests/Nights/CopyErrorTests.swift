import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("Errors while rows arrive")
struct CopyErrorTests {
  @Test("the error of the receiver is thrown, even if the server then does not answer")
  func suspended() async throws {
    let database = try ScratchDatabase()
    await #expect(processExitsWith: .success) {
      [database = database.connectionString as String] in
      setenv("TIEOUT_PATIENCE", "1", 1)
      struct FullDisk: Error {}
      let connection = try Connection(database, applicationName: "tieout test")
      let number = try connection.run("select pg_backend_pid()", step: "test").first
      let backend = try #require(pid_t(number ?? ""))
      defer { kill(backend, SIGCONT) }
      #expect(throws: FullDisk.self) {
        try connection.copyCSV(
          "select repeat('x', 1000) from generate_series(1, 1000000)", step: "test"
        ) { _ in
          kill(backend, SIGSTOP)
          throw FullDisk()
        }
      }
    }
    withExtendedLifetime(database) {}
  }
}
