import ReconciliationTestSupport
import Foundation
import Reports
import Testing

/// The sample night that ships with the project.
enum SampleNight {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "sample")

  /// The bytes of a file in the inbox of the sample night.
  static func inbox(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: "inbox/\(path)"))
  }
}

@Suite("The sample night") struct SampleTests {
  @Test("the sample night gives the expected reports byte for byte, and a second run reads no file")
  func expected() throws {
    let expected = SampleNight.folder.appending(path: "expected")
    let names = try FileManager.default.contentsOfDirectory(atPath: expected.path)
      .filter { $0.hasSuffix(".csv") }
    #expect(Set(names) == Set(Report.all.filter(\.isStatement).map(\.fileName)))
    let command = try CommandNight()
    let words = [
      "run", "--inbox", SampleNight.folder.appending(path: "inbox").path, "--reports",
      command.night.reports.path, "--database", command.night.database.connectionString,
      "--config", SampleNight.folder.appending(path: "tieout.yaml").path, "--as-of",
      "2026-11-20T03:00:00Z",
    ]
    let first = try command.start(words).ended()
    #expect(first.status == 2)
    #expect(first.output.contains("41 open findings, 41 new. Judged: 96 transactions."))
    for name in names {
      let bytes = try Data(contentsOf: expected.appending(path: name))
      let written = try Data(contentsOf: command.night.reports.appending(path: "latest/\(name)"))
      #expect(written == bytes, "\(name)")
    }
    let files = try command.files()
    let explained = try command.start([
      "explain", "180001177581605", "--database", command.night.database.connectionString,
    ]).ended()
    try expectPagesShow(first.output, explained.output)

    let second = try command.start(words).ended()
    #expect(second.status == 0)
    #expect(second.output.contains("22 files skipped: unchanged since the last run."))
    #expect(second.output.contains("41 open findings, 0 new. Judged: 96 transactions."))
    #expect(try command.files() == files)
  }

  /// The page of the sample shows the actual output, and the README shows a part of it.
  ///
  /// The paths of reports and the duration differ.
  private func expectPagesShow(_ summary: String, _ explanation: String) throws {
    let readMe = try lines(of: "../README.md")
    let page = Set(try lines(of: "README.md"))
    let printed = summary.split(separator: "\n")
    let said = printed.filter {
      !$0.hasPrefix("Reports are") && !$0.hasPrefix("Head of") && !$0.hasPrefix("Took")
        && !$0.hasSuffix("/rejected_records.csv")
    }
    for line in said { #expect(page.contains(line), "sample/README.md lacks: \(line)") }
    let part = readMe.drop { !$0.hasPrefix("tieout as of") }.prefix { !$0.hasPrefix("```") }
    #expect(part.count > 10)
    for line in part where line != "…" && !line.hasPrefix("Reports are") {
      #expect(said.contains(line), "The sample night does not print: \(line)")
    }
    // The README shows only the first sentence of the explanation.
    let sentence = explanation.split(separator: "\n").prefix { !$0.hasPrefix("  purchase") }
    for line in sentence { #expect(readMe.contains(line), "README.md lacks: \(line)") }
  }

  private func lines(of page: String) throws -> [Substring] {
    try String(contentsOf: SampleNight.folder.appending(path: page), encoding: .utf8)
      .split(separator: "\n")
  }
}
