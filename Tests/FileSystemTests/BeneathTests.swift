import Foundation
import Glibc
import Testing

@testable import FileSystem

@Suite("A file below a folder") struct BeneathTests {
  /// What opening came to: the file's text, or the error's number.
  private enum Outcome: Equatable {
    case text(String)
    case error(Int32)
  }

  private func outcome(_ path: String, in scratch: Scratch) -> Outcome {
    do throws(FileSystemError) {
      let bytes = try FilePlace(path, in: scratch.inside).contents(atMost: 1000)
      return .text(String(decoding: bytes, as: UTF8.self))
    } catch {
      return .error(error.code)
    }
  }

  /// The same where the kernel has no openat2.
  private func walked(_ path: String, in scratch: Scratch) -> Outcome {
    do throws(FileSystemError) {
      let file = try scratch.inside.walk(
        beneath: path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
      defer { close(file) }
      guard try FileStatus(ofOpen: file, path).kind == .file else { return .error(EINVAL) }
      var bytes = [UInt8](repeating: 0, count: 1000)
      let count = read(file, &bytes, bytes.count)
      return .text(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
    } catch {
      return .error(error.code)
    }
  }

  @Test(
    "is opened over links that stay below it, and over no link that leads out; with and without openat2"
  )
  func links() throws {
    let scratch = try Scratch()
    try scratch.put("plain", at: "a/b/file")
    let root = "\(scratch.path)/inside"
    let links: [(name: String, target: String, expected: Outcome)] = [
      ("beside", "a/b/file", .text("plain")),
      ("a/up", "../a/b/file", .text("plain")),
      ("absolute", "\(root)/a/b/file", .text("plain")),
      ("dots", "./a/./b/../b/file", .text("plain")),
      ("chain", "a/up", .text("plain")),
      ("folder", "a/b", .error(EINVAL)),
      ("itself", ".", .error(EINVAL)),
      ("out", "../secret", .error(EXDEV)),
      ("a/b/out", "../../../secret", .error(EXDEV)),
      ("absoluteOut", scratch.secret, .error(EXDEV)),
      ("chainOut", "a/b/out", .error(EXDEV)),
      ("outAndBack", "../inside/a/b/file", .error(EXDEV)),
      ("shadow", "/etc/shadow", .error(EXDEV)),
      ("environment", "/proc/self/environ", .error(EXDEV)),
      ("descriptor", "/proc/self/fd/0", .error(EXDEV)),
      ("zero", "/dev/zero", .error(EXDEV)),
      ("gone", "nowhere", .error(ENOENT)),
      ("loop", "loop", .error(ELOOP)),
      ("one", "other", .error(ELOOP)),
      ("other", "one", .error(ELOOP)),
      ("throughFile", "a/b/file/x", .error(ENOTDIR)),
    ]
    for link in links { try scratch.link(link.name, to: link.target) }
    for link in links {
      #expect(outcome(link.name, in: scratch) == link.expected, "\(link.name)")
      #expect(walked(link.name, in: scratch) == link.expected, "\(link.name)")
    }
    // A link to a folder on the way.
    try scratch.link("way", to: "a")
    try scratch.link("wayOut", to: "..")
    for (path, expected) in [
      ("way/b/file", Outcome.text("plain")), ("wayOut/secret", .error(EXDEV)),
      ("../secret", .error(EXDEV)), ("a/../../secret", .error(EXDEV)),
      ("/etc/passwd", .error(EXDEV)),
    ] where !path.hasPrefix("/") {
      #expect(outcome(path, in: scratch) == expected, "\(path)")
      #expect(walked(path, in: scratch) == expected, "\(path)")
    }
  }

  @Test("is not opened where it is a pipe, a socket, a device or made up by the system")
  func others() throws {
    let scratch = try Scratch()
    let pipe = "\(scratch.path)/inside/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    #expect(outcome("pipe", in: scratch) == .error(EINVAL))
    // A writer still waits for the first reader.
    #expect(open(pipe, O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO)
    for path in [
      "/dev/zero", "/dev/null", "/proc/self/environ", "/proc/version", "/sys/kernel/notes",
    ]
    where FileManager.default.fileExists(atPath: path) {
      let error = #expect(throws: FileSystemError.self, "\(path)") {
        try FilePlace(anywhere: path).contents(atMost: 10)
      }
      #expect(error?.code == EINVAL)
    }
    let folder = try OpenFolder("/proc/self")
    #expect(throws: FileSystemError.self) { try folder.entries() }
  }

  @Test("is never one outside, even if folders are swapped for links meanwhile")
  func race() throws {
    let scratch = try Scratch()
    try scratch.put("plain", at: "a/file")
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/outside", withIntermediateDirectories: true)
    try scratch.put("secret", at: "../outside/file")
    try scratch.link("b", to: "../outside")
    let swapper = OpenFolder(
      path: "", descriptor: openat(scratch.inside.descriptor, ".", O_RDONLY | O_DIRECTORY))
    let isOver = Flag()
    let thread = Thread {
      while !isOver.isSet { _ = swapper.exchange("a", "b") }
      isOver.end()
    }
    thread.start()
    var seen: Set<String> = []
    for _ in 0..<4000 {
      for outcome in [outcome("a/file", in: scratch), walked("a/file", in: scratch)] {
        if case .text(let text) = outcome { seen.insert(text) }
      }
    }
    isOver.set()
    isOver.waitForEnd()
    #expect(seen == ["plain"])
  }
}

/// Something that one thread tells another.
private final class Flag: @unchecked Sendable {
  private let condition = NSCondition()
  private var value = false
  private var hasEnded = false

  var isSet: Bool { condition.withLock { value } }
  func set() { condition.withLock { value = true } }
  func end() {
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }
  func waitForEnd() {
    condition.withLock { while !hasEnded { condition.wait() } }
  }
}
