import Configuration
import Foundation
import NightRun
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("The reports folder of a database")
struct FolderDoubtTests {
  private static func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("a run says if the folder has lost its editions", arguments: [true, false])
  func away(isEmpty: Bool) throws {
    let night = try TestNight()
    try night.run(asOf: "2026-11-19 03:00")
    let elsewhere = night.folder.appending(path: "mounted")
    try FileManager.default.moveItem(at: night.reports, to: elsewhere)
    if isEmpty {
      try FileManager.default.createDirectory(at: night.reports, withIntermediateDirectories: true)
    }
    let away = try night.run(asOf: "2026-11-20 03:00")
    let words = try #require(away.folderDoubt)
    #expect(words.contains("had no editions, although"))
    #expect(words.contains("the newest edition for 2026-11-19"))
    #expect(away.warnings.contains(words))
    #expect(away.head?.publication == 1)
    // The disk is back, without that day.
    try FileManager.default.removeItem(at: night.reports)
    try FileManager.default.moveItem(at: elsewhere, to: night.reports)
    let again = try night.run(asOf: "2026-11-20 03:00")
    #expect(again.head?.publication == 2)
    #expect(again.folderDoubt == nil)
  }

  @Test("a run says if the folder was replaced with an older copy")
  func olderCopy() throws {
    let night = try TestNight()
    try night.run(asOf: "2026-11-18 03:00")
    try night.restoringReports {
      for day in 19...20 { try night.run(asOf: "2026-11-\(day) 03:00") }
    }
    let later = try night.run(asOf: "2026-11-21 03:00")
    let words = try #require(later.folderDoubt)
    #expect(words.contains("was of 2026-11-18, although this database has published there"))
    #expect(words.contains("there for 2026-11-20."))
    #expect(later.warnings.contains(words))
    #expect(later.head?.publication == 2)
    #expect(try night.run(asOf: "2026-11-22 03:00").folderDoubt == nil)
  }

  @Test("a second run of the newest day says that the folder was replaced with an older copy")
  func olderCopyInSecondRun() throws {
    let night = try TestNight()
    try night.run(asOf: "2026-11-18 03:00")
    try night.restoringReports {
      for day in 19...20 { try night.run(asOf: "2026-11-\(day) 03:00") }
    }
    let again = try night.run(asOf: "2026-11-20 04:00")
    #expect(again.folderDoubt?.contains("there for 2026-11-19.") == true, "\(again.warnings)")
  }

  @Test("an empty list of editions begins a new chain on purpose")
  func beginsAgain() throws {
    let night = try TestNight()
    try night.run(asOf: "2026-11-19 03:00")
    try FileManager.default.removeItem(at: night.reports)
    try night.put("", at: "../reports/editions.txt")
    let again = try night.run(asOf: "2026-11-20 03:00")
    #expect(again.head?.publication == 1)
    #expect(again.folderDoubt == nil)
    // Old folders may be removed one by one, because the list stays.
    try FileManager.default.removeItem(at: night.reports.appending(path: "2026-11-20"))
    #expect(try night.run(asOf: "2026-11-21 03:00").head?.publication == 2)
  }

  @Test("each run says so while two databases publish into one folder, whatever the edition")
  func twoDatabases() throws {
    let (one, other) = (try TestNight(), try TestNight())
    other.settings.reports = one.settings.reports
    try one.run(asOf: "2026-11-19 03:00")
    #expect(try one.run(asOf: "2026-11-20 03:00").folderDoubt == nil)
    try other.put("{", at: "receipts/bad.json")
    // Nights of two jobs often begin in the same second.
    for (night, asOf) in [
      (other, "2026-11-20 03:00"), (one, "2026-11-21 03:00"), (other, "2026-11-21 03:00"),
    ] {
      let summary = try night.run(asOf: asOf)
      let words = try #require(summary.folderDoubt, "\(asOf)")
      #expect(words.contains("was not published from this database"))
      #expect(words.hasSuffix("and this is said until a run has published there."))
      #expect(summary.warnings.contains(words))
    }
    #expect(try other.run(asOf: "2026-11-22 03:00").folderDoubt == nil, "as after a restore")
  }

  @Test("the first run in another folder names the folder of the runs before")
  func another() throws {
    let night = try TestNight()
    try night.run(asOf: "2026-11-19 03:00")
    let old = night.settings.reports
    night.settings.reports = night.folder.appending(path: "new").path
    let first = try night.run(asOf: "2026-11-20 03:00")
    #expect(first.warnings.contains { $0.hasSuffix("Earlier runs have published in \(old).") })
    #expect(first.folderDoubt == nil)
    #expect(try !night.run(asOf: "2026-11-21 03:00").warnings.contains { $0.contains(old) })
    #expect(try Self.names(URL(filePath: old)).contains("2026-11-19"))
  }
}
