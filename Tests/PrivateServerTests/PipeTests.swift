import Glibc
import Testing

@testable import PrivateServer

@Suite("Pipes")
struct PipeTests {
  @Test("no program inherits an end of a pipe unless it is given to it")
  func inheritance() throws {
    let pipe = try #require(Pipe())
    for end in [pipe.readEnd, pipe.writeEnd] {
      #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0)
    }
  }
}
