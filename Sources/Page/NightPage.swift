import Mustache

/// The page about one night: sentence, numbers, drawings, worst findings, files.
///
/// The properties hold the data, and ``html()`` creates the page. Text from outside is stored
/// unchanged.
package struct NightPage: Sendable {
  /// The night's as-of in the form that the reports use.
  package var asOf = ""
  /// The as-of day, 2026-11-20.
  package var day = ""
  /// The as-of day in words: Friday 20 November 2026.
  package var dayInWords = ""
  /// The time zone of the page's days and hours.
  package var timeZone = "UTC"
  /// The instant when the books begin; nil if there is no delivery.
  package var booksBegin: String?
  /// Whether the catalogue has a product with which identifiers can be compared.
  package var hasCatalogue = true
  /// Whether the run is one of a past day.
  package var isOfPastDay = false
  /// The number of files that were withdrawn and still count.
  package var withdrawnFiles = 0
  /// The number of transactions that were considered.
  package var transactions = 0
  /// The number of open findings that were first flagged on this day.
  package var firstFlagged = 0
  /// The number of open findings that reopened on this day and were first flagged before it.
  package var reopened = 0
  /// How many purchases were compared with deliveries, and how many were not.
  package var comparison = Comparison()
  /// The thirty days up to the night, which is the last one.
  package var nights: [Day] = []
  /// The last night that was done before these days; nil if there is none.
  package var earlierNight: Day?
  /// Findings by day, rule and level; days without findings are left out.
  package var open: [Open] = []
  /// The changes of findings by the runs of the day.
  package var changes: [Change] = []
  /// Missing deliveries by server and hour, in the order of the servers.
  package var gaps: [Gap] = []
  /// What the missing deliveries have in common, in one sentence; nil if nothing stands out.
  package var cause: String?
  /// What missing deliveries cost, and the sources of the amounts of sales.
  package var money = Money()
  /// Revenue by currency, in the order in which the currencies are shown.
  package var revenue: [Currency] = []
  /// The first day of `revenue.csv`, as 2026-11-01 and in words, if it is one of the thirty days;
  /// nil if all of them have revenue.
  package var revenueSince: (day: String, words: String)?
  /// The number of currencies with revenue, with those that are not shown.
  package var currencies = 0
  /// What Apple's reports add up to, compared with our records; empty if there is no report.
  package var appleSums: [AppleSum] = []
  /// What the Financial Reports of the newest months lack, the newest first.
  package var lostRegions: [LostRegion] = []
  /// The worst open findings of each rule and level.
  package var worst: [Worst] = []
  /// Acknowledged findings, not necessarily all; the acknowledgement that ends first comes first.
  package var acknowledged: [Acknowledged] = []
  /// The files in the same folder as the page.
  package var files: [File] = []
  /// The links to other nights and editions; nil for a page on its own.
  package var navigation: Navigation?

  /// Creates a page without data.
  package init() {}

  /// One day and its night.
  package struct Day: Sendable {
    /// The state of a night.
    package enum State: String, Sendable {
      /// The night of the page.
      case tonight
      /// The night is finished.
      case done
      /// The night was begun and is not finished.
      case incomplete
      /// There was no night; at most a run of a past day.
      case missing
      /// The day is before the first run.
      case before
    }
    /// The day, 2026-11-20.
    package var day: String
    /// The day in short form: 20 Nov; of a day before the thirty days: 20 Nov 2026.
    package var label: String
    /// The state of its night.
    package var state: State
    /// The outcome of its last run, if the night is not finished: failed, killed, rejected or
    /// stopped.
    package var outcome: String?
    /// Counts by name: transactions, first_flagged, read, rejected, due, missing and uncertain.
    package var standing: [String: Int]

    /// Creates a day.
    package init(
      day: String, label: String, state: State, outcome: String? = nil,
      standing: [String: Int] = [:]
    ) {
      self.day = day
      self.label = label
      self.state = state
      self.outcome = outcome
      self.standing = standing
    }

    /// Whether the counts of its open findings are known.
    var isCounted: Bool { state == .tonight || state == .done }
  }

  /// The last night before this one whose findings were counted; nil if there is none.
  var lastNight: Day? {
    (([earlierNight].compactMap { $0 }) + nights.dropLast()).last { $0.isCounted }
  }

  /// The findings of a rule and level on a day.
  ///
  /// Several entries of the same day, rule and level add up.
  package struct Open: Sendable {
    /// The day, 2026-11-20.
    package var day: String
    /// The rule's name.
    package var rule: String
    /// error, warning or info.
    package var level: String
    /// The number of open findings that were not acknowledged.
    package var findings: Int
    /// The number of acknowledged findings.
    package var acknowledged: Int

    /// Creates a count.
    package init(day: String, rule: String, level: String, findings: Int, acknowledged: Int = 0) {
      self.day = day
      self.rule = rule
      self.level = level
      self.findings = findings
      self.acknowledged = acknowledged
    }
  }

  /// Missing deliveries of one server and hour.
  package struct Gap: Sendable {
    /// The server's name in the delivery log; nil if `kind` is not server.
    package var server: String?
    /// One of: server, other (several servers), unnamed, none (no attempt), unknown (no log).
    package var kind: String
    /// The hour of the purchase, 0 to 23.
    package var hour: Int
    /// The number of missing deliveries.
    package var missing: Int

    /// Creates a gap.
    package init(server: String?, kind: String, hour: Int, missing: Int) {
      self.server = server
      self.kind = kind
      self.hour = hour
      self.missing = missing
    }
  }

  /// A currency's revenue.
  package struct Currency: Sendable {
    /// One day's amounts: exact decimals as text.
    package struct Sum: Sendable {
      /// The amount of all sales.
      package var gross: String
      /// The refunded amount, positive.
      package var refunds: String
      /// The amount of all sales minus the refunded amount.
      package var net: String
      /// The part of `gross` that is list price, an estimate; nil if there is none.
      package var listPrice: String?
      /// The part of `refunds` that is list price; nil if there is none.
      package var listRefunds: String?

      /// Creates a sum.
      package init(
        gross: String, refunds: String, net: String, listPrice: String? = nil,
        listRefunds: String? = nil
      ) {
        self.gross = gross
        self.refunds = refunds
        self.net = net
        self.listPrice = listPrice
        self.listRefunds = listRefunds
      }
    }
    /// The currency's code.
    package var code: String
    /// The sum of all days.
    package var total: Sum
    /// The sums by day; days without revenue are left out.
    package var days: [String: Sum]

    /// Creates a currency.
    package init(code: String, total: Sum, days: [String: Sum]) {
      self.code = code
      self.total = total
      self.days = days
    }
  }

  /// A file in the same folder as the page.
  package struct File: Sendable {
    /// The file's name.
    package var name: String
    /// The file's content in a few words.
    package var holds: String
    /// The number of its rows; nil if it has no rows.
    package var rows: Int?

    /// Creates a file.
    package init(name: String, holds: String, rows: Int?) {
      self.name = name
      self.holds = holds
      self.rows = rows
    }
  }

  /// The page in UTF-8.
  ///
  /// It is one file without scripts, and it loads no other file.
  package func html() throws -> [UInt8] {
    let own: [String: Any] = [
      "day": day, "dayInWords": dayInWords, "asOf": asOf,
      "headline": comparison.headline, "heading": Figure.unbroken(comparison.headline),
      "limits": limits,
      "unread": comparison.fileSentences { OutsideText.shown($0) }
        // The words are the program's, except for names of servers.
        + comparison.feedSentences { OutsideText.shown($0, most: 400) },
      "sentence": sentence, "notes": notes, "figures": figures, "rules": rules,
      "worst": worstByRule,
      "files": files.map { file -> [String: Any] in
        var values: [String: Any] = ["name": file.name, "holds": file.holds]
        values["rows"] = file.rows.map { Figure.counted($0, "rows") }
        return values
      },
    ]
    var values = Templates.frame.merging(own) { $1 }
    values["navigation"] = navigation?.values(of: day)
    values["zone"] = timeZone == "UTC" ? nil : timeZone
    values["changes"] = changeValues
    values["ages"] = agesDrawing?.values
    values["noneMissing"] =
      comparison.count("due") > 0
      ? "No delivery is missing." : "Not checked, because no delivery was due."
    values["cause"] = cause.map { OutsideText.shown($0, most: 400) }
    values["acknowledged"] = acknowledgedValues
    values["pastDay"] =
      isOfPastDay ? "An edition of a past day has no roll-forward and no restatement." : nil
    values["gaps"] = gapsDrawing?.values
    values["risk"] = riskTable
    values["sales"] = salesTable
    values["gapTable"] = gaps.isEmpty ? nil : gapTable
    values["apple"] = appleValues
    values["currencies"] = revenue.isEmpty ? nil : ["list": currencyValues]
    values["revenueSpan"] = revenueSpan
    values["revenueSince"] = revenueSince?.words
    let others = currencies - revenue.count
    values["moreCurrencies"] =
      others > 0 ? "\(others) more \(others == 1 ? "currency" : "currencies")" : nil
    guard let page = try Templates.library().render(values, withTemplate: "page") else {
      preconditionFailure("The template page is missing.")
    }
    return [UInt8](page.utf8)
  }
}
