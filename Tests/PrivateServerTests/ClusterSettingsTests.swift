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

  @Test("every line has its reason above it, alone or with those that share it")
  func reasons() throws {
    var hasReason = false
    for line in try settings(memory: Machine.gigabyte).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.isEmpty { hasReason = false }
      if line.hasPrefix("# ") { hasReason = true }
      if line.contains(" = ") && !line.hasPrefix("#") { #expect(hasReason, "\(line)") }
    }
  }

  @Test(
    "what all take together leaves room on any machine: buffers, autovacuum, and the job itself",
    arguments: [512, 1024, 2048, 8192, 65_536, 262_144])
  func together(megabytes: Int) throws {
    let text = try settings(memory: megabytes * Machine.megabyte)
    func value(_ name: String) throws -> Int {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name) = ") })
      return try #require(Int(line.drop { !$0.isNumber }.prefix { $0.isNumber }))
    }
    // The job's hash table is twice its work_mem, a sixteenth of effective_cache_size.
    let job = try 2 * max(16, min(256, value("effective_cache_size") / 16))
    let sum = try value("shared_buffers") + 3 * value("autovacuum_work_mem") + job
    #expect(sum <= megabytes * 2 / 3)
    #expect(try value("work_mem") * 16 <= megabytes)
  }
}
