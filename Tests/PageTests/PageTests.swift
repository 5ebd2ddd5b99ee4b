import Foundation
import LibCrypto
import Testing

@testable import Page

@Suite("The night's page")
struct PageTests {
  @Test("what nights before could not use is counted, not only tonight's")
  func notUsedBefore() throws {
    var page = SamplePage.make()
    // 0 to 28 records were rejected on the days before.
    #expect(
      page.limits.last == """
        406 records could not be used in the 29 days before, the last on 29 Nov. rejected_records.csv \
        of each day lists them.
        """)
    for place in page.nights.indices.dropLast() { page.nights[place].standing["rejected"] = 0 }
    #expect(!page.limits.contains { $0.contains("days before") })
  }

  @Test(
    "the page states in one sentence what is open",
    arguments: [
      ([:], 0, 0, "No transaction was judged."),
      ([:], 1, 0, "0 open findings in 1 transaction."),
      ([:], 1234, 0, "0 open findings in 1,234 transactions."),
      (["error": 1], 9, 1, "Open: 1 error, 1 new. Judged: 9 transactions."),
      (["warning": 2], 9, 2, "Open: 2 warnings, 2 new. Judged: 9 transactions."),
      (
        ["error": 2, "info": 1], 9, 1,
        "Open: 2 errors and 1 info, 1 new. Judged: 9 transactions."
      ),
      (
        ["error": 1000, "warning": 2, "info": 3], 4711, 0,
        "Open: 1,000 errors, 2 warnings and 3 infos, 0 new. Judged: 4,711 transactions."
      ),
    ])
  func sentence(levels: [String: Int], transactions: Int, new: Int, sentence: String) throws {
    var page = NightPage()
    page.day = "2026-11-20"
    page.transactions = transactions
    page.firstFlagged = new
    page.open = levels.map {
      NightPage.Open(day: page.day, rule: "missing_delivery", level: $0, findings: $1)
    }
    #expect(page.sentence == sentence)
    #expect(try SamplePage.html(page).contains("<p class=\"open\">\(sentence)</p>"))
  }

  @Test(
    "acknowledged findings are counted separately",
    arguments: [
      (0, 1, "0 open findings, 1 acknowledged. Judged: 9 transactions."),
      (0, 2000, "0 open findings, 2,000 acknowledged. Judged: 9 transactions."),
      (1, 1, "Open: 1 error, 1 new. Acknowledged: 1. Judged: 9 transactions."),
      (2, 3, "Open: 2 errors, 1 new. Acknowledged: 3. Judged: 9 transactions."),
    ])
  func acknowledged(open: Int, acknowledged: Int, sentence: String) throws {
    var page = SamplePage.make()
    page.transactions = 9
    page.firstFlagged = min(1, open)
    page.open = [
      NightPage.Open(
        day: page.day, rule: "missing_delivery", level: "error", findings: open,
        acknowledged: acknowledged)
    ]
    page.comparison.obligations = ["missing": open + acknowledged]
    #expect(page.sentence == sentence)
    let html = try SamplePage.html(page)
    let all = Figure.grouped(acknowledged)
    #expect(html.contains("<td>\(open)<span class=\"apart\">+\(all)</span></td>"))
    #expect(
      html.contains("<th scope=\"row\">Errors</th><td>\(open)</td>"))
    #expect(html.contains("<th scope=\"row\">Acknowledged</th><td>\(all)</td>"))
    #expect(
      html.contains(
        "<th scope=\"row\">Missing deliveries</th><td>\(Figure.grouped(open + acknowledged))</td>"))
    #expect(html.contains("12 in total; these 2 end first."))
    let by = "com.example.book (user com.example.book, role com.example.book)"
    #expect(html.contains("by <bdi>\(by)</bdi> until 2026-12-01"))
    #expect(html.contains("by <bdi>\(by)</bdi> until it resolves"))
    // Without acknowledged findings the page does not mention them.
    page.acknowledged = []
    page.money = Money()
    page.open[0].acknowledged = 0
    #expect(try !SamplePage.html(page).localizedStandardContains("acknowledged"))
  }

  @Test("the page allows no scripts, loads nothing, and allows only its own style")
  func policy() throws {
    let html = try SamplePage.html(SamplePage.make())
    let style = try #require(html.firstMatch(of: /<style>([^<]*)<\/style>/)).output.1
    let hash = Data(HashFunction.sha256.digest(of: style.utf8).bytes).base64EncodedString()
    #expect(
      html.contains(
        "content=\"default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'\""
      ))
    for forbidden in ["<script", "src=", "@import", "url(", "http:", "https:", " style=", " on"] {
      let tags = html.matches(of: /<[^>]*>/).map { String($0.output) }
      #expect(!tags.contains { $0.contains(forbidden) && !$0.hasPrefix("<meta") }, "\(forbidden)")
      #expect(forbidden.hasPrefix(" ") || !style.contains(forbidden), "\(forbidden)")
    }
  }

  @Test(
    "the page stays below a megabyte, for any size of the night and any identifiers",
    arguments: ["\"", "'", "\u{202E}", "\u{E0041}", "😀", "x"], [64, 10_000])
  func size(character: String, length: Int) throws {
    var page = SamplePage.make(outside: String(repeating: character, count: length), findings: 10)
    let worst = page.worst
    page.worst = (0..<20).flatMap { number in
      worst.prefix(10).map { finding in
        var finding = finding
        finding.rule = "rule_\(number)"
        return finding
      }
    }
    page.open = page.nights.flatMap { night in
      (0..<20).map {
        NightPage.Open(day: night.day, rule: "rule_\($0)", level: "error", findings: .max / 1000)
      }
    }
    let bytes = try page.html()
    #expect(bytes.count < 1_000_000)
  }

  @Test("the page names missing and unfinished nights, and draws both")
  func nights() throws {
    let page = SamplePage.make()
    let html = try SamplePage.html(page)
    #expect(html.contains("No night on 10 Nov and 11 Nov: the findings of that time are unknown."))
    #expect(html.contains("Runs that did not finish: 16 Nov (killed)."))
    #expect(html.contains("× no night"))
    #expect(html.matches(of: /class="hollow"/).count == SamplePage.rules.count)
    #expect(!(try SamplePage.html(NightPage()).contains("× no night")))
  }

  @Test(
    "three and more days without a night are shown as a range",
    arguments: [
      ([], "No night on 10 Nov and 11 Nov"), ([11], "No night from 10 Nov to 12 Nov"),
      (
        [20, 22, 23, 24, 26],
        "No night on 10 Nov, 11 Nov, 21 Nov, from 23 Nov to 25 Nov and on 27 Nov"
      ),
      (Array(0...28), "No night after 30 Sep 2026 up to 29 Nov"),
    ] as [([Int], String)])
  func gaps(_ missing: [Int], _ words: String) throws {
    var page = SamplePage.make()
    for place in missing { page.nights[place].state = .missing }
    page.earlierNight = NightPage.Day(day: "2026-09-30", label: "30 Sep 2026", state: .done)
    let html = try SamplePage.html(page)
    #expect(html.contains("\(words): the findings of that time are unknown."), "\(html)")
  }

  @Test("servers whose names look the same are not added together, nor with what has no server")
  func similarServers() throws {
    var page = SamplePage.make()
    let long = String(repeating: "x", count: 30)
    page.gaps = [
      NightPage.Gap(server: long + "a" + long, kind: "server", hour: 3, missing: 7),
      NightPage.Gap(server: long + "b" + long, kind: "server", hour: 3, missing: 5),
      NightPage.Gap(server: "uncertain", kind: "server", hour: 4, missing: 3),
      NightPage.Gap(server: nil, kind: "unknown", hour: 4, missing: 2),
    ]
    let table = page.gapTable.map { $0["all"] as? String }
    #expect(table == ["7", "5", "3", "2"])
  }

  @Test("names of servers that begin in the same way differ in the chart and in its table")
  func namesOfServers() throws {
    var page = SamplePage.make()
    let names = ["12", "13"].map {
      "very-long-prefix-of-content-servers-in-frankfurt-am-main-number-\($0)"
    }
    page.gaps = names.map { NightPage.Gap(server: $0, kind: "server", hour: 3, missing: 7) }
    let html = try SamplePage.html(page)
    #expect(html.contains(">very-lo…mber-12</text>") && html.contains(">very-lo…mber-13</text>"))
    #expect(page.gapTable.map { $0["name"] as? String } == names)
  }

  @Test("a page with another time zone says that causes.csv is in UTC", arguments: [true, false])
  func zoneOfCauses(isUTC: Bool) throws {
    var page = SamplePage.make()
    if isUTC { page.timeZone = "UTC" }
    let html = try SamplePage.html(page)
    #expect(html.contains("causes.csv</a>, with days and hours in UTC<") == !isUTC)
    #expect(html.contains(", days and hours in Europe/Berlin") == !isUTC)
  }

  @Test("a night after a gap of thirty days is no first night, and is compared with the last one")
  func afterGap() throws {
    var page = SamplePage.make()
    for place in page.nights.indices.dropLast() { page.nights[place].state = .missing }
    page.earlierNight = NightPage.Day(
      day: "2026-09-30", label: "30 Sep 2026", state: .done, standing: ["missing": 4_711])
    page.open.append(
      NightPage.Open(
        day: "2026-09-30", rule: "missing_delivery", level: "error", findings: 4_712))
    let html = try SamplePage.html(page)
    #expect(!html.contains("First night"))
    #expect(html.contains("What changed since the last night"))
    #expect(html.contains("<td>7</td><td>4,711</td><td>–</td>"))
    #expect(html.contains("<td>4,712</td><td>7</td></tr>"), "\(html)")
    #expect(html.contains("30 Sep 2026"))
  }

  @Test("a rule with findings of two levels is counted and listed under each of them")
  func levels() throws {
    var page = SamplePage.make()
    page.open = [("error", 2), ("warning", 5)].map { level, findings in
      NightPage.Open(day: page.day, rule: "missing_delivery", level: level, findings: findings)
    }
    page.worst = [("error", "first", 2), ("warning", "second", 5)].map { level, subject, findings in
      NightPage.Worst(
        rule: "missing_delivery", level: level, subject: subject, reason: nil, detail: "",
        transactionID: nil, name: nil, firstFlaggedOn: page.day, status: "open",
        findings: findings)
    }
    for place in page.nights.indices.dropLast() { page.nights[place].state = .before }
    let html = try SamplePage.html(page)
    let rows = html.matches(
      of: /<tr><th scope="row"><span class="level (\w+)".*<td>(\d+)<\/td><\/tr>/)
    #expect(rows.map { "\($0.output.1) \($0.output.2)" } == ["error 2", "warning 5"])
    let headings = html.matches(
      of: /<h3><span class="level (\w+)">.*<span class="count">(.*)<\/span>/)
    #expect(
      headings.map { "\($0.output.1) \($0.output.2)" }
        == ["error 2 open, the worst 1", "warning 5 open, the worst 1"])
    let regions = html.matches(of: /<section class="rule" aria-label="([^"]*)">/)
    #expect(
      regions.map { String($0.output.1) }
        == ["missing_delivery, level error", "missing_delivery, level warning"])
  }

  @Test("the page of a first night compares nothing")
  func firstNight() throws {
    var page = SamplePage.make()
    for place in page.nights.indices.dropLast() { page.nights[place].state = .before }
    let html = try SamplePage.html(page)
    #expect(html.contains("First night: there is no night before it to compare with."))
    #expect(!html.contains("What changed since the last night"))
    #expect(!html.contains("over thirty nights</title>"))
  }

  @Test("the page counts the changes of each rule, with their causes")
  func changes() throws {
    var page = SamplePage.make()
    typealias Change = NightPage.Change
    page.changes = [
      Change(rule: "missing_delivery", change: "opened", cause: nil, findings: 1_234),
      Change(rule: "missing_delivery", change: "reopened", cause: nil, findings: 1),
      Change(rule: "missing_delivery", change: "resolved", cause: "delivered_late", findings: 5),
      Change(rule: "missing_delivery", change: "resolved", cause: "refunded", findings: 2),
    ]
    let html = try SamplePage.html(page)
    #expect(
      html.contains(
        "<td>1,234</td><td>1</td><td>7 <span class=\"date\">5 delivered late, 2 refunded</span></td>"
      ))
    page.changes = []
    #expect(try SamplePage.html(page).contains("No finding was opened, reopened or resolved."))
  }

  @Test("the page shows the numbers of the last counted night and of the night a week before")
  func figures() throws {
    let html = try SamplePage.html(SamplePage.make())
    #expect(
      html.contains(
        "<tr><th scope=\"row\">Transactions</th><td>12,345</td><td>12,028</td><td>12,022</td></tr>")
    )
    #expect(
      html.contains(
        "<tr><th scope=\"row\">Missing deliveries</th><td>7</td><td>7</td><td>7</td></tr>"))
    // Below the first table, and below the charts.
    #expect(html.ranges(of: "2 more currencies in <a href=\"revenue.csv\">").count == 2)
    #expect(html.contains("this table has the currencies with the most sales and refunds."))
    var complete = SamplePage.make()
    complete.currencies = 1
    #expect(try !SamplePage.html(complete).contains("more currencies in"))
    #expect(html.contains("net 1,230.00"))
  }

  @Test(
    "a day without sales has a net of zero, with the decimals of its currency",
    arguments: [("1230.00", "0.00"), ("2500", "0"), ("-2.796", "0.00")])
  func zero(net: String, zero: String) throws {
    var page = SamplePage.make()
    page.revenue[0].total.net = net
    let cells = Array(repeating: "<td>\(zero)</td>", count: 3).joined()
    #expect(
      try SamplePage.html(page).contains(
        "<th scope=\"row\">Net EUR, day before</th>\(cells)</tr>"))
  }

  @Test("only the net of a day with list prices is called an estimate")
  func estimatedDay() throws {
    var page = SamplePage.make()
    page.revenue[0].total.listPrice = "9.99"
    let days = page.nights.map(\.day)
    let sum = NightPage.Currency.Sum(gross: "1.00", refunds: "0.00", net: "1.00")
    page.revenue[0].days = [days[days.count - 2]: sum, days[days.count - 3]: sum]
    page.revenue[0].days[days[days.count - 3]]?.listPrice = "1.00"
    #expect(
      try SamplePage.html(page).contains(
        "<th scope=\"row\">Net EUR, day before</th><td>1.00</td><td>1.00 (estimate)</td>"))
  }

  @Test("revenue that begins within the thirty days names its first day")
  func revenueSince() throws {
    var page = SamplePage.make()
    let text = String(decoding: try page.html(), as: UTF8.self)
    #expect(text.contains(" in the last thirty days."))
    #expect(!text.contains("which begins on"))
    let last = try #require(page.nights.last)
    page.revenueSince = (day: last.day, words: "30 November 2026")
    let later = String(decoding: try page.html(), as: UTF8.self)
    #expect(later.contains(" since 30 November 2026."))
    #expect(later.contains("revenue.csv</a>, which begins on 30 November 2026."))
    let rows = try #require(page.figures["rows"] as? [[String: Any]])
    let net = try #require(rows.first { ($0["name"] as? String)?.hasPrefix("Net ") == true })
    let cells = try #require(net["cells"] as? [[String: String]])
    #expect(cells.allSatisfy { $0["value"] == "–" })
    page.revenue = []
    #expect(
      String(decoding: try page.html(), as: UTF8.self)
        .contains("No amount is known since 30 November 2026."))
  }

  @Test("many currencies of missing deliveries do not hide those of uncertain ones")
  func currencies() throws {
    var page = NightPage()
    page.money.atRisk = [false, true].flatMap { isUncertain in
      (10..<(isUncertain ? 12 : 40)).map { number in
        Money.Risk(
          isUncertain: isUncertain, currency: "C\(number)", source: "receipt",
          total: Money.Risk.Part(deliveries: 1, amount: "1.00"))
      }
    }
    let rows = try #require(page.riskTable?["rows"] as? [[String: Any]])
    #expect(rows.filter { $0["state"] as? String == "missing" }.count == 24)
    #expect(rows.filter { $0["state"] as? String == "uncertain" }.count == 2)
    #expect(page.riskTable?["hasMore"] as? Bool == true)
  }

  @Test("no line of the headline ends between a number and its noun")
  func headline() throws {
    let html = try SamplePage.html(SamplePage.make())
    #expect(
      html.contains(
        "<h1>9\u{A0}deliveries were due: 2\u{A0}delivered, 7\u{A0}missing, 0\u{A0}uncertain.</h1>"))
    #expect(html.contains(": 9 deliveries were due: 2 delivered, 7 missing, 0 uncertain.</title>"))
    #expect(Figure.unbroken("Mon 30 Nov: 1,200 missing.") == "Mon 30\u{A0}Nov: 1,200\u{A0}missing.")
  }

  @Test("amounts keep all their digits")
  func amounts() {
    #expect(Figure.grouped(decimal: "12345678901234567890.120") == "12,345,678,901,234,567,890.120")
    #expect(Figure.grouped(decimal: "-1234.5") == "−1,234.5")
    #expect(Figure.grouped(decimal: "999") == "999")
    #expect(Figure.grouped(Int.min) == "−9,223,372,036,854,775,808")
  }
}
