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

  @Test("links between pages lead to files that are there")
  func links() throws {
    for page in try Repository.writtenFiles() where page.hasSuffix(".md") {
      let folder = URL(filePath: page, relativeTo: Repository.root).deletingLastPathComponent()
      for link in try Repository.text(page).matches(of: /\]\(([^)#:\s]+)(#[^)]*)?\)/) {
        let target = folder.appending(path: String(link.output.1)).standardizedFileURL
        #expect(
          FileManager.default.fileExists(atPath: target.path), "\(page) links to \(link.output.1)")
      }
    }
  }
}
