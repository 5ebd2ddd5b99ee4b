import ArgumentParser
import Configuration
import Foundation
import Reconciliation

/// `tieout findings`: what is wrong, the worst and oldest first.
struct FindingsCommand: ParsableCommand {
  /// How findings are written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, csv, json
  }

  /// What a finding's life has come to.
  enum Status: String, ExpressibleByArgument, CaseIterable {
    case open, reopened, acknowledged, resolved
  }

  /// How bad it is.
  enum Level: String, ExpressibleByArgument, CaseIterable {
    case info, warning, error
  }

  static let configuration = CommandConfiguration(
    commandName: "findings",
    abstract: "Lists findings by rule, level, status, age and product, the worst and oldest first.",
    discussion: """
      As they stand after the newest night. An option may be given several times; it then asks for \
      either. The name in the first column is what tieout acknowledge and tieout reopen take.
      """)

  @OptionGroup var places: PlaceOptions

  @Option(help: ArgumentHelp("Only of this rule.", valueName: "rule"))
  var rule: [String] = []

  @Option(help: ArgumentHelp("Only of this level.", valueName: "level"))
  var level: [Level] = []

  @Option(
    help: ArgumentHelp(
      "Only of this status. Default: open, reopened, acknowledged.", valueName: "status"))
  var status: [Status] = []

  @Option(
    help: ArgumentHelp("Only what was first flagged more days ago than this.", valueName: "days"))
  var olderThan: Int?

  @Option(help: ArgumentHelp("Only of this product.", valueName: "product"))
  var product: [String] = []

  @Option(help: "How findings are written.")
  var format = Format.table

  @Option(help: ArgumentHelp("So many at most.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    for name in rule where !Rule.all.contains(where: { $0.name == name }) {
      let names = Rule.all.map(\.name).sorted().joined(separator: ", ")
      throw ValidationError("There is no rule \(name). The rules are \(names).")
    }
    if let limit, limit < 1 { throw ValidationError("--limit has to be at least 1.") }
    if let olderThan, !(0...1_000_000).contains(olderThan) {
      throw ValidationError("--older-than has to be a number of days, 0 or more.")
    }
  }

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      var filter = FindingList.Filter()
      filter.rules = rule
      filter.levels = level.map(\.rawValue)
      if !status.isEmpty { filter.statuses = status.map(\.rawValue) }
      filter.products = product
      filter.olderThanDays = olderThan
      filter.limit = limit
      try Database.use(settings, logger: Log(settings).logger) { database in
        let list = FindingList(database: database)
        switch format {
        case .table:
          let (rows, all) = try list.rows(filter)
          print(FindingsText.table(rows, of: all, width: Terminal.width), terminator: "")
        case .csv:
          try list.csv(filter) { try FileHandle.standardOutput.write(contentsOf: Data($0)) }
        case .json:
          print(try FindingsText.json(list.rows(filter).rows), terminator: "")
        }
      }
    }
  }
}
