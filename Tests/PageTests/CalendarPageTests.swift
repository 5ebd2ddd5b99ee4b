import Foundation
import LibCrypto
import TestNeeds
import Testing

@testable import Page

@Suite("The calendar's page") struct CalendarPageTests {
  private static let month = "November 2026"

  /// A month of nights, each with two editions, with a failed night and a gap.
  static func make(nights: Int = 30) -> CalendarPage {
    var page = CalendarPage(nights: [], folders: [])
    for number in (1...nights).reversed() {
      let day = "2026-11-\(number < 10 ? "0" : "")\(number)"
      var night = CalendarPage.Night(
        day: day, label: "Mon \(number) Nov", month: month, state: .done, missing: number % 3,
        errors: number, warnings: 2000)
      if number == 9 { night.state = .rejected }
      if number == 12 {
        night.skipped = CalendarPage.Skipped(days: 1200, first: "Mon 1 Jan", last: "Tue 2 Jan")
      }
      page.nights.append(night)
      guard number != 9 else { continue }
      for edition in 1...2 {
        let name = edition == 1 ? day : "\(day).2"
        page.folders.append(
          CalendarPage.Folder(
            day: day, edition: edition, name: name, target: "\(name)/index.html"))
      }
    }
    page.folders.append(
      CalendarPage.Folder(day: "2020-01-01", edition: 1, name: "2020-01-01", target: "2020-01-01/"))
    return page
  }

  private func html(_ page: CalendarPage) throws -> String {
    String(decoding: try page.html(), as: UTF8.self)
  }

  @Test("the headline is the state of the newest night")
  func sentence() throws {
    #expect(Self.make().sentence == "Newest night, Mon 30 Nov: no delivery missing.")
    #expect(Self.make(nights: 29).sentence == "Newest night, Mon 29 Nov: 2 missing.")
    #expect(
      Self.make(nights: 9).sentence == "Newest night, Mon 9 Nov: failed: too many rejections.")
    let empty = CalendarPage(nights: [], folders: [])
    #expect(try html(empty).contains("<h1>No night was run.</h1>"))
  }

  @Test(
    "a month says whether it is approved, and how it has changed",
    arguments: [
      (.open, "", "Not closed."), (.open, "changed since then: USD 5.00", "Not closed: changed"),
      (.prepared, "closed by anna", "Closed, not approved: closed by anna."),
      (.certified, "closed by anna, approved by bert", "Approved: closed by anna, approved by"),
      (.withdrawn, "closed by <b>", "Certificate withdrawn: closed by &lt;b&gt;."),
    ] as [(CalendarPage.Books.State, String, String)])
  func books(state: CalendarPage.Books.State, words: String, line: String) throws {
    var page = Self.make(nights: 3)
    for place in page.nights.indices {
      page.nights[place].books = CalendarPage.Books(state: state, words: words)
    }
    let shown = try html(page)
    #expect(shown.matches(of: /<p class="books">/).count == 1)
    #expect(shown.contains("</span> \(line)"), "\(shown)")
  }

  @Test("a month leads to the packs that are there, and has no line without any")
  func packs() throws {
    var page = Self.make(nights: 3)
    for place in page.nights.indices {
      page.nights[place].books = CalendarPage.Books(state: .certified, words: "")
      page.nights[place].books?.packs = ["2026-11.2", "FY2027-P02"]
    }
    #expect(try !html(page).contains("href=\"closed/"))
    page.shownPacks = ["2026-11.2"]
    let shown = try html(page)
    #expect(shown.contains(": <a href=\"closed/2026-11.2/\">2026-11.2</a> </p>"))
    #expect(!shown.contains("FY2027-P02"))
  }

  @Test("a closed month without a night is on the page, and leads to no night")
  func monthWithoutNight() throws {
    var page = Self.make(nights: 3)
    var absent = CalendarPage.Night(
      day: "", label: "", month: "October 2026", monthID: "2026-10", state: .absent)
    absent.books = CalendarPage.Books(state: .certified, words: "closed by anna")
    page.nights.append(absent)
    let shown = try html(page)
    let october = try #require(shown.components(separatedBy: "<h2 id=\"month-2026-10\">").last)
    #expect(october.contains("</span> Approved: closed by anna."))
    #expect(october.contains("No night has an as-of in this month."))
    #expect(shown.matches(of: /<tr id=/).count == 3)
    #expect(!shown.contains("id=\"after-\""))
  }

  @Test(
    "all is delivered only if something was due and everything was compared",
    arguments: [
      (5, 0, 0, 0, 0, "all delivered"), (0, 0, 0, 0, 0, "nothing was due"),
      (nil, 0, 0, 0, 0, "no delivery missing"), (5, 1000, 2, 1, 1, "1,000 missing, 2 uncertain"),
      (5, 0, 2, 0, 0, "2 uncertain"), (5, 0, 0, 1, 0, "1 file not read, no delivery missing"),
      (5, 0, 0, 0, 2, "2 stale feeds, no delivery missing"),
      (5, 0, 0, 1, 1, "1 file not read, 1 stale feed, no delivery missing"),
    ] as [(Int?, Int, Int, Int, Int, String)])
  func states(
    due: Int?, missing: Int, uncertain: Int, unread: Int, stale: Int, words: String
  ) throws {
    var page = Self.make(nights: 1)
    page.nights[0].due = due
    page.nights[0].missing = missing
    page.nights[0].uncertain = uncertain
    page.nights[0].unreadFiles = unread
    page.nights[0].staleFeeds = stale
    #expect(page.sentence == "Newest night, Mon 1 Nov: \(words).")
    #expect(try html(page).contains("</span> \(words)</td>"))
  }

  @Test(
    "the open findings of a night are counted by level",
    arguments: [
      (0, 0, 0, "none"), (0, 0, 2, "2 infos"), (1, 0, 1, "1 error, 1 info"),
      (1000, 1, 0, "1,000 errors, 1 warning"),
    ])
  func openFindings(errors: Int, warnings: Int, infos: Int, words: String) throws {
    var page = Self.make(nights: 1)
    page.nights[0].errors = errors
    page.nights[0].warnings = warnings
    page.nights[0].infos = infos
    #expect(try html(page).contains("</td><td>\(words)</td>"))
  }

  @Test("a night opens its newest edition; a night without one is no link, and is passed over")
  func links() throws {
    let page = try html(Self.make())
    #expect(page.contains("<a href=\"2026-11-10.2/index.html\">Mon 10 Nov</a>"))
    #expect(page.contains("<th scope=\"row\">Mon 9 Nov</th>"))
    let row = try #require(page.firstMatch(of: /<tr id="2026-11-10">.*/)).output
    #expect(
      row.contains("<a href=\"2026-11-08.2/index.html\" title=\"Previous night, Mon 8 Nov\">"))
    #expect(row.contains("<span id=\"after-2026-11-09\"></span>"))
    #expect(row.contains("aria-label=\"Edition 2 of Mon 10 Nov\">2</a>"))
    #expect(page.contains("Mon 1 Jan to Tue 2 Jan: 1,200 nights not done"))
    #expect(page.contains("<li><a href=\"2020-01-01/\">2020-01-01</a></li>"))
  }

  @Test("counts of an older edition than the newest one name their edition")
  func countedEdition() throws {
    var page = Self.make(nights: 10)
    let place = try #require(page.nights.firstIndex { $0.day == "2026-11-10" })
    let newest = try #require(page.folders.last { $0.day == "2026-11-10" }).edition
    for (edition, isNamed) in [(nil, false), (newest, false), (newest - 1, true)] {
      page.nights[place].edition = edition
      let row = try #require(html(page).firstMatch(of: /<tr id="2026-11-10">.*/)).output
      #expect(row.contains(" in edition \(newest - 1)</td>") == isNamed)
    }
  }

  @Test("each id occurs once, all tags are closed, and nothing is loaded")
  func form() throws {
    let page = try html(Self.make())
    let ids = page.matches(of: /\sid="([^"]*)"/).map { String($0.output.1) }
    #expect(Set(ids).count == ids.count)
    var open: [Substring] = []
    for tag in page.matches(of: /<(\/?)([a-z0-9]+)[^>]*>/) {
      if ["meta", "wbr"].contains(tag.output.2) { continue }
      if tag.output.1.isEmpty {
        open.append(tag.output.2)
      } else {
        #expect(open.popLast() == tag.output.2)
      }
    }
    #expect(open.isEmpty)
    for forbidden in ["<script", "src=", "http:", "https:", " style=", " on"] {
      let tags = page.matches(of: /<[^>]*>/).map { String($0.output) }
      #expect(!tags.contains { $0.contains(forbidden) && !$0.hasPrefix("<meta") }, "\(forbidden)")
    }
    let style = try #require(page.firstMatch(of: /<style>([^<]*)<\/style>/)).output.1
    let hash = Data(HashFunction.sha256.digest(of: style.utf8).bytes).base64EncodedString()
    #expect(page.contains("style-src 'sha256-\(hash)'"))
  }

  @Test("the calendar fits three widths", .needs(.chromium), arguments: [375, 800, 1440])
  func widths(width: Int) throws {
    let measured = try html(Self.make())
      .replacing(/<meta http-equiv[^>]*>/, with: "")
      .replacing(
        "</body>",
        with: """
          <script>document.title = document.documentElement.scrollWidth + ' ' + innerWidth</script></body>
          """)
    let document = try Browser.run(["--dump-dom", "--window-size=\(width),900"], measured)
    let title = try #require(document.firstMatch(of: /<title>([0-9]+) ([0-9]+)</))
    #expect(title.output.1 == title.output.2)
  }
}
