import Configuration
import Foundation
import Inbox
import NightRun
import ReconciliationTestSupport
import Runs
import Testing

/// Files that are checked without a database.
@Suite("Checked files") struct FileCheckTests {
  /// A folder that is deleted after the test.
  private final class Scratch {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "check-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
      try? FileManager.default.removeItem(at: folder)
    }

    /// The path of a file below the folder.
    ///
    /// Folders on the way are created.
    func place(_ path: String) throws -> String {
      let place = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      return place.path
    }

    func put(_ bytes: Data, at path: String) throws -> String {
      let place = try place(path)
      try bytes.write(to: URL(filePath: place))
      return place
    }
  }

  private static func check(
    _ path: String, _ settings: Settings = Settings(), for folder: String? = nil
  ) throws -> [CheckedFile] {
    var files: [CheckedFile] = []
    try FileCheck(settings: settings, folder: folder).check(path) {
      files.append($0)
    }
    return files
  }

  @Test("a file in a misspelled folder of the inbox is rejected, as a run rejects the folder")
  func misspelledFolder() throws {
    let scratch = try Scratch()
    var settings = Settings()
    settings.inbox = scratch.folder.appending(path: "inbox").path
    let log = Data(deliveryLines(1...1).utf8)
    let files = try ["inbox/Deliveries/a.ndjson", "Deliveries/a.ndjson"].map {
      try scratch.put(log, at: $0)
    }
    #expect(
      try Self.check(settings.inbox, settings).flatMap(\.rejections).map(\.reason)
        == ["misspelled_folder"])
    #expect(
      try Self.check(files[0], settings).flatMap(\.rejections).map(\.reason)
        == ["misspelled_folder"])
    // Outside the inbox a folder may have any name.
    #expect(try Self.check(files[1], settings).flatMap(\.rejections).isEmpty)
  }

  private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "sample")

  /// The files of the sample inbox, as paths below it.
  private static func sampleFiles() throws -> [String] {
    let inbox = sample.appending(path: "inbox")
    return try FileManager.default.subpathsOfDirectory(atPath: inbox.path).sorted().filter { path in
      var isFolder: ObjCBool = false
      let place = inbox.appending(path: path).path
      return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  private static func sampleSettings() throws -> Settings {
    try Settings.load(
      file: sample.appending(path: "tieout.yaml").path, explicitFile: true, environment: [:])
  }

  @Test(
    "files that a night rejects are rejected for the same reasons at the same lines",
    arguments: NastyFile.ofText + NastyFile.ofValues + NastyFile.ofPlaces)
  func nasty(nasty: NastyFile) throws {
    let inbox = try Scratch()
    try nasty.make(at: inbox.place(nasty.path))
    var settings = Settings()
    if let limit = nasty.documentLimitBytes { settings.documentLimitBytes = limit }
    var expected: [String: [Int?]] = [:]
    for rejection in nasty.rejections {
      let words = rejection.split(separator: " ", omittingEmptySubsequences: false)
      expected[words.dropFirst().joined(separator: " "), default: []].append(Int(words[0]))
    }
    let files = try Self.check(inbox.folder.path, settings)
    try #require(files.count == 1)
    #expect(
      Set(files[0].rejections.map { "\($0.kind) \($0.reason)" }) == Set(expected.keys))
    for rejections in files[0].rejections {
      let lines = (expected["\(rejections.kind) \(rejections.reason)"] ?? []).sorted {
        ($0 ?? 0) < ($1 ?? 0)
      }
      #expect(rejections.records == lines.count)
      #expect(rejections.examples.map { $0.line.map { Int($0) } } == Array(lines.prefix(3)))
      #expect(rejections.examples.allSatisfy { !$0.detail.isEmpty })
    }
  }

  @Test("each sample file has the counts and rejections of the run that loads it")
  func sampleNight() throws {
    let night = try TestNight()
    let inbox = night.settings.inbox
    let reports = night.settings.reports
    night.settings = try Self.sampleSettings()
    night.settings.inbox = inbox
    night.settings.reports = reports
    var expected: [[String]] = []
    let paths = try Self.sampleFiles()
    #expect(paths.count == 22)
    for path in paths {
      try night.put(
        Data(contentsOf: Self.sample.appending(path: "inbox/\(path)")), at: path)
      let files = try Self.check("\(inbox)/\(path)", night.settings)
      let file = try #require(files.first)
      #expect(files.count == 1 && file.folder == path.split(separator: "/").first.map(String.init))
      #expect(file.folderFrom == .path && file.format != nil)
      let summary = try night.run(asOf: "2026-11-20 03:00")
      for line in summary.lines where line.kind != "files" {
        let count = file.records.first { $0.kind == line.kind }
        #expect(count?.read ?? 0 == line.read, "\(path): \(line.kind)")
        #expect(count?.rejected ?? 0 == line.rejected, "\(path): \(line.kind)")
      }
      for rejections in file.rejections {
        #expect(rejections.records <= rejections.examples.count)
        for example in rejections.examples {
          expected.append([
            path, example.line.map { "\($0)" } ?? "", rejections.kind, rejections.reason,
          ])
        }
      }
    }
    let rejected = try night.table("rejected_records.csv")
      .columns(["file", "line", "kind", "reason"]).rows
    #expect(!rejected.isEmpty)
    #expect(Set(rejected) == Set(expected) && rejected.count == expected.count)
  }

  @Test("the content decides the kind of a file if the path does not")
  func byContent() throws {
    let scratch = try Scratch()
    let settings = try Self.sampleSettings()
    for path in try Self.sampleFiles() {
      let inPlace = try Self.check(Self.sample.appending(path: "inbox/\(path)").path, settings)
      let bytes = try Data(contentsOf: Self.sample.appending(path: "inbox/\(path)"))
      let moved = try Self.check(scratch.put(bytes, at: "download"), settings)
      #expect(moved[0].folder == inPlace[0].folder, "\(path)")
      #expect(moved[0].folderFrom == .content)
      #expect(moved[0].records.map(\.read) == inPlace[0].records.map(\.read), "\(path)")
      #expect(moved[0].rejected == inPlace[0].rejected, "\(path)")
    }
  }

  @Test("a named folder takes precedence over the path, and the path over the content")
  func precedence() throws {
    let scratch = try Scratch()
    let bytes = try Data(
      contentsOf: Self.sample.appending(path: "inbox/catalog/product_ids.plist"))
    var settings = Settings()
    settings.inbox = scratch.folder.appending(path: "inbox").path
    for (path, option, folder) in [
      ("inbox/receipts/catalog/x", nil, "receipts"), ("other/catalog/a/b/x", nil, "catalog"),
      ("catalog/receipts/x", nil, "receipts"), ("inbox/other/catalog/x", nil, "catalog"),
      ("receipts/x", "catalog", "catalog"), ("x", nil, "catalog"),
    ] {
      let files = try Self.check(scratch.put(bytes, at: path), settings, for: option)
      #expect(files[0].folder == folder, "\(path)")
      #expect(files[0].rejections.map(\.reason) == (folder == "catalog" ? [] : ["wrong_folder"]))
    }
    // In an inbox with another name, the folder directly below it counts.
    _ = try scratch.put(bytes, at: "second/catalog/receipts/x")
    let second = try Self.check(scratch.folder.appending(path: "second").path, settings)
    #expect(second.map(\.folder) == ["catalog"])
    let error = #expect(throws: ReconciliationError.self) {
      try Self.check(scratch.folder.path, settings, for: "catalogs")
    }
    #expect(error?.code == .unknown)
  }

  @Test("a file of the inbox that no run reads has a note, and is checked only if it is named")
  func notRead() throws {
    let scratch = try Scratch()
    var settings = Settings()
    settings.inbox = scratch.folder.appending(path: "inbox").path
    let text = Data("a,b,c\n1,2,3\n".utf8)
    for (path, words) in [
      ("stray.csv", "stray.csv is in the inbox but in none of its folders"),
      ("other/x.csv", "other is in the inbox but in none of its folders"),
      ("deliveries~/x.csv", "deliveries~ is hidden, or ends in"),
      ("deliveries/x.part", "x.part is hidden, or ends in"),
      ("deliveries/.h/x.csv", ".h is hidden, or ends in"),
    ] {
      let named = try Self.check(scratch.put(text, at: "inbox/\(path)"), settings)[0]
      #expect(named.note?.contains(words) == true && named.rejected > 0, "\(path)")
    }
    let listed = try Self.check(settings.inbox, settings)
    #expect(listed.count == 2 && listed.allSatisfy { !$0.isChecked && $0.note != nil })
    // A folder in a folder of the inbox decides nothing, whichever folder is named.
    _ = try scratch.put(text, at: "inbox/deliveries/receipts/x.csv")
    let deliveries = try Self.check("\(settings.inbox)/deliveries", settings)
    #expect(deliveries.map(\.folder) == ["deliveries"] && deliveries[0].note == nil)
  }

  @Test("a file that fits no folder is one rejection")
  func nothing() throws {
    let scratch = try Scratch()
    for (text, reason) in [
      ("a,b,c\n1,2,3\n", "unknown_format"), ("<html></html>", "unknown_format"),
      ("\u{0}\u{1}\u{2}", "not_text"), ("\u{1f}\u{8b}\u{8}", "truncated_gzip"),
    ] {
      let file = try Self.check(
        scratch.put(Data(text.unicodeScalars.map { UInt8($0.value) }), at: "x"))[0]
      #expect(file.folder == nil && file.records.isEmpty, "\(text)")
      #expect(file.rejections.map(\.reason) == [reason], "\(text)")
      #expect(file.rejected == 1)
    }
    let empty = try Self.check(scratch.put(Data(), at: "x"))[0]
    #expect(empty.rejected == 0 && empty.format == "empty")
    let gone = try Self.check(scratch.folder.appending(path: "gone").path)[0]
    #expect(gone.rejections.map(\.reason) == ["unreadable"])
  }

  @Test("the first three rejections of each reason are shown, and all are counted")
  func examples() throws {
    let scratch = try Scratch()
    var settings = Settings()
    settings.rejectionsKept = 50
    let lines = (1...250).map { #"{"status":\#($0 % 2 == 0 ? 21003 : 21004)}"# + "\n" }
    let file = try Self.check(
      scratch.put(Data(lines.joined().utf8), at: "receipts/x"), settings)[0]
    #expect(file.rejections.map(\.reason) == ["status_21004", "status_21003"])
    #expect(file.rejections.map(\.records) == [125, 125])
    #expect(file.rejections.map { $0.examples.map(\.line) } == [[1, 3, 5], [2, 4, 6]])
  }

  @Test("with hashed names no detail has the name of a member, as in a night")
  func hashed() throws {
    let scratch = try Scratch()
    var settings = Settings()
    for line in [#"{"anna@example.com":{"status":21003}}"#, #"{"anna@example.com":1}"#] {
      let path = try scratch.put(Data("\(line)\n\(line)\n".utf8), at: "receipts/x")
      for privacy in [Privacy.none, .hash] {
        settings.privacy = privacy
        let details = try Self.check(path, settings)[0].rejections
          .flatMap(\.examples).map(\.detail)
        #expect(!details.isEmpty)
        #expect(
          details.contains { $0.contains("anna@example.com") } == (privacy == .none), "\(line)")
      }
    }
  }

  @Test("a compressed file is read like any other, and its compression is reported")
  func compressed() throws {
    let scratch = try Scratch()
    let bytes = try Data(gzipMember(Array(#"["a","b"]"#.utf8)))
    let file = try Self.check(scratch.put(bytes, at: "x"))[0]
    #expect(file.compression == "gzip" && file.format == "JSON" && file.folder == "catalog")
    #expect(file.records.map(\.read) == [2] && file.bytes == Int64(bytes.count))
  }
}
