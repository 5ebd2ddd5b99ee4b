import CLinux
import CopyFormat
import FileSystem
import Foundation
import Glibc
import Intake
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing
@testable import Inbox

/// Files that a hostile user with write access to the inbox could put there.
@Suite("A hostile inbox") struct HostileInboxTests {
  private let asOf = "2026-11-20 03:00"
  private static let secret = "planted-secret-0123456789"

  private func night() throws -> TestNight {
    let night = try TestNight()
    try night.put(deliveryLines(1...1), at: "deliveries/good.ndjson")
    try Data(Self.secret.utf8).write(to: night.folder.appending(path: "secret"))
    return night
  }

  private func rejections(_ night: TestNight) throws -> [[String]] {
    try night.table("rejected_records.csv").columns(["file", "kind", "reason"]).rows
  }

  @Test(
    "links are followed inside the inbox; targets outside it are in no report and no table"
  )
  func links() throws {
    let night = try night()
    let folder = night.inbox.appending(path: "deliveries").path
    let links: [(name: String, target: String, reason: String?)] = [
      ("absolute", night.folder.appending(path: "secret").path, "link_outside"),
      ("chain", "absolute", "link_outside"),
      ("dangling", "nowhere", "unreadable"),
      ("environment", "/proc/self/environ", "link_outside"),
      ("folder", "below", "not_a_file"),
      ("inside", "good.ndjson", nil),
      ("insideAbsolute", "\(folder)/good.ndjson", nil),
      ("loop", "loop", "unreadable"),
      ("memory", "/proc/self/mem", "link_outside"),
      ("null", "/dev/null", "link_outside"),
      ("outside", "../../secret", "link_outside"),
      ("outsideFolder", "../..", "link_outside"),
      ("settings", "../../../../etc/passwd", "link_outside"),
      ("shadow", "/etc/shadow", "link_outside"),
    ]
    try FileManager.default.createDirectory(
      atPath: "\(folder)/below", withIntermediateDirectories: false)
    for link in links { try #require(symlink(link.target, "\(folder)/\(link.name)") == 0) }
    let summary = try night.run(asOf: asOf)
    // Two links to the good file are the same file.
    #expect(counts("deliveries", summary) == [1, 1, 0, 0])
    #expect(counts("files", summary) == [15, 1, 2, 12])
    #expect(
      try rejections(night)
        == links.compactMap { link in
          link.reason.map { ["deliveries/\(link.name)", "file", $0] }
        })
    let report = try night.report("rejected_records.csv")
    #expect(!report.contains(Self.secret) && !report.contains("PATH="))
    #expect(!report.contains("root:"))
    let kept = try night.database.draw("select one::text from tieout.rejection as one")
    #expect(!kept.contains(Self.secret) && !kept.contains("root:"))
    for link in links where link.reason != nil {
      for name in ["deliveries/\(link.name)", "\(folder)/\(link.name)"] {
        let error = try #require(throws: ReconciliationError.self) { try night.withdraw(name) }
        #expect(error.code == .unknown && "\(error)".contains("No run reads it"), "\(error)")
      }
    }
    #expect(try night.database.draw("select count(*) as n from withdrawal") == "n\n0")
  }

  @Test(
    "a folder of the inbox that is a link out of it is rejected, and the other folders are read")
  func folders() throws {
    let night = try night()
    try FileManager.default.removeItem(at: night.inbox.appending(path: "receipts"))
    try #require(symlink("/etc", night.inbox.appending(path: "receipts").path) == 0)
    let summary = try night.run(asOf: asOf)
    #expect(counts("deliveries", summary) == [1, 1, 0, 0])
    #expect(try rejections(night) == [["receipts", "file", "link_outside"]])
  }

  @Test("pipes, sockets and devices are not opened")
  func others() throws {
    let night = try night()
    let folder = night.inbox.appending(path: "deliveries").path
    try #require(mkfifo("\(folder)/pipe", 0o666) == 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    // A path that is short enough for a socket, whatever the test's folder is called.
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    let path = "/proc/self/fd/\(descriptor)/socket"
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(isBound == 0)
    var expected = ["pipe", "socket"]
    // /dev/zero has the numbers 1 and 5. Only root makes devices, and not in every container.
    if mknod("\(folder)/device", S_IFCHR | 0o666, 1 << 8 | 5) == 0 { expected.append("device") }
    try night.run(asOf: asOf)
    #expect(
      try rejections(night)
        == expected.sorted().map { ["deliveries/\($0)", "file", "not_a_file"] })
    // No process has opened the pipe for reading: a writer still finds no reader.
    #expect(open("\(folder)/pipe", O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO)
  }

  /// Makes nested folders, one for each name, and puts a file into the last one.
  private func put(_ text: String, below night: TestNight, names: [String]) throws {
    var folder = open(night.inbox.appending(path: "deliveries").path, O_RDONLY | O_DIRECTORY)
    for name in names {
      try #require(mkdirat(folder, name, 0o755) == 0)
      let next = openat(folder, name, O_RDONLY | O_DIRECTORY)
      close(folder)
      folder = next
    }
    let file = openat(folder, "file.ndjson", O_WRONLY | O_CREAT, 0o644)
    try #require(write(file, text, text.utf8.count) == text.utf8.count)
    close(file)
    close(folder)
  }

  /// A name that cannot be compressed.
  private func name(_ length: Int) -> String {
    String(
      (0..<length).map { _ in
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".randomElement() ?? "a"
      })
  }

  @Test("a path longer than Linux takes in one call is one rejection, and the night goes on")
  func longPath() throws {
    let night = try night()
    let names = (1...30).map { _ in name(200) }
    try put(deliveryLines(2...2), below: night, names: names)
    // Foundation cannot remove the folders by path.
    defer { removeDeep(night.inbox.path) }
    for _ in 1...2 {
      let summary = try night.run(asOf: asOf)
      #expect(summary.rejected == 1)
      let rejected = try night.table("rejected_records.csv")
      #expect(rejected.columns(["reason"]).rows.allSatisfy { $0 == ["path_too_long"] })
    }
    let file = try night.table("rejected_records.csv").columns(["file"]).rows[0][0]
    #expect(file.utf8.count < Inbox.longestPath + 256 && file.hasPrefix("deliveries/\(names[0])/"))
  }

  private func removeDeep(_ path: String) {
    let program = Process()
    program.executableURL = URL(filePath: "/bin/rm")
    program.arguments = ["-rf", path]
    try? program.run()
    program.waitUntilExit()
  }

  @Test("a path of the maximum length is loaded, whatever characters its names have")
  func longestPath() throws {
    let night = try night()
    let room = Inbox.longestPath - night.inbox.appending(path: "deliveries").path.utf8.count
    let names = (1..<room / 201).map { _ in name(200) }
    let rest = room - names.count * 201 - "/file.ndjson".utf8.count - 1
    try put(deliveryLines(2...2), below: night, names: names + [name(rest)])
    #expect(counts("deliveries", try night.run(asOf: asOf)) == [2, 2, 0, 0])
    #expect(try night.run(asOf: asOf).unchangedFiles == 2)
  }

  @Test("a thousand nested folders are read")
  func depth() throws {
    let night = try night()
    try put(deliveryLines(2...2), below: night, names: Array(repeating: "a", count: 1000))
    #expect(counts("deliveries", try night.run(asOf: asOf)) == [2, 2, 0, 0])
  }

  @Test("nothing outside is read when folders become links while they are walked")
  func race() throws {
    let night = try night()
    let folder = night.inbox.appending(path: "deliveries").path
    let outside = night.folder.appending(path: "outside").path
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
    try Data("\(Self.secret)\n".utf8).write(to: URL(filePath: "\(outside)/file"))
    try night.put("nonsense\n", at: "deliveries/swapped/file")
    try #require(symlink(outside, "\(folder)/other") == 0)
    let swapper = open(folder, O_RDONLY | O_DIRECTORY)
    defer { close(swapper) }
    let isOver = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    Thread {
      while isOver.wait(timeout: .now()) == .timedOut {
        _ = tieoutExchange(swapper, "swapped", "other")
      }
      hasEnded.signal()
    }.start()
    // Also after an error: the thread would use a processor until the end of the process.
    defer {
      isOver.signal()
      hasEnded.wait()
    }
    var reasons: Set<String> = []
    let parser = RecordParser()
    for _ in 0..<1500 {
      for file in try Inbox.files(of: Inbox.open(night.settings)).files {
        let reader = FileReader(
          file.place, refusal: file.refusal, folder: file.folder, fileID: 1,
          settings: IntakeSettings())
        var rows = StagedRows()
        while let block = reader.next() { block.parse(with: parser, into: &rows) }
        let text = String(decoding: rows.rejections.bytes, as: UTF8.self)
        #expect(!text.contains(Self.secret))
        if text.contains("nonsense") { reasons.insert("inside") }
        if let reason = reader.fileRejection?.reason.rawValue { reasons.insert(reason) }
      }
    }
    // Both were seen, so folders did become links during the walks.
    #expect(reasons.isSuperset(of: ["inside", "link_outside"]), "\(reasons)")
  }

  @Test("invisible characters in a name are made visible, so that they harm no terminal")
  func visible() throws {
    let night = try TestNight()
    let database = try night.database.connect()
    // All characters that PostgreSQL stores, one plane at a time.
    for plane in UInt32(0)...16 {
      var text = String.UnicodeScalarView()
      for value in plane << 16...(plane << 16 | 0xffff) where value > 0 {
        if let scalar = Unicode.Scalar(value) { text.append(scalar) }
      }
      let seen = try database.run(
        "select tieout.visible_text($1)", [String(text)], step: "ask"
      ).first
      #expect(seen == shown(String(text)), "plane \(plane)")
    }
  }
}
