import ArgumentParser
import Configuration
import Findings
import Foundation
import Logging
import Page
import Rules
import Runs

/// `tieout findings`: the findings, by level and age.
struct FindingsCommand: ParsableCommand {
  /// The output format.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, csv, json
  }

  /// The status of a finding.
  enum Status: String, ExpressibleByArgument, CaseIterable {
    case open, reopened, acknowledged, resolved
  }

  static let configuration = CommandConfiguration(
    commandName: "findings",
    abstract: "Lists findings, errors and old findings first.",
    discussion: """
      Lists the findings after the newest night. An option that is given several times selects findings \
      with any of its values. The name in the first column is the argument of tieout acknowledge, \
      tieout reopen and tieout explain.
      """)

  @OptionGroup var common: CommonOptions

  @Option(help: ArgumentHelp("Only findings of this rule.", valueName: "rule"))
  var rule: [String] = []

  @Option(help: ArgumentHelp("Only findings of this level.", valueName: "level"))
  var level: [Level] = []

  @Option(
    help: ArgumentHelp(
      "Only findings of this status. Default: open, reopened, acknowledged.", valueName: "status"))
  var status: [Status] = []

  @Option(
    help: ArgumentHelp(
      "Only findings that were first flagged more than this number of days ago.", valueName: "days")
  )
  var olderThan: Int?

  @Option(help: ArgumentHelp("Only findings of this product.", valueName: "product"))
  var product: [String] = []

  @Option(help: "Output format.")
  var format = Format.table

  @Option(help: ArgumentHelp("Maximum number of findings.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    for name in rule where Rule.named(name) == nil {
      let names = Rule.all.map(\.name).sorted().joined(separator: ", ")
      throw ValidationError(
        "There is no rule \(name).\(UsageAdvice.aboutSeveral(in: name)) The rules are \(names).")
    }
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    if let olderThan, !(0...1_000_000).contains(olderThan) {
      throw ValidationError("--older-than must be a number of days, at least 0.")
    }
  }

  func run() throws {
    try Ending.explained {
      let settings = try common.settings()
      var filter = FindingList.Filter()
      filter.rules = rule
      filter.levels = level.map(\.rawValue)
      if !status.isEmpty { filter.statuses = status.map(\.rawValue) }
      filter.products = product
      filter.olderThanDays = olderThan
      filter.limit = limit
      let log = Log(settings).logger
      try Database.use(settings, logger: log) { database in
        let list = FindingList(database: database)
        // An empty list does not mean that all is well if no night was done yet.
        let history = RunHistory(database: database)
        switch format {
        case .table:
          let (rows, all) = try list.rows(filter)
          if rows.isEmpty, let words = try history.wordsIfBeforeFirstNight() {
            return try StandardOutput.writeLine(words)
          }
          try StandardOutput.write(FindingsText.table(rows, of: all, width: Terminal.limit ?? .max))
          for product in rows.isEmpty ? try list.unknownProducts(of: filter) : [] {
            try StandardOutput.writeLine(
              "No record and no catalogue has the product \(Visible.text(product)).")
          }
        case .csv:
          try list.csv(filter) { try StandardOutput.write($0) }
          if let words = try history.wordsIfBeforeFirstNight() { log.warning("\(words)") }
        case .json:
          let rows = try list.rows(filter).rows
          try StandardOutput.write(FindingsText.json(rows))
          if rows.isEmpty, let words = try history.wordsIfBeforeFirstNight() {
            log.warning("\(words)")
          }
        }
        if let words = try history.wordsIfUnjudged() {
          guard format == .table else { return log.warning("\(words)") }
          try StandardOutput.writeLine(words)
        }
      }
    }
  }
}

extension Level: ExpressibleByArgument {}
