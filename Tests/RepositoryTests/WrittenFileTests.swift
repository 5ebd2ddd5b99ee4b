import Foundation
import Testing

@Suite("What is written by hand")
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

  @Test("no file names a folder of the machine that it was written on")
  func workPaths() throws {
    let folders = ["work", "root", "home"].map { "/" + $0 + "/" }
    for file in try Repository.writtenFiles() {
      // Compressed samples and the like are no text.
      guard let text = try? Repository.text(file) else { continue }
      for folder in folders {
        #expect(!text.contains(folder), "\(file) names \(folder)")
      }
    }
  }

  @Test("links between pages, and within them, lead to files and headings that are there")
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
