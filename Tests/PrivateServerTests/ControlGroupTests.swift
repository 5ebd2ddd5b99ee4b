import Foundation
import TestNeeds
import Testing

@testable import PrivateServer

@Suite("Limits of control groups") struct ControlGroupTests {
  /// Creates a folder of control groups with these files; returns the limits of a process in it.
  private func allowed(
    _ membership: String, _ files: [String: String]
  ) throws -> (memory: Int?, processors: Int?) {
    let root = ShortPath.unused("test")
    defer { try? FileManager.default.removeItem(atPath: root) }
    for (path, text) in files {
      let file = URL(filePath: "\(root)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try "\(text)\n".write(to: file, atomically: true, encoding: .utf8)
    }
    let group = ControlGroup(membership: membership, below: root)
    return (group.memory, group.processors)
  }

  @Test("there is no limit if a file is missing or contains max or the largest number")
  func unlimited() throws {
    for files in [
      [:], ["memory.max": "max", "cpu.max": "max 100000"],
      ["a/memory.max": "max", "a/memory.high": "max", "a/cpu.max": "max 100000"],
      ["a/memory.max": "", "a/cpu.max": "", "a/memory.high": "many"],
    ] {
      let (memory, processors) = try allowed("0::/a\n", files)
      #expect(memory == nil && processors == nil)
    }
    #expect(try allowed("", ["memory.max": "1"]) == (nil, nil))
    #expect(
      try allowed("2:cpu:/\n", ["cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"])
        .processors == nil)
  }

  @Test(
    "a limit of a unit's own group or of any group above it applies", arguments: ["", "a/", "a/b/"])
  func above(place: String) throws {
    let (memory, processors) = try allowed(
      "0::/a/b\n",
      [
        "memory.max": "max", "a/memory.max": "8589934592", "a/b/memory.max": "max",
        "\(place)memory.high": "536870912", "\(place)cpu.max": "150000 100000",
      ])
    #expect(memory == 536_870_912)
    #expect(processors == 2)
  }

  @Test("a container that sees the host's path, but only its own root, has the limit of that root")
  func container() throws {
    let (memory, processors) = try allowed(
      "0::/system.slice/docker-1.scope\n",
      ["memory.max": "1073741824", "cpu.max": "50000 100000"])
    #expect(memory == 1_073_741_824)
    #expect(processors == 1)
  }

  @Test("version 1 has a folder for each controller, also next to version 2")
  func versionOne() throws {
    let (memory, processors) = try allowed(
      "9:name=systemd:/x\n4:memory:/a\n2:cpu,cpuacct:/b\n0::/\n",
      [
        "memory/memory.limit_in_bytes": "9223372036854771712",
        "memory/a/memory.limit_in_bytes": "536870912",
        "cpu,cpuacct/b/cpu.cfs_quota_us": "400000", "cpu,cpuacct/b/cpu.cfs_period_us": "100000",
        "memory/x/memory.limit_in_bytes": "1",
      ])
    #expect(memory == 536_870_912)
    #expect(processors == 4)
  }

  @Test("this machine's size is above zero and at most its real size")
  func here() throws {
    let machine = Machine(dataFolder: "/tmp", user: try ServerUser.forNewDataFolder())
    #expect(machine.memory >= 64 * Machine.megabyte)
    #expect(machine.processors >= 1)
    #expect(machine.processors <= ProcessInfo.processInfo.activeProcessorCount)
  }
}
