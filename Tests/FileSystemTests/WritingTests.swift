import Dispatch
import Foundation
import Glibc
import Synchronization
import TestNeeds
import Testing

@testable import FileSystem

@Suite("Writing files") struct WritingTests {
  @Test("a write replaces a link at the file's path and does not follow it")
  func plantedFile() throws {
    let scratch = try Scratch()
    try scratch.link("report", to: "../secret")
    try scratch.inside.write([1, 2], as: "report", mode: 0o640)
    #expect(try Data(contentsOf: URL(filePath: scratch.secret)) == Data("secret".utf8))
    #expect(scratch.inside.status(of: "report")?.kind == .file)
    #expect(try FilePlace("report", in: scratch.inside).contents(atMost: 10) == [1, 2])
    // A file that is created to be written in pieces must not exist.
    try scratch.link("new", to: "../secret")
    let error = #expect(throws: FileSystemError.self) {
      try scratch.inside.create("new", mode: 0o640)
    }
    #expect(error?.code == EEXIST)
    #expect(try scratch.inside.entries().map(\.name).sorted() == ["a", "new", "report"])
  }

  @Test("a write does not enter a folder through a link")
  func plantedFolder() throws {
    let scratch = try Scratch()
    try scratch.link("catalog", to: "..")
    try scratch.link("a/fetched", to: "/etc")
    for (path, code) in [("catalog/fetched", ELOOP), ("a/fetched/x", ELOOP), ("a/../..", EXDEV)] {
      let error = #expect(throws: FileSystemError.self, "\(path)") {
        _ = try scratch.inside.folder(path, making: 0o750)
      }
      #expect(error?.code == code && error?.isNotThere == false, "\(path)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/fetched"))
    let made = try scratch.inside.folder("x/y/z", making: 0o750)
    try made.write([7], as: "file", mode: 0o600)
    #expect(scratch.text("x/y/z/file") == "\u{7}")
  }

  @Test("the same folders can be made by several at once")
  func madeAtOnce() throws {
    let scratch = try Scratch()
    let inside = scratch.inside
    let failures = Mutex<[String]>([])
    for round in 1...100 {
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do { _ = try inside.folder("\(round)/x/y", making: 0o750) } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    let failed = failures.withLock { $0 }
    #expect(failed == [])
    // A folder that must be new is still refused.
    let error = #expect(throws: FileSystemError.self) { try inside.makeFolder("1", mode: 0o750) }
    #expect(error?.code == EEXIST)
  }

  @Test("a write goes to the folder that was opened, even if another folder has its name now")
  func movedFolder() throws {
    let scratch = try Scratch()
    let folder = try scratch.inside.folder("a")
    try scratch.inside.rename("a", to: "elsewhere")
    try scratch.link("a", to: "..")
    try folder.write([7], as: "file", mode: 0o600)
    #expect(scratch.text("elsewhere/file") != nil)
    #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/file"))
    #expect(!folder.isAtItsPath && scratch.inside.isAtItsPath)
  }

  @Test("a removal does not remove the target of a link in the folder")
  func removed() throws {
    let scratch = try Scratch()
    try scratch.put("x", at: "a/b/file")
    try scratch.link("a/b/out", to: "../../..")
    try scratch.link("linked", to: "../../\(URL(filePath: scratch.path).lastPathComponent)")
    try scratch.inside.remove("linked")
    try scratch.inside.remove("a")
    try scratch.inside.remove("nowhere")
    #expect(try scratch.inside.entries().isEmpty)
    #expect(FileManager.default.fileExists(atPath: scratch.secret))
  }

  @Test("a file that its check refuses never appears, and a file has its mode from the beginning")
  func checked() async throws {
    struct Refusal: Error {}
    let scratch = try Scratch()
    #expect(throws: Refusal.self) {
      try scratch.inside.write([1], as: "file", mode: 0o644) { place in
        #expect(try place.contents(atMost: 10) == [1])
        throw Refusal()
      }
    }
    #expect(try scratch.inside.entries().map(\.name) == ["a"])
    // Other tests of this process create files at the same time.
    await #expect(processExitsWith: .success) { [path = "\(scratch.path)/inside" as String] in
      umask(0o077)
      try OpenFolder(path).write([1], as: "file", mode: 0o644)
      var status = stat()
      #expect(stat("\(path)/file", &status) == 0 && status.st_mode & 0o777 == 0o644)
    }
  }

  @Test("hidden temporary files of processes that have ended are removed after an hour")
  func remains() throws {
    let scratch = try Scratch()
    let own = ".tieout.\(getpid()).a.tmp"
    let ended = ".tieout.999999999.a.tmp"
    let ofAnotherMachine = ".tieout.999999999.b.tmp"
    for name in [ended, ofAnotherMachine, own, ".tieout.x.tmp", ".other.tmp"] {
      try scratch.put("half", at: name)
      if name == ofAnotherMachine { continue }
      try FileManager.default.setAttributes(
        [.modificationDate: Date.now.addingTimeInterval(-3700)],
        ofItemAtPath: "\(scratch.path)/inside/\(name)")
    }
    scratch.inside.removeRemains()
    #expect(
      try scratch.inside.entries().map(\.name).sorted()
        == [".other.tmp", own, ofAnotherMachine, ".tieout.x.tmp", "a"].sorted())
  }

  @Test(
    "root does not follow a link of another user",
    .needsRoot("only root can create links of another user"))
  func linkOfAnother() throws {
    let scratch = try Scratch()
    try scratch.link("own", to: "a")
    _ = try OpenFolder("\(scratch.path)/inside/own/b")
    try scratch.link("foreign", to: "a")
    try #require(lchown("\(scratch.path)/inside/foreign", 65_534, 65_534) == 0)
    let error = #expect(throws: FileSystemError.self) {
      try OpenFolder("\(scratch.path)/inside/foreign/b")
    }
    #expect(
      error?.words == "foreign on the way is a link of another user, which root does not follow")
    #expect(throws: FileSystemError.self) {
      try OpenFolder("\(scratch.path)/inside/foreign/made", making: 0o755)
    }
    #expect(scratch.inside.status(of: "made") == nil)
  }

  @Test(
    "what root creates in the folder of another user belongs to that user",
    .needsRoot("only root can create files for another user"))
  func folderOfAnother() throws {
    let scratch = try Scratch()
    try #require(chown("\(scratch.path)/inside", 65_534, 65_534) == 0)
    try scratch.inside.write([1], as: "file", mode: 0o640)
    try scratch.inside.folder("made", making: 0o750).write([1], as: "file", mode: 0o640)
    for name in ["file", "made", "made/file"] {
      var status = stat()
      #expect(stat("\(scratch.path)/inside/\(name)", &status) == 0 && status.st_uid == 65_534)
    }
  }

  @Test("a folder that everybody may write counts as open only without the sticky bit")
  func everybody() throws {
    let scratch = try Scratch()
    for (mode, isOpen) in [(0o755, false), (0o777, true), (0o1777, false), (0o775, false)]
      as [(mode_t, Bool)]
    {
      try #require(chmod("\(scratch.path)/inside", mode) == 0)
      #expect(scratch.inside.mayBeChangedByAnybody == isOpen, "\(mode)")
    }
  }
}
