import Testing

@testable import PrivateServer

@Suite("The server's settings") struct ServerSettingsTests {
  private func settings(
    memory: Int, processors: Int = 2, freeDisk: Int = 100 * Machine.gigabyte,
    lasting: Bool = true
  ) throws -> String {
    ServerSettings(
      machine: Machine(
        memory: memory, processors: processors, freeDisk: freeDisk,
        hasLastingSharedMemory: lasting),
      socketFolder: "/s", user: try ServerUser.forNewDataFolder()
    ).server
  }

  @Test(
    "shared_buffers is a quarter of the memory, at least 128 MB and at most 4 GB",
    arguments: [(256, 128), (2048, 512), (65_536, 4096)])
  func sharedBuffers(memory: Int, buffers: Int) throws {
    let text = try settings(memory: memory * Machine.megabyte)
    #expect(text.contains("\nshared_buffers = \(buffers)MB\n"))
  }

  @Test(
    "max_wal_size is an eighth of the free disk space, from 1 GB to 8 GB",
    arguments: [(1, 1024), (32, 4096), (1000, 8192)])
  func journal(free: Int, size: Int) throws {
    let text = try settings(memory: Machine.gigabyte, freeDisk: free * Machine.gigabyte)
    #expect(text.contains("\nmax_wal_size = \(size)MB\n"))
  }

  @Test("parallel queries use files if /dev/shm is too small or is not kept")
  func dynamicSharedMemory() throws {
    let lasting = try settings(memory: Machine.gigabyte)
    let passing = try settings(memory: Machine.gigabyte, lasting: false)
    #expect(lasting.contains("\ndynamic_shared_memory_type = posix\n"))
    #expect(passing.contains("\ndynamic_shared_memory_type = mmap\n"))
  }

  @Test("committed data is durable")
  func durable() throws {
    let text = try settings(memory: Machine.gigabyte)
    for line in ["fsync = on", "full_page_writes = on", "synchronous_commit = on"] {
      #expect(text.contains("\n\(line)\n"))
    }
  }

  @Test("local.conf overrides each value, except those by which the program finds the server")
  func overriding() throws {
    let parts = try settings(memory: Machine.gigabyte).split(
      separator: "\ninclude_if_exists 'local.conf'\n")
    #expect(parts.count == 2)
    let fixed = try #require(parts.last).split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(fixed == ["port = \(SocketFolder.port)", "unix_socket_directories = '/s'"])
  }

  @Test("every setting has a comment above it, alone or for its group")
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
    "buffers, autovacuum and the job together use at most two thirds of any machine's memory",
    arguments: [512, 1024, 2048, 8192, 65_536, 262_144])
  func together(megabytes: Int) throws {
    let text = try settings(memory: megabytes * Machine.megabyte)
    func value(_ name: String) throws -> Int {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name) = ") })
      return try #require(Int(line.drop { !$0.isNumber }.prefix { $0.isNumber }))
    }
    // The job's hash table can have twice its work_mem. Its work_mem is a sixteenth of
    // effective_cache_size.
    let job = try 2 * max(16, min(256, value("effective_cache_size") / 16))
    let sum = try value("shared_buffers") + 3 * value("autovacuum_work_mem") + job
    #expect(sum <= megabytes * 2 / 3)
    #expect(try value("work_mem") * 16 <= megabytes)
  }
}
