import Foundation
import Testing

@Suite("Written files")
struct WrittenFileTests {
  @Test("no Swift file is longer than 400 lines")
  func length() throws {
    let files = try ["Sources", "Tests", "sql"].flatMap {
      try Repository.files(below: $0, ending: ".swift")
    }
    #expect(files.count > 100)
    for file in files {
      let lines = try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 401, "\(file)")
    }
  }

  @Test("no file names a folder of a developer's machine")
  func workPaths() throws {
    let folders = ["work", "root", "home"].map { "/" + $0 + "/" }
    for file in try Repository.writtenFiles() {
      guard let text = try Repository.textOfWritten(file) else { continue }
      for folder in folders {
        #expect(!text.contains(folder), "\(file) names \(folder)")
      }
    }
  }

  @Test("a test that may be skipped gives a reason, which the end of the run shows")
  func skipped() throws {
    let files = try Repository.files(below: "Tests", ending: ".swift")
    for file in files where !file.hasPrefix("Tests/TestNeeds/") {
      #expect(
        try !Repository.text(file).contains(/\.(enabled|disabled)\(/),
        "\(file) has a condition of its own; those of Tests/TestNeeds give a reason")
    }
    #expect(files.contains { $0.hasPrefix("Tests/TestNeeds/") })
  }

  @Test("docs/README.md links to every page of docs/")
  func map() throws {
    let map = try Repository.text("docs/README.md")
    let pages = try Repository.files(below: "docs", ending: ".md")
      .map { $0.dropFirst("docs/".count) }
      .filter { $0 != "README.md" && (!$0.contains("/") || $0.hasSuffix("/README.md")) }
    #expect(pages.count > 10)
    for page in pages { #expect(map.contains("](\(page))"), "\(page)") }
  }

  @Test("files that CONTRIBUTING.md and sql/README.md name exist")
  func named() throws {
    for page in ["CONTRIBUTING.md", "sql/README.md"] {
      let paths = try Repository.text(page)
        .matches(of: /`((?:Sources|Tests|sql|docs)\/[-A-Za-z0-9_+.\/]+\.[a-z]+)`/)
      #expect(!paths.isEmpty)
      for path in paths.map({ String($0.output.1) }) {
        let file = Repository.root.appending(path: path).path
        #expect(FileManager.default.fileExists(atPath: file), "\(page) names \(path)")
      }
    }
  }

  @Test("links lead to existing files and headings")
  func links() throws {
    var anchors: [String: Set<String>] = [:]
    for page in try Repository.writtenFiles() where page.hasSuffix(".md") {
      let place = URL(filePath: page, relativeTo: Repository.root)
      for link in try Repository.text(page).matches(of: /\]\(([^)#:\s]*)(?:#([^)\s]*))?\)/) {
        let target =
          link.output.1.isEmpty
          ? place.standardizedFileURL
          : place.deletingLastPathComponent().appending(path: String(link.output.1))
            .standardizedFileURL
        #expect(
          FileManager.default.fileExists(atPath: target.path), "\(page) links to \(link.output.1)")
        guard let anchor = link.output.2, target.pathExtension == "md" else { continue }
        let known =
          try anchors[target.path]
          ?? MarkdownText(String(contentsOf: target, encoding: .utf8)).anchors
        anchors[target.path] = known
        #expect(known.contains(String(anchor)), "\(page) links to \(link.output.0)")
      }
    }
    #expect(anchors.count > 5)
  }
}
