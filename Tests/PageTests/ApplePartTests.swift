import Foundation
import Testing

@testable import Page

@Suite("Apple's reports on the night's page")
struct ApplePartTests {
  private static func rows(_ html: String) -> [String] {
    html.matches(of: /<tr(?: class="total")?><th scope="row">.*<td class="source">.*<\/tr>/).map {
      $0.output.replacing(/<span class="hidden">[^<]*<\/span>/, with: "")
        .replacing(/<[^>]*>/, with: " ").replacing(/\ +/, with: " ")
        .trimmingCharacters(in: .whitespaces)
    }
  }

  @Test("the page shows each report apart, with what is explained, unexplained and pending")
  func shown() throws {
    var page = SamplePage.make()
    page.money = Money()
    page.files.append(NightPage.File(name: "reconciliation.xlsx", holds: "", rows: nil))
    page.appleSums[0].period = "17 Nov 2026"
    page.appleSums[2].currency = "USD"
    page.appleSums[4].periods = 1
    page.appleSums[4].reported = 1
    page.appleSums[4].period = "27 Sep 2026 to 31 Oct 2026"
    page.lostRegions[0] = NightPage.LostRegion(
      period: "27 Sep 2026 to 31 Oct 2026", words: "EUR (DE, FR)")
    let html = try SamplePage.html(page)
    let numbers = "1,240 6 −2 2 rows 1 1 row ▲ 7 3 rows"
    #expect(
      Self.rows(html) == [
        "17 Nov 2026 units 1,496 of 1,500 1,234 \(numbers)",
        "All 2 days units 1,496 of 1,500 2,000 \(numbers)",
        "USD 1,496 of 1,500 9.99 \(numbers)",
        "Pending: 17 days since 19 Nov 2026, 3 of them without sales of ours (days in California)"
          + " units, ours by the day in Europe/Berlin 7 –",
        "27 Sep 2026 to 31 Oct 2026 units 1,496 of 1,500 5 \(numbers)",
      ])
    page.timeZone = "America/Los_Angeles"
    #expect(Self.rows(try SamplePage.html(page))[3].hasSuffix(" units 7 –"))
    page.appleSums[1].reported = 35
    page.appleSums[4].reported = 3
    let labels = Self.rows(try SamplePage.html(page))
    #expect(labels[1].hasPrefix("35 days reported, 2 of them with sales or refunds units "))
    #expect(
      labels[4].hasPrefix(
        "3 fiscal months reported, 1 of them with sales or refunds: 27 Sep 2026 to 31 Oct 2026 "))
    let estimate = try #require(html.firstRange(of: "Apple&#39;s estimate, by the day in Cal"))
    let settled = try #require(html.firstRange(of: "what Apple has settled, by its fiscal months"))
    #expect(estimate.upperBound < settled.lowerBound)
    for file in ["tie_out.csv", "proceeds.csv", "reconciliation.xlsx"] {
      #expect(html.contains("<a href=\"\(file)\">\(file)</a>"), "\(file)")
    }
    let lost = "27 Sep 2026 to 31 Oct 2026: the Financial Reports have no row of EUR (DE, FR)"
    #expect(html.firstRange(of: lost).map { settled.upperBound < $0.lowerBound } == true)
    #expect(html.contains("The column Explained contains these sales if daily reports of Sales"))
    #expect(html.contains("It has more currencies, too."))
    #expect(html.contains(">Rows that agree</th>") && !html.contains("Rows that tie"))
  }

  @Test("a row shows its own period unless it is that of the row before")
  func ownPeriod() throws {
    var page = SamplePage.make()
    page.money = Money()
    page.appleSums = ["", "EUR", "JPY"].map {
      SamplePage.appleSum(
        "financial", "pending", isTotal: true, period: "1 Nov 2026", currency: $0, ours: "9",
        isCompared: false)
    }
    for index in page.appleSums.indices { page.appleSums[index].quietDays = 0 }
    page.appleSums[2].days = 15
    #expect(
      try Self.rows(SamplePage.html(page)) == [
        "Pending: 17 days since 1 Nov 2026 units 9 –", "EUR 9 –",
        "Pending: 15 days since 1 Nov 2026 JPY 9 –",
      ])
  }

  @Test("the row of all units says how many of ours the amounts leave out")
  func withoutAmount() throws {
    var page = SamplePage.make()
    page.appleSums[0].unitsWithoutAmount = "3"
    page.appleSums[1].unitsWithoutAmount = "1234"
    let html = try SamplePage.html(page)
    #expect(html.contains("units, 1,234 of ours without an amount"))
    #expect(!html.contains("3 of ours"))
  }

  @Test("without reports of Apple the page has no part about them, and no link to a workbook")
  func none() throws {
    var page = SamplePage.make()
    #expect(try !SamplePage.html(page).contains("reconciliation.xlsx"))
    page.appleSums = []
    let html = try SamplePage.html(page)
    #expect(!html.contains("Apple") && !html.contains("tie_out.csv"))
  }

  @Test("amounts of ours that have list prices are called an estimate")
  func listPrices() throws {
    var page = SamplePage.make()
    page.appleSums = [true, false].map {
      SamplePage.appleSum(
        "sales_summary", "day", isTotal: true, period: "1 Nov 2026", currency: $0 ? "USD" : "EUR",
        ours: "1", hasListPrices: $0)
    }
    let html = try SamplePage.html(page)
    #expect(html.contains(">USD, ours with list prices (an estimate)<"))
    #expect(html.contains(">EUR<"))
  }

  @Test("the page says that tie_out.csv has more currencies only if one is not shown")
  func moreCurrencies() throws {
    var page = SamplePage.make()
    let shown = ["", "EUR", "JPY", "USD"]
    for (currencies, hasMore) in [(3, false), (4, true)] {
      page.appleSums = shown.map {
        SamplePage.appleSum(
          "financial", "fiscal month", isTotal: true, period: "1 Nov 2026", currency: $0, ours: "9")
      }
      for place in page.appleSums.indices { page.appleSums[place].currencies = currencies }
      let html = try SamplePage.html(page)
      #expect(html.contains("It has more currencies, too.") == hasMore, "\(currencies)")
    }
  }
}
