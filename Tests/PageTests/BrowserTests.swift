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
      let measured = try Self.result(
        of: """
          document.documentElement.scrollWidth + ' ' + innerWidth + ' ' +
          getComputedStyle(document.body).fontVariantNumeric
          """, on: SamplePage.html(page), width: width)
      #expect(measured.hasPrefix("\(width) \(width) "), "\(measured)")
      #expect(measured.contains("tabular-nums"))
    }
  }

  @Test("the first table fits a phone if each net amount is an estimate, and breaks no amount")
  func estimatesOnPhone() throws {
    var page = SamplePage.make()
    let amount = "123456.00"
    let sum = NightPage.Currency.Sum(
      gross: amount, refunds: "0.00", net: amount, listPrice: amount)
    let days = Dictionary(uniqueKeysWithValues: page.nights.map { ($0.day, sum) })
    page.revenue = [NightPage.Currency(code: "USD", total: sum, days: days)]
    let measured = try Self.result(
      of: """
        document.querySelector('.figures').getBoundingClientRect().right + ' ' +
        [...document.querySelectorAll('.figures tbody tr:last-child td')].map(cell => {
        const range = document.createRange(); range.selectNodeContents(cell);
        return range.getClientRects().length }).join()
        """, on: SamplePage.html(page), width: 390)
    // The right margin begins at 374. A cell has two lines: the amount, and "(estimate)".
    #expect(measured == "374 2,2,2")
  }

  @Test("the page runs no script, even if its text contains one")
  func noScript() throws {
    let html = try SamplePage.html(SamplePage.make()).replacing(
      "</body>", with: "<script>document.title = 'ran'</script></body>")
    let document = try Browser.run(["--dump-dom"], html)
    #expect(document.contains("<title>Tieout "), "\(document.prefix(300))")
  }

  @Test("no amount of nine digits before the point is cut on paper, or Apple's on a wide screen")
  func largeAmounts() throws {
    var page = SamplePage.make()
    let amount = "123456789.00"
    page.money.ages = ["0 days", "1–6 days", "7–29 days", "30+ days"]
    let part = Money.Risk.Part(deliveries: 123_456, amount: amount)
    page.money.atRisk = [
      Money.Risk(
        isUncertain: true, currency: "USD", source: "catalogue", total: part,
        byAge: Array(repeating: part, count: 4))
    ]
    page.money.sales = [
      Money.Sales(
        month: "2026-11", isNewest: true, currency: "USD", units: 9_999_999, paidUnits: 3_333_333,
        paid: amount, listedUnits: 3_333_333, listPrice: amount)
    ]
    for place in page.appleSums.indices {
      page.appleSums[place].period = "27 Sep 2026 to 31 Oct 2026"
      page.appleSums[place].hasListPrices = true
      page.appleSums[place].ours = amount
      guard var compared = page.appleSums[place].compared else { continue }
      compared.theirs = amount
      compared.difference = "-\(amount)"
      compared.explained = amount
      compared.oneSide = amount
      compared.unexplained = amount
      page.appleSums[place].compared = compared
    }
    page.appleSums[2].currency = "USD"
    func boxes(_ selector: String) -> String {
      """
      [...document.querySelectorAll('\(selector)')].map(box =>
      getComputedStyle(box).overflowX + ' ' + (box.scrollWidth - box.clientWidth)).join()
      """
    }
    let printed = try Self.onPaper(page, boxes(".wide"))
    #expect(printed == Array(repeating: "visible 0", count: 4).joined(separator: ","))
    #expect(try Self.onScreen(page, boxes(".wide:has(.apple)")) == "auto 0,auto 0")
  }

  @Test("a table that is cut on a wide screen says so")
  func cutOnWideScreen() throws {
    var page = SamplePage.make()
    let part = Money.Risk.Part(deliveries: 123_456, amount: "65886000000.00")
    page.money.ages = ["0 days", "1–6 days", "7–29 days", "30+ days"]
    page.money.atRisk = [
      Money.Risk(
        isUncertain: false, currency: "IDR", source: "catalogue", total: part,
        byAge: Array(repeating: part, count: 4))
    ]
    let shown = try Self.onScreen(
      page,
      """
      (box => (box.scrollWidth > box.clientWidth) + ' ' + getComputedStyle(box, '::before').content)
      (document.querySelector('.wide'))
      """)
    #expect(shown.hasPrefix("true \"Scroll to the right"), "\(shown)")
    // Elsewhere the hint would be wrong.
    let uncut = try Self.onScreen(
      SamplePage.make(), "getComputedStyle(document.querySelector('.wide'), '::before').fontSize")
    #expect(uncut == "0px")
  }

  @Test("the table of servers is printed, although it is closed on the screen")
  func printedServers() throws {
    let shown = try Self.onPaper(
      SamplePage.make(),
      """
      [...document.querySelectorAll('details table')].filter(table => table.checkVisibility())
      .map(table => table.parentElement.className).join()
      """)
    #expect(shown == "servers")
  }

  /// The result of a script on the page with its style for paper.
  ///
  /// The window is as wide as the text on A4: 210 mm less two margins of 16 mm.
  private static func onPaper(_ page: NightPage, _ script: String) throws -> String {
    let html = try SamplePage.html(page).replacing("@media print", with: "@media all")
    return try result(of: script, on: html, width: 673)
  }

  /// The result of a script on the page on a wide screen.
  private static func onScreen(_ page: NightPage, _ script: String) throws -> String {
    try result(of: script, on: SamplePage.html(page), width: 1440)
  }

  /// The result of a script on a copy of the page in which scripts may run.
  ///
  /// The page is in a frame, because Chromium has no window that is as narrow as a phone.
  private static func result(of script: String, on html: String, width: Int) throws -> String {
    let html = html.replacing(/<meta http-equiv[^>]*>/, with: "")
      .replacing("</body>", with: "<script>document.title = \(script)</script></body>")
      .replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    let frame = """
      <!DOCTYPE html><meta charset="utf-8"><title></title>
      <iframe style="width: \(width)px; height: 900px; border: 0"
      onload="document.title = this.contentDocument.title" srcdoc="\(html)"></iframe>
      """
    let document = try Browser.run(["--dump-dom", "--window-size=\(width),900"], frame)
    return String(try #require(document.firstMatch(of: /<title>([^<]*)</)).output.1)
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
