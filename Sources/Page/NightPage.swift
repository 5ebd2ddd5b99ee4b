import Foundation
import LibCrypto
import Mustache

/// A night as one page: the sentence, the numbers, the drawings, the worst, the files.
///
/// It holds what is to be told; ``html()`` makes the page. Text from outside is taken as it came.
public struct NightPage: Sendable {
  /// The night's as-of as the reports write it, and its day: 2026-11-20.
  public var asOf = ""
  /// The as-of day, 2026-11-20.
  public var day = ""
  /// The as-of day in words: Friday 20 November 2026.
  public var dayInWords = ""
  /// The time zone whose days and hours the page speaks of.
  public var timeZone = "UTC"
  /// When the books begin; nil: there is no delivery at all.
  public var booksBegin: String?
  /// Whether there is any product to hold identifiers against.
  public var hasCatalogue = true
  /// Transactions that were considered.
  public var transactions = 0
  /// Open findings that were first flagged on this day.
  public var firstFlagged = 0
  /// The days up to the night, which is the last of them; thirty.
  public var nights: [Day] = []
  /// Findings by day, rule and level; days without any are left out.
  public var open: [Open] = []
  /// What is missing by age, youngest first.
  public var ages: [Age] = []
  /// What is missing by server and hour, in the order of the servers.
  public var gaps: [Gap] = []
  /// Revenue by currency, in the order in which the currencies are shown.
  public var revenue: [Currency] = []
  /// How many currencies there are in all.
  public var currencies = 0
  /// The worst of the open findings, by rule.
  public var worst: [Worst] = []
  /// What somebody has acknowledged, in the order in which it comes back; some of it.
  public var acknowledged: [Acknowledged] = []
  /// The files beside the page.
  public var files: [File] = []

  /// A page that tells of nothing yet.
  public init() {}

  /// One day and its night.
  public struct Day: Sendable {
    /// What became of a night.
    public enum State: String, Sendable {
      /// The night that the page is of.
      case tonight
      /// It was done.
      case done
      /// It was done by a version that kept no counts.
      case uncounted
      /// It was begun and not done.
      case incomplete
      /// Nobody ran it.
      case missing
      /// Nobody had begun to run nights.
      case before
    }
    /// 2026-11-20.
    public var day: String
    /// 20 Nov.
    public var label: String
    /// What became of it.
    public var state: State
    /// How its last run ended, where it was not done: failed, killed, rejected or stopped.
    public var outcome: String?
    /// Transactions, findings first flagged, records read and rejected, by these names.
    public var standing: [String: Int]

    /// Makes a day.
    public init(
      day: String, label: String, state: State, outcome: String? = nil,
      standing: [String: Int] = [:]
    ) {
      self.day = day
      self.label = label
      self.state = state
      self.outcome = outcome
      self.standing = standing
    }

    /// Whether it is known what was open at its end.
    var isCounted: Bool { state == .tonight || state == .done }
  }

  /// How many findings of a rule and level stood on a day; several of the same add up.
  public struct Open: Sendable {
    /// 2026-11-20.
    public var day: String
    /// The rule's name.
    public var rule: String
    /// error, warning or info.
    public var level: String
    /// How many were open and rang.
    public var findings: Int
    /// How many more somebody had acknowledged.
    public var acknowledged: Int

    /// Makes a count.
    public init(day: String, rule: String, level: String, findings: Int, acknowledged: Int = 0) {
      self.day = day
      self.rule = rule
      self.level = level
      self.findings = findings
      self.acknowledged = acknowledged
    }
  }

  /// A group of ages.
  public struct Age: Sendable {
    /// Its days: 2–3.
    public var label: String
    /// How many are missing.
    public var missing: Int

    /// Makes a group.
    public init(label: String, missing: Int) {
      self.label = label
      self.missing = missing
    }
  }

  /// What is missing of a server and hour.
  public struct Gap: Sendable {
    /// The server as the log names it; nil: see `kind`.
    public var server: String?
    /// server, other (servers), unnamed, or none (no attempt).
    public var kind: String
    /// The hour of the purchase, 0 to 23.
    public var hour: Int
    /// How many are missing.
    public var missing: Int

    /// Makes a gap.
    public init(server: String?, kind: String, hour: Int, missing: Int) {
      self.server = server
      self.kind = kind
      self.hour = hour
      self.missing = missing
    }
  }

  /// A currency's revenue.
  public struct Currency: Sendable {
    /// One day's amounts: exact decimals as text.
    public struct Sum: Sendable {
      /// What was charged.
      public var gross: String
      /// What was given back, positive.
      public var refunds: String
      /// The difference.
      public var net: String

      /// Makes a sum.
      public init(gross: String, refunds: String, net: String) {
        self.gross = gross
        self.refunds = refunds
        self.net = net
      }
    }
    /// Its code.
    public var code: String
    /// All days together.
    public var total: Sum
    /// By day; days without any are left out.
    public var days: [String: Sum]

    /// Makes a currency.
    public init(code: String, total: Sum, days: [String: Sum]) {
      self.code = code
      self.total = total
      self.days = days
    }
  }

  /// A file beside the page.
  public struct File: Sendable {
    /// Its name.
    public var name: String
    /// What it holds, in a few words.
    public var holds: String
    /// How many rows it has; nil where it has none.
    public var rows: Int?

    /// Makes a file.
    public init(name: String, holds: String, rows: Int?) {
      self.name = name
      self.holds = holds
      self.rows = rows
    }
  }

  /// The page, in UTF-8: one file without scripts, that loads nothing.
  public func html() throws -> [UInt8] {
    let style = Templates.style
    var values: [String: Any] = [
      "style": style,
      "styleHash": Data(HashFunction.sha256.digest(of: style.utf8).bytes).base64EncodedString(),
      "day": day, "dayInWords": dayInWords, "asOf": asOf,
      "sentence": sentence, "notes": notes, "figures": figures, "rules": rules,
      "worst": worstByRule,
      "files": files.map { file -> [String: Any] in
        var values: [String: Any] = ["name": file.name, "holds": file.holds]
        values["rows"] = file.rows.map { Amount.counted($0, "row") }
        return values
      },
    ]
    values["zone"] = timeZone == "UTC" ? nil : timeZone
    values["ages"] = agesDrawing?.values
    values["acknowledged"] = acknowledgedValues
    values["gaps"] = gapsDrawing?.values
    values["gapTable"] = gaps.isEmpty ? nil : gapTable
    values["currencies"] = revenue.isEmpty ? nil : ["list": currencyValues]
    let others = currencies - revenue.count
    values["moreCurrencies"] =
      others > 0 ? "\(others) more \(others == 1 ? "currency" : "currencies")" : nil
    guard let page = try Templates.library().render(values, withTemplate: "page") else { return [] }
    return [UInt8](page.utf8)
  }
}
