import Glibc
import PostgreSQL
import Testing
import Waiting

@Suite("The system allows no further thread")
struct NoThreadTests {
  @Test("no server seems to be silent or out of reach")
  func connecting() async {
    await #expect(processExitsWith: .success) {
      let usual = try NoThreadTests.setStack(of: 1 << 60)
      #expect(throws: ThreadError.self) { try ServerSign(of: "host=/nowhere") }
      let error = #expect(throws: PostgreSQLError.self) {
        try Connection("host=/nowhere", applicationName: "tieout test")
      }
      #expect(error?.code == .noThread)
      #expect(error?.message.hasPrefix("The system allows no further thread") == true)
      _ = try NoThreadTests.setStack(of: usual)
      #expect(try ServerSign(of: "host=/nowhere") == .silent)
      #expect(try ServerSign(of: "host=/nowhere sslmode=verify_full") == .notTried)
    }
  }

  /// Sets the size of the stack of each new thread; if no address space has room for it, none
  /// starts.
  ///
  /// - Returns: The size until now.
  static func setStack(of bytes: Int) throws -> Int {
    // The headers hide these functions of the C library from Swift.
    typealias Call = @convention(c) (UnsafeMutablePointer<pthread_attr_t>) -> Int32
    func call(_ name: String) throws -> Call {
      let symbol: UnsafeMutableRawPointer? = dlsym(nil, name)
      return unsafeBitCast(try #require(symbol), to: Call.self)
    }
    let (read, write) = try (call("pthread_getattr_default_np"), call("pthread_setattr_default_np"))
    return try withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { place in
      let attributes = try #require(place.baseAddress)
      let isRead = read(attributes) == 0
      try #require(isRead)
      defer { pthread_attr_destroy(attributes) }
      var usual = 0
      pthread_attr_getstacksize(attributes, &usual)
      pthread_attr_setstacksize(attributes, bytes)
      let isWritten = write(attributes) == 0
      try #require(isWritten)
      return usual
    }
  }
}
