import Configuration
import FileSystem
import Intake
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing
@testable import Inbox

@Suite("Files that are read")
struct KnownPathsTests {
  /// Names whose order by bytes is not that of any language.
  ///
  /// Two of them are equal for Swift (the two é).
  private static let names = [
    "A", "B.csv", "Z", "a", "a b", "a-b", "a.b", "a/a", "a/b/c", "aa", "b", "e\u{301}", "z",
    "\u{e9}", "\u{fffd}", "\u{1f600}",
  ].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }

  private static func file(_ name: String, bytes: Int = 7) -> InboxFile {
    InboxFile(
      path: "receipts/\(name)", place: FilePlace(anywhere: "/inbox/receipts/\(name)"),
      folder: .receipts,
      status: FileStatus(bytes: Int64(bytes), modifiedNanoseconds: 5, inode: UInt64.max - 3))
  }

  @Test("unknown and changed files are read, however many paths are looked up at a time")
  func agree() throws {
    let night = try TestNight()
    try night.put(#"["book"]"#, at: "catalog/app.json")
    try night.run(asOf: "2026-11-20 03:00")
    let database = try night.database.connect()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<40 {
      try database.run("truncate tieout.inbox_path", step: "forget")
      var known: [String: Int] = [:]
      for name in Self.names where Bool.random(using: &random) {
        let bytes = Int.random(in: 6...7, using: &random)
        known[Array(name.utf8).description] = bytes
        try database.run(
          """
          insert into tieout.inbox_path (path, bytes, modified_ns, inode, file_id)
          select $1, $2::bigint, 5, -4, min(file_id) from tieout.input_file
          """, ["/inbox/receipts/\(name)", "\(bytes)"], step: "know")
      }
      let files = Self.names.filter { _ in Bool.random(using: &random) }
      let expected = files.filter { known[Array($0.utf8).description] != 7 }
      for pageSize in 1...Self.names.count + 1 {
        let unread = try KnownPaths(
          database: database, settings: Settings().recorded, pageSize: pageSize
        ).unread(files.map { Self.file($0) })
        #expect(
          unread.map { Array($0.path.utf8) } == expected.map { Array("receipts/\($0)".utf8) })
      }
    }
  }
}
