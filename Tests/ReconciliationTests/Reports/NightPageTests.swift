import Configuration
import Findings
import Foundation
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("index.html")
struct NightPageTests {
  /// Three purchases: one delivered, one with a failed attempt, and one without an attempt.
  private func night() throws -> TestNight {
    let night = try TestNight()
    try night.put(
      """
      {"version":2,"products":[{"product_id":"book.emma","prices":[{"currency":"EUR",\
      "storefront":"DEU","price":"4.99"}]}]}
      """, at: "catalog/catalogue.json")
    night.settings.assumeStorefront = "DEU"
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      101            | book.emma  | 2026-11-17 10:00
      102            | book.emma  | 2026-11-18 11:00
      103            | book.emma  | 2026-11-18 12:00
      """)
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at,server,error
      D0,103,book.emma,delivered,2026-11-17T09:00:00Z,eu-1,
      D1,101,book.emma,failed,2026-11-17T10:01:00Z,eu-2,disk full

      """, at: "deliveries/log.csv")
    return night
  }

  @Test("the page has the numbers of the reports beside it")
  func numbers() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    let page = try night.report("index.html")
    #expect(
      page.contains(
        "<p class=\"open\">Open: 1 error and 1 warning, 2 new. Judged: 3 transactions.</p>"))
    #expect(
      page.contains(
        "<h1>3\u{A0}deliveries were due: 1\u{A0}delivered, 1\u{A0}missing, 1\u{A0}uncertain.</h1>"))
    #expect(
      page.contains("<th scope=\"row\">Missing deliveries</th><td>1</td><td>–</td><td>–</td>"))
    #expect(
      page.contains("<th scope=\"row\">Uncertain deliveries</th><td>1</td><td>–</td><td>–</td>"))
    #expect(page.contains("0 days overdue: 0, 1 uncertain; 1–6 days overdue: 1;"))
    #expect(page.contains("eu-2: 1, most at 10:00 with 1; uncertain: 1, most at 11:00 with 1."))
    #expect(
      page.contains(
        "Sold 14.97, refunds 0.00, net 14.97 in the last thirty days. Of this, list prices (an estimate): "
          + "14.97 sold."))
    #expect(page.contains("<code>tieout explain 101</code>"))
    #expect(
      page.contains("<a href=\"missing_deliveries.csv\">missing_deliveries.csv</a></th><td>"))
    #expect(!page.contains("× no night"))
    // The delivery that is overdue longest comes first.
    let first = try #require(page.firstRange(of: "tieout explain 101"))
    let second = try #require(page.firstRange(of: "tieout explain 102"))
    #expect(first.lowerBound < second.lowerBound)
  }

  @Test("a currency is an estimate only as far as its amounts are list prices")
  func receiptPrices() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency
      101            | book.emma  | 2026-11-17 10:00 | 4.99  | USD
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let page = try night.report("index.html")
    #expect(
      page.contains(
        "<strong>USD</strong> net 4.99 <span class=\"sums\">sold 4.99 · refunds 0.00</span>"))
    #expect(!page.contains("list prices (an estimate)"))
    let listed = try self.night()
    try listed.run(asOf: "2026-11-20 03:00")
    #expect(
      try listed.report("index.html").contains(
        "refunds 0.00 · list prices (an estimate): 14.97 sold</span>"))
  }

  @Test("the page of a night without data says so")
  func empty() throws {
    let night = try TestNight.afterEmptyNight()
    let page = try night.report("index.html")
    #expect(page.contains("<h1>Nothing was compared: no delivery was due.</h1>"))
    #expect(page.contains("No transaction was judged."))
    #expect(page.contains("There is no catalogue"))
    #expect(page.contains("Not checked, because no delivery was due."))
  }

  @Test("the page shows earlier nights, missing nights and runs that did not finish")
  func nights() throws {
    let night = try night()
    try night.run(asOf: "2026-11-18 14:00")
    try night.put("{}\n", at: "receipts/bad.ndjson")
    night.settings.maxRejected = .count(0)
    #expect(throws: (any Error).self) { try night.run(asOf: "2026-11-19 03:00") }
    night.settings.maxRejected = nil
    try night.run(asOf: "2026-11-21 03:00")
    let page = try night.report("index.html")
    #expect(page.contains("No night on 20 Nov: the findings of that time are unknown."))
    #expect(page.contains("Runs that did not finish: 19 Nov (rejected)."))
    #expect(
      page.contains("<th scope=\"row\">Missing deliveries</th><td>1</td><td>1</td><td>–</td>"))
    #expect(page.contains("<th scope=\"row\">Records rejected</th><td>1</td><td>0</td><td>–</td>"))
    // The error, and the warning of tonight.
    #expect(page.contains("18 Nov: 1, 21 Nov: 1."))
    #expect(page.contains("18 Nov: 0, 21 Nov: 1."))
  }

  @Test("the page after a gap of more than thirty days compares with the last night")
  func afterGap() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    let first = try night.report("index.html")
    #expect(first.contains("First night: there is no night before it to compare with."))
    try night.run(asOf: "2027-01-20 03:00")
    let page = try night.report("index.html")
    #expect(!page.contains("First night"))
    #expect(
      page.contains(
        "No night after 20 Nov 2026 up to 19 Jan: the findings of that time are unknown."))
    #expect(
      page.contains("<th scope=\"row\">Missing deliveries</th><td>1</td><td>1</td><td>–</td>"))
    #expect(page.contains("<th scope=\"row\">Records read</th><td>0</td>"))
  }

  @Test("acknowledged findings are shown and counted separately, also in later nights")
  func acknowledged() throws {
    let night = try night()
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "101 book.emma")
    _ = try night.acts().acknowledge([name], because: "known <b>", until: "2126-12-01")
    try night.acknowledgements(
      [[try night.name(of: "102 book.emma"), "", "known, too", "bert"].map { "\"\($0)\"" }],
      at: "a.csv")
    try night.run(asOf: "2026-11-21 03:00")
    let page = try night.report("index.html")
    #expect(
      page.contains(
        "<p class=\"open\">0 open findings, 2 acknowledged. Judged: 3 transactions.</p>"))
    #expect(page.contains("<th scope=\"row\">Errors</th><td>0</td><td>1</td><td>–</td>"))
    #expect(page.contains("<th scope=\"row\">Acknowledged</th><td>2</td><td>0</td><td>–</td>"))
    #expect(
      page.contains("<th scope=\"row\">Missing deliveries</th><td>1</td><td>1</td><td>–</td>"))
    #expect(page.contains("20 Nov: 1, 21 Nov: 0."))
    #expect(page.contains("<bdi>known &lt;b&gt;</bdi>"))
    #expect(
      page.contains(/by <bdi>anna \(user [^<]+, role [^<]+\)<\/bdi> until 2126-12-01/))
    #expect(
      page.contains(/by <bdi>bert \(user [^<]+, role [^<]+\)<\/bdi> until it resolves/))
    #expect(page.contains("<code>tieout explain \(name)</code>"))
    #expect(!page.contains("<code>tieout explain 101</code>"))
    // The earlier night keeps its counts.
    _ = try night.acts().reopen([name])
    try night.run(asOf: "2026-11-22 03:00")
    let next = try night.report("index.html")
    #expect(next.contains("<th scope=\"row\">Errors</th><td>1</td><td>0</td><td>–</td>"))
    #expect(next.contains("<th scope=\"row\">Acknowledged</th><td>1</td><td>2</td><td>–</td>"))
    #expect(next.contains(", 0 new. Acknowledged: 1. Judged: 3 transactions."))
  }

  @Test("the page of a past day does not show later nights")
  func rebuilt() throws {
    let night = try night()
    try night.run(asOf: "2026-11-18 14:00")
    try night.run(asOf: "2026-11-19 14:00")
    let then = try night.report("index.html")
    try night.run(asOf: "2026-11-21 03:00")
    // Without its first edition the day gets another one.
    try FileManager.default.removeItem(at: night.folder(of: "2026-11-19"))
    let rebuilt = try night.run(asOf: "2026-11-19 14:00")
    #expect(rebuilt.folder == night.reports.appending(path: "2026-11-19.2").path)
    let now = try night.report("index.html", day: "2026-11-19")
    #expect(!now.contains("21 Nov"))
    #expect(now.contains("<a href=\"../2026-11-21/index.html\" rel=\"next\">"))
    #expect(then.contains("<a href=\"../index.html#after-2026-11-19\" rel=\"next\">"))
    #expect(then.contains("<a href=\"../2026-11-18/index.html\" rel=\"prev\">"))
    // Apart from the links, the number of the edition and the files, the page is the same.
    func body(_ page: String) -> Substring? {
      page.split(separator: "<main>").last?.split(separator: "<h2 id=\"files\">").first
    }
    #expect(body(now) == body(then))
    let note = "An edition of a past day has no roll-forward and no restatement."
    #expect(now.contains(note) && !then.contains(note))
  }

  @Test("a product that ends with a blank is in quotation marks on the page")
  func blank() throws {
    let night = try night()
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      D9,9,"book.emma ",delivered,2026-11-17T10:01:00Z

      """, at: "deliveries/blank.csv")
    try night.run(asOf: "2026-11-20 03:00")
    let shown = "<bdi>“book.emma ” unknown</bdi>"
    #expect(try night.report("index.html").contains(shown))
    let name = try night.name(of: "book.emma  unknown")
    _ = try night.acts().acknowledge([name], because: "known", until: nil)
    try night.run(asOf: "2026-11-21 03:00")
    let page = try night.report("index.html")
    #expect(page.contains(shown) && page.contains("<code>tieout explain \(name)</code>"))
  }

  @Test("the page escapes the text of a receipt")
  func hostile() throws {
    let night = try night()
    let hostile = "</title><script>alert(1)</script>\u{0D4E}<b>\" 'x' \u{202E}"
    try night.transactions(
      "transaction_id | product_id | purchased_at\n104 | \(hostile) | 2026-11-18 12:00")
    try night.run(asOf: "2026-11-20 03:00")
    let page = try night.report("index.html")
    #expect(page.contains("&lt;script&gt;alert(1)"))
    #expect(!page.contains("<script") && !page.contains("<b>") && !page.contains("\u{202E}"))
  }

  @Test("the sums of Apple's reports on the page are those of tie_out.csv")
  func apple() throws {
    let store = PlantedStore(seed: 1, sales: 200)
    let night = try store.nightWithReceipts()
    try night.run(asOf: "2026-11-06 09:00")
    #expect(try !night.report("index.html").contains("Apple's reports"))
    for day in 0..<PlantedStore.days {
      let day = PlantedStore.firstDay + day
      try night.put(store.report(day), at: "apple/\(PlantedStore.text(day)).txt")
    }
    try night.put(
      AppleReports.financial(["coin US 2 0.70 1.40 USD S 1.00 USD"], amount: "1.40", units: 2),
      at: "apple/month.txt")
    try night.run(asOf: "2026-11-06 10:00")
    let page = try night.report("index.html")
    let rows = try night.table("tie_out.csv").records.filter {
      $0["report"] == "sales_summary" && $0["state"] == "compared"
    }
    // Units, or amounts in minor units of a currency.
    func cells(_ rows: [[String: String]], _ suffix: String, _ currency: String) -> String {
      func number(_ row: [String: String], _ column: String) -> Int {
        Int((row["\(column)_\(suffix)"] ?? "").replacing(".", with: "")) ?? 0
      }
      func words(_ value: Int) -> String {
        let text = suffix == "units" ? "\(value)" : PlantedStore.amount(value, currency)
        return text.replacing("-", with: "−").replacing(/([0-9])([0-9]{3})(\.|$)/) {
          "\($0.1),\($0.2)\($0.3)"
        }
      }
      func sum(_ columns: String...) -> Int {
        rows.reduce(0) { all, row in columns.reduce(all) { $0 + number(row, $1) } }
      }
      func count(_ body: ([String: String]) -> Bool) -> String {
        let lines = rows.count(where: body)
        return lines == 0
          ? "" : " <span class=\"date\">\(lines) \(lines == 1 ? "row" : "rows")</span>"
      }
      let oneSide = sum("only_here", "only_apple")
      let unexplained = sum("unexplained")
      let difference = sum("apple") - sum("ours")
      let left = count { number($0, "unexplained") != 0 }
      let mark =
        left.isEmpty
        ? ""
        : "<span class=\"level warning\">▲<span class=\"hidden\"> unexplained</span></span> "
      let tied = rows.count {
        number($0, "difference") == 0 && number($0, "only_here") + number($0, "only_apple") == 0
          && number($0, "unexplained") == 0
          && $0["ours_refunded_units"] == $0["apple_refunded_units"]
      }
      return [
        "\(tied) of \(rows.count)", words(sum("ours")), words(sum("apple")), words(difference),
        words(difference - oneSide - unexplained)
          + count { row in
            let rest = number(row, "apple") - number(row, "ours") - number(row, "unexplained")
            return rest != number(row, "only_here") + number(row, "only_apple")
          },
        words(oneSide) + count { number($0, "only_here") + number($0, "only_apple") != 0 },
        mark + words(unexplained) + left,
      ].map { "<td>\($0)</td>" }.joined()
    }
    let units = "<td class=\"source\">units</td>"
    let days = Set(rows.compactMap { $0["period_begin"] }).sorted(by: >)
    // Nobody knows the price of a gift, also in rows with a currency.
    try #require(rows.contains { $0["product_id"] == "gift" && $0["ours_amount"] != nil })
    let unpriced = rows.filter { $0["ours_amount"] == nil || $0["product_id"] == "gift" }
      .reduce(0) { $0 + (Int($1["ours_units"] ?? "") ?? 0) }
    #expect(
      page.contains(
        "6 days reported, \(days.count) of them with sales or refunds</th><td class=\"source\">units, "
          + "\(unpriced) of ours without an amount</td>\(cells(rows, "units", ""))</tr>"))
    for (place, day) in days.enumerated() {
      let own = rows.filter { $0["period_begin"] == day }
      let month = day.hasPrefix("2026-11") ? "Nov" : "Oct"
      let row =
        ">\(Int(day.suffix(2)) ?? 0) \(month) 2026</th>\(units)\(cells(own, "units", ""))</tr>"
      #expect(page.contains(row) == (place < 5), "\(day)")
    }
    let amounts = Dictionary(grouping: rows.filter { $0["ours_amount"] != nil }) {
      $0["currency"] ?? ""
    }.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    try #require(amounts.count > 6)
    for (place, entry) in amounts.enumerated() {
      let shown = cells(entry.value, "amount", entry.key)
      let isEstimated =
        try night.database.draw(
          """
          select count(*) as rows from carried_pacific
          where price_source = 'catalogue' and currency = '\(entry.key)'
          """) != "rows\n0"
      let measure = entry.key + (isEstimated ? ", ours with list prices (an estimate)" : "")
      let row = "<td class=\"source\">\(measure)</td>\(shown)</tr>"
      #expect(page.contains(row) == (place < 6), "\(entry.key)")
    }
    #expect(page.contains("It has more currencies, too."))
    #expect(page.contains(">27 Sep 2026 to 31 Oct 2026</th><td class=\"source\">units"))
  }
}
