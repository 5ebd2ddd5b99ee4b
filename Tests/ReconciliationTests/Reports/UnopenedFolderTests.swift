import Configuration
import Foundation
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("A folder of reports that cannot be opened is not taken for a missing one")
struct UnopenedFolderTests {
  /// A folder that nobody can open, not even root: a link to itself.
  private static func loop(in folder: URL) throws -> String {
    let loop = folder.appending(path: "loop").path
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop")
    return loop
  }

  @Test("closing, approving and reopening end with an error of the reports")
  func closing() throws {
    let night = try TestNight.october()
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    let loop = try Self.loop(in: night.folder)
    let closed = night.reports.appending(path: "closed")
    let moved = night.folder.appending(path: "moved")
    try FileManager.default.moveItem(at: closed, to: moved)
    try FileManager.default.createSymbolicLink(at: closed, withDestinationURL: moved)
    let acts: [(String, (ClosingActs) throws -> Void)] = [
      ("close", { _ = try $0.close(Period("2026-09")) }),
      ("approve", { _ = try $0.approve(Period("2026-10")) }),
      ("reopen", { try $0.reopen(Period("2026-10"), because: "a test") }),
    ]
    for reports in [loop, night.reports.path] {
      night.settings.reports = reports
      for (name, act) in acts {
        let error = #expect(throws: ReconciliationError.self, "\(name)") {
          try act(ClosingActs.of(night))
        }
        #expect(error?.code == .reports, "\(name): \(error?.message ?? "")")
        #expect(error?.message.hasPrefix(reports) == true, "\(name): \(error?.message ?? "")")
      }
    }
    try FileManager.default.removeItem(at: closed)
    try FileManager.default.moveItem(at: moved, to: closed)
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
  }

  @Test("a night that cannot open the folder of the packs says that nothing was published")
  func publishing() throws {
    let night = try TestNight.october()
    try FileManager.default.createSymbolicLink(
      atPath: night.reports.appending(path: "closed").path, withDestinationPath: "closed")
    let error = #expect(throws: ReconciliationError.self) {
      try night.run(asOf: "2026-11-03 03:00")
    }
    #expect(error?.code == .reports)
    let message = error?.message ?? ""
    #expect(message.hasPrefix("\(night.reports.path)/closed cannot be opened: "), "\(message)")
    #expect(message.hasSuffix(" Nothing was published; correct this and start again."))
  }

  @Test("only a missing folder is an argument's error in diff, verify and show")
  func reading() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "unopened-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder.appending(path: "file"))
    let loop = try Self.loop(in: folder)
    let cases: [(path: String, code: ReconciliationError.Code)] = [
      ("\(folder.path)/nowhere", .unknown), ("\(folder.path)/file", .unknown),
      ("\(folder.path)/file/reports", .unknown), (loop, .reports),
    ]
    let commands: [(String, (String) throws -> Void)] = [
      ("diff", { _ = try EditionDiff(reports: $0, before: "latest", after: "latest") }),
      ("verify", { _ = try FolderProof($0) }),
      ("show", { _ = try PublishedEdition(reports: $0, "latest", number: nil) }),
    ]
    for (path, code) in cases {
      for (name, command) in commands {
        let error = #expect(throws: ReconciliationError.self, "\(name)") { try command(path) }
        #expect(error?.code == code, "\(name): \(error?.message ?? "")")
        #expect(error?.message.contains(path) == true, "\(name): \(error?.message ?? "")")
      }
    }
  }
}
