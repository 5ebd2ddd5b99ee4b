import Foundation
import PostgreSQL
import ReconciliationSQL

/// The findings that somebody asks for, as they stand after the newest night.
public struct FindingList {
  /// What is asked for; what is empty or nil asks for all.
  public struct Filter: Sendable, Equatable {
    /// Names of rules.
    public var rules: [String] = []
    /// info, warning, error.
    public var levels: [String] = []
    /// open, reopened, acknowledged, resolved.
    public var statuses = ["open", "reopened", "acknowledged"]
    /// Product identifiers, byte for byte.
    public var products: [String] = []
    /// Only what was first flagged more days ago than this, counted to the day of the newest night.
    public var olderThanDays: Int?
    /// So many at most, the worst and oldest of them.
    public var limit: Int?

    /// Asks for everything that is open.
    public init() {}

    fileprivate var json: String {
      var values: [String: Any] = [
        "rules": rules, "levels": levels, "statuses": statuses, "products": products,
      ]
      values["older_than"] = olderThanDays
      values["limit"] = limit
      guard let data = try? JSONSerialization.data(withJSONObject: values) else { return "{}" }
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// One finding.
  public struct Row: Sendable, Equatable {
    /// Its name, which ``FindingActs`` takes.
    public let name: String
    /// The rule that found it.
    public let rule: String
    /// info, warning or error.
    public let level: String
    /// open, reopened, acknowledged or resolved.
    public let status: String
    /// Days from the day that first flagged it to the day of the newest night.
    public let ageDays: Int
    /// The as-of day of the first run that found it, YYYY-MM-DD.
    public let firstFlaggedOn: String
    /// The App Store's environment; nil where the subject belongs to none.
    public let environment: String?
    /// What it is about.
    public let subject: String
    /// Which of the rule's reasons.
    public let reason: String?
    /// One sentence with the numbers and places.
    public let detail: String
    /// What somebody acknowledged of it.
    public let acknowledgement: Acknowledgement?
  }

  /// What somebody acknowledged, that holds now.
  public struct Acknowledgement: Sendable, Equatable {
    /// Who did.
    public let by: String
    /// When, as RFC 3339.
    public let at: String
    /// The last day on which it holds, YYYY-MM-DD; nil: until the finding resolves.
    public let until: String?
    /// Why.
    public let because: String
  }

  private let database: String

  /// Looks at the findings of a database.
  public init(database: String) {
    self.database = database
  }

  /// The findings, the worst and oldest first.
  ///
  /// - Returns: the rows, and how many there are without the limit.
  public func rows(_ filter: Filter) throws -> (rows: [Row], all: Int) {
    try asking(filter) { connection in
      let rows = try connection.run(SQLFile.findingsList.text, step: SQLFile.findingsList.name)
      // Of nothing no row tells how many there are.
      let all = rows.values.first?.last.flatMap { $0 }.flatMap { Int($0) } ?? 0
      return (rows.values.compactMap(Row.init), all)
    }
  }

  /// The findings as CSV in the form of the reports, piece by piece.
  public func csv(_ filter: Filter, each: ([UInt8]) throws -> Void) throws {
    try asking(filter) { connection in
      _ = try connection.copyOut(
        """
        copy (
        select
            finding, rule, level, status, age_days, first_flagged_on, environment,
            csv_text(subject) as subject, reason, csv_text(detail) as detail,
            csv_text(acknowledged_by) as acknowledged_by, acknowledged_at, acknowledged_until,
            csv_text(because) as because
        from (
        \(SQLFile.findingsList.text)
        ) as listed
        order by place
        ) to stdout (format csv, header)
        """, lineEnd: [13, 10], hasHeader: true, step: SQLFile.findingsList.name, each: each)
    }
  }

  /// Asks in a transaction that only reads, and takes no lock that a night would wait for.
  private func asking<Result>(
    _ filter: Filter, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let connection = try Connection(database, applicationName: "tieout findings")
    try Schema.bringUpToDate(connection)
    try connection.run("begin read only", step: "begin")
    try connection.run(Schema.transactionSettings, step: "begin")
    try connection.run(
      "select set_config('tieout.listed', $1, true)", [filter.json], step: "begin")
    let result = try body(connection)
    try connection.run("commit", step: "commit")
    return result
  }
}

extension FindingList.Row {
  fileprivate init?(_ row: [String?]) {
    guard row.count == 16, let name = row[0], let rule = row[1], let level = row[2],
      let status = row[3], let ageDays = row[4].flatMap({ Int($0) }), let day = row[5],
      let subject = row[7], let detail = row[9]
    else { return nil }
    var acknowledgement: FindingList.Acknowledgement?
    if let by = row[10], let at = row[11], let because = row[13] {
      acknowledgement = .init(by: by, at: at, until: row[12], because: because)
    }
    self.init(
      name: name, rule: rule, level: level, status: status, ageDays: ageDays,
      firstFlaggedOn: day, environment: row[6]?.isEmpty == false ? row[6] : nil,
      subject: subject, reason: row[8], detail: detail, acknowledgement: acknowledgement)
  }
}
