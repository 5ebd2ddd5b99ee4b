import Page

/// A page with content in every part.
///
/// The test chooses the text from outside.
enum SamplePage {
  static let rules = [
    "missing_delivery", "invalid_product_id", "delivery_without_purchase", "shared_purchase",
    "conflicting_catalogue",
  ]

  static func make(outside text: String = "com.example.book", findings: Int = 3) -> NightPage {
    var page = NightPage()
    page.asOf = "2026-11-20T03:00:00Z"
    page.day = "2026-11-20"
    page.dayInWords = "Friday 20 November 2026"
    page.timeZone = "Europe/Berlin"
    page.booksBegin = "2026-11-01T00:00:00Z"
    page.transactions = 12_345
    page.firstFlagged = 2
    page.comparison.obligations = ["due": 9, "delivered": 2, "missing": 7]
    page.nights = (0..<30).map { place in
      let state: NightPage.Day.State =
        switch place {
        case 0..<5: .before
        case 9, 10: .missing
        case 15: .incomplete
        case 29: .tonight
        default: .done
        }
      return NightPage.Day(
        day: "2026-10-\(place + 1)", label: "\(place + 1) Nov", state: state,
        outcome: place == 15 ? "killed" : nil,
        standing: [
          "transactions": 12_000 + place, "read": 100, "rejected": place, "missing": 7,
        ])
    }
    page.nights[29].day = page.day
    page.open = page.nights.flatMap { night in
      rules.map { rule in
        NightPage.Open(
          day: night.day, rule: rule, level: rule.hasPrefix("m") ? "error" : "info", findings: 7)
      }
    }
    page.money.ages = ["0 days", "1–6 days"]
    page.money.atRisk = [
      Money.Risk(
        isUncertain: false, currency: "USD", source: "receipt",
        total: Money.Risk.Part(deliveries: 4, amount: "4.00"),
        byAge: [
          Money.Risk.Part(deliveries: 4, amount: "4.00"),
          Money.Risk.Part(deliveries: 0, amount: nil),
        ])
    ]
    page.gaps = [
      NightPage.Gap(server: text, kind: "server", hour: 14, missing: 91),
      NightPage.Gap(server: nil, kind: "none", hour: 3, missing: 1),
    ]
    page.cause =
      "Of the 23 missing deliveries of the last 14 days, 20 came through \(text), compared with 12 % of all owed deliveries."
    let sum = NightPage.Currency.Sum(gross: "1234.50", refunds: "4.50", net: "1230.00")
    page.revenue = [NightPage.Currency(code: "EUR", total: sum, days: ["2026-11-20": sum])]
    page.currencies = 3
    page.appleSums = [
      appleSum("sales_summary", "day", period: text, currency: "", ours: "1234"),
      appleSum("sales_summary", "day", isTotal: true, period: text, currency: "", ours: "2000"),
      appleSum("sales_summary", "day", isTotal: true, period: text, currency: text, ours: "9.99"),
      appleSum(
        "sales_summary", "pending", isTotal: true, period: "19 Nov 2026", currency: "", ours: "7",
        isCompared: false),
      appleSum("financial", "fiscal month", isTotal: true, period: text, currency: "", ours: "5"),
    ]
    page.lostRegions = [NightPage.LostRegion(period: text, words: text)]
    page.worst = rules.flatMap { rule in
      (0..<findings).map { _ in
        NightPage.Worst(
          rule: rule, level: "error", subject: text, reason: text, detail: text,
          transactionID: rule == "missing_delivery" ? text : nil, name: "F-0123456789ab",
          firstFlaggedOn: "2026-11-19", status: text, findings: 4711)
      }
    }
    page.acknowledged = [nil, "2026-12-01"].map { day in
      NightPage.Acknowledged(
        rule: "missing_delivery", level: "error", subject: text, reason: text,
        name: "F-0123456789ab", because: text, by: text, systemUser: text, role: text,
        until: day, findings: 12)
    }
    page.files = [NightPage.File(name: "findings.csv", holds: "everything", rows: 3)]
    return page
  }

  /// A sum of rows of `tie_out.csv`, with two rows that are explained in part, one on one side and
  /// three that are unexplained.
  static func appleSum(
    _ report: String, _ cadence: String, isTotal: Bool = false, period: String, currency: String,
    ours: String, hasListPrices: Bool = false, isCompared: Bool = true
  ) -> NightPage.AppleSum {
    NightPage.AppleSum(
      report: report, cadence: cadence, isTotal: isTotal, periods: 2, reported: 2,
      days: 17, quietDays: isCompared ? 0 : 3, period: period, currency: currency, currencies: 7,
      lines: 1500, ours: ours,
      hasListPrices: hasListPrices,
      compared: isCompared
        ? NightPage.AppleSum.Compared(
          theirs: "1240", difference: "6", explained: "-2", oneSide: "1", unexplained: "7",
          lines: (tied: 1496, explained: 2, oneSide: 1, unexplained: 3))
        : nil)
  }

  /// The page as text.
  static func html(_ page: NightPage) throws -> String {
    String(decoding: try page.html(), as: UTF8.self)
  }
}
