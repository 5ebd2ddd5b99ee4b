import Foundation
import TestNeeds
import Testing

@testable import Page

@Suite("The page in a browser", .needs(.chromium), .serialized)
struct BrowserTests {
  @Test(
    "the page fits three widths in light and dark mode, and is styled", arguments: [375, 800, 1440])
  func widths(width: Int) throws {
    let long = String(repeating: "com.example.", count: 30)
    for page in [SamplePage.make(), SamplePage.make(outside: long), NightPage()] {
      // A copy of the page in which the measuring script may run. The page itself allows no
      // scripts.
      let measured = try SamplePage.html(page)
        .replacing(/<meta http-equiv[^>]*>/, with: "")
        .replacing(
          "</body>",
          with: """
            <script>document.title = document.documentElement.scrollWidth + ' ' + innerWidth + ' ' +
            getComputedStyle(document.body).fontVariantNumeric</script></body>
            """)
      let document = try Browser.run(["--dump-dom", "--window-size=\(width),900"], measured)
      let title = try #require(document.firstMatch(of: /<title>([0-9]+) ([0-9]+) ([^<]*)</))
      #expect(Int(title.output.1) == Int(title.output.2))
      #expect(title.output.3.contains("tabular-nums"))
    }
  }

  @Test("the page runs no script, even if its text contains one")
  func noScript() throws {
    let html = try SamplePage.html(SamplePage.make()).replacing(
      "</body>", with: "<script>document.title = 'ran'</script></body>")
    let document = try Browser.run(["--dump-dom"], html)
    #expect(document.contains("<title>Tieout "), "\(document.prefix(300))")
  }

  @Test("the page can be printed")
  func paper() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "paper-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "page.pdf")
    _ = try Browser.run(
      ["--no-pdf-header-footer", "--print-to-pdf=\(file.path)"], SamplePage.html(SamplePage.make()))
    let bytes = try Data(contentsOf: file)
    #expect(bytes.starts(with: Data("%PDF".utf8)))
    #expect(bytes.count > 10_000)
  }
}

/// A headless Chromium, if one is installed.
enum Browser {
  /// Runs Chromium on a page; returns its output.
  static func run(_ words: [String], _ html: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appending(path: "page.html")
    try Data(html.utf8).write(to: page)
    let browser = Process()
    browser.executableURL = Tool.chromium.path.map { URL(filePath: $0) }
    browser.arguments =
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        "--user-data-dir=\(folder.path)/profile",
      ] + words + [page.absoluteString]
    let said = Pipe()
    browser.standardOutput = said
    browser.standardError = FileHandle.nullDevice
    try browser.run()
    let bytes = said.fileHandleForReading.readDataToEndOfFile()
    browser.waitUntilExit()
    try #require(browser.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self)
  }
}
