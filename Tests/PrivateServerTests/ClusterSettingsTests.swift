import Testing

@testable import PrivateServer

@Suite("The server's settings") struct ClusterSettingsTests {
  private func settings(
    memory: Int, processors: Int = 2, freeDisk: Int = 100 * Machine.gigabyte,
    lasting: Bool = true
  ) throws -> String {
    ClusterSettings(
      machine: Machine(
        memory: memory, processors: processors, freeDisk: freeDisk,
        hasLastingSharedMemory: lasting),
      socketFolder: "/s", user: try ServerUser.forNewCluster()
    ).server
  }

  @Test(
    "memory is shared with the system: a quarter, at least 128 MB and at most 4 GB",
    arguments: [(256, 128), (2048, 512), (65_536, 4096)])
  func sharedBuffers(memory: Int, buffers: Int) throws {
    let text = try settings(memory: memory * Machine.megabyte)
    #expect(text.contains("\nshared_buffers = \(buffers)MB\n"))
  }

  @Test("a small disk gets a small journal", arguments: [(1, 1024), (32, 4096), (1000, 8192)])
  func journal(free: Int, size: Int) throws {
    let text = try settings(memory: Machine.gigabyte, freeDisk: free * Machine.gigabyte)
    #expect(text.contains("\nmax_wal_size = \(size)MB\n"))
  }

  @Test("where /dev/shm is too small or does not last, parallel queries meet in files")
  func dynamicSharedMemory() throws {
    let lasting = try settings(memory: Machine.gigabyte)
    let passing = try settings(memory: Machine.gigabyte, lasting: false)
    #expect(lasting.contains("\ndynamic_shared_memory_type = posix\n"))
    #expect(passing.contains("\ndynamic_shared_memory_type = mmap\n"))
  }

  @Test("what was committed is durable")
  func durable() throws {
    let text = try settings(memory: Machine.gigabyte)
    for line in ["fsync = on", "full_page_writes = on", "synchronous_commit = on"] {
      #expect(text.contains("\n\(line)\n"))
    }
  }
}
