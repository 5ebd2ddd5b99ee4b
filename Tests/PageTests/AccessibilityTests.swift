import Testing

@testable import Page

@Suite("The page with a screen reader or a keyboard")
struct AccessibilityTests {
  @Test("each drawing has a title and a description, and each id occurs once")
  func alternatives() throws {
    let html = try SamplePage.html(SamplePage.make())
    let drawings = html.matches(of: /<svg [^>]*aria-labelledby="([^"]*)"/)
    #expect(drawings.count == html.matches(of: /<svg/).count)
    #expect(drawings.count == SamplePage.rules.count + 3)
    let names = html.matches(of: /\sid="([^"]*)"/).map { String($0.output.1) }
    #expect(Set(names).count == names.count)
    for drawing in drawings {
      #expect(drawing.output.1.split(separator: " ").allSatisfy { names.contains(String($0)) })
    }
  }

  @Test("each table that scrolls can be reached with the keyboard, and has a name of its own")
  func scrolling() throws {
    var page = SamplePage.make()
    page.money.sales = [
      Money.Sales(
        month: "2026-11", isNewest: true, currency: "USD", units: 1, paidUnits: 1, paid: "1.00",
        listedUnits: 0, listPrice: nil)
    ]
    let html = try SamplePage.html(page)
    let boxes = html.matches(
      of: /<div class="wide" tabindex="0" role="region" aria-label="([^"]*)">/
    ).map { String($0.output.1) }
    #expect(
      boxes == ["Money at risk", "Amounts of sales", "Sales and Trends", "Financial Reports"])
    #expect(html.matches(of: /class="wide"/).count == boxes.count)
  }

  @Test("each table has a caption, and no header without words")
  func captions() throws {
    let html = try SamplePage.html(SamplePage.make())
    #expect(html.matches(of: /<table/).count > 6)
    let captions = html.matches(of: /<table[^>]*>\s*<caption class="hidden">[^<]+<\/caption>/)
    #expect(captions.count == html.matches(of: /<table/).count)
    #expect(!html.contains(/<th [^>]*><\/th>/))
  }
}
