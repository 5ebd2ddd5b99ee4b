import Foundation
import PostgreSQL
import ReconciliationSQL
import Runs

/// The findings that match a filter, in their state after the newest night.
package struct FindingList {
  /// The filter; an empty list or nil matches everything.
  package struct Filter: Sendable, Equatable {
    /// Names of rules.
    package var rules: [String] = []
    /// info, warning, error.
    package var levels: [String] = []
    /// open, reopened, acknowledged, resolved.
    package var statuses = ["open", "reopened", "acknowledged"]
    /// Product identifiers, byte for byte.
    package var products: [String] = []
    /// Only findings first flagged more days ago than this, counted to the day of the newest night.
    package var olderThanDays: Int?
    /// The maximum number of findings; the worst and oldest are returned.
    package var limit: Int?

    /// Matches all findings that are not resolved.
    package init() {}

    fileprivate var json: String {
      get throws {
        var values: [String: Any] = [
          "rules": rules, "levels": levels, "statuses": statuses, "products": products,
        ]
        values["older_than"] = olderThanDays
        values["limit"] = limit
        return String(
          decoding: try JSONSerialization.data(withJSONObject: values), as: UTF8.self)
      }
    }
  }

  /// One finding.
  package struct Row: Sendable, Equatable {
    /// Its name, which ``FindingActs`` takes.
    package let name: String
    /// The rule that found it.
    package let rule: String
    /// info, warning or error.
    package let level: String
    /// open, reopened, acknowledged or resolved.
    package let status: String
    /// Days from the day that first flagged it to the day of the newest night.
    package let ageDays: Int
    /// The as-of day of the first run that found it, YYYY-MM-DD.
    package let firstFlaggedOn: String
    /// The App Store's environment; nil where the subject belongs to none.
    package let environment: String?
    /// The finding's subject.
    package let subject: String
    /// The finding's reason, if its rule has reasons.
    package let reason: String?
    /// One sentence with the numbers and places.
    package let detail: String
    /// The acknowledgement that holds now; nil if there is none.
    package let acknowledgement: Acknowledgement?
  }

  /// An acknowledgement that holds now.
  package struct Acknowledgement: Sendable, Equatable {
    /// The person who acknowledged the finding.
    package let by: String
    /// The instant of the acknowledgement, as RFC 3339.
    package let at: String
    /// The last day on which it holds, YYYY-MM-DD; nil: until the finding resolves.
    package let until: String?
    /// The reason for the acknowledgement.
    package let because: String
    /// The system's user who really was at work.
    package let systemUser: String
    /// The role with which that user connected to the database.
    package let role: String
  }

  private let database: String

  /// Prepares to read the findings of a database.
  package init(database: String) {
    self.database = database
  }

  /// The findings, the worst and oldest first.
  ///
  /// - Returns: the rows, and the number of matching findings without the limit.
  package func rows(_ filter: Filter) throws -> (rows: [Row], all: Int) {
    try asking(filter) { connection in
      let rows = try connection.run(SQLFile.findingsList)
      // Each row contains the number of all findings. Without rows the number is 0.
      let all = rows.values.first?.last.flatMap { $0 }.flatMap { Int($0) } ?? 0
      return (rows.values.compactMap(Row.init), all)
    }
  }

  /// The findings as CSV in the form of the reports; `each` is called with one piece at a time.
  package func csv(_ filter: Filter, each: ([UInt8]) throws -> Void) throws {
    try asking(filter) { connection in
      _ = try connection.copyOut(
        """
        copy (
        select
            finding, rule, level, status, age_days, first_flagged_on, environment,
            csv_text(subject) as subject, reason, csv_text(detail) as detail,
            csv_text(acknowledged_by) as acknowledged_by, acknowledged_at, acknowledged_until,
            csv_text(because) as because,
            csv_text(acknowledged_system_user) as acknowledged_system_user,
            csv_text(acknowledged_role) as acknowledged_role
        from (
        \(SQLFile.findingsList.text)
        ) as listed
        order by place
        ) to stdout (format csv, header)
        """, lineEnd: [13, 10], hasHeader: true, step: SQLFile.findingsList.name, each: each)
    }
  }

  /// Whether no night was done yet, so that an empty list does not mean that all is well.
  package func isBeforeFirstNight() throws -> Bool {
    let nights = try Connection(database, applicationName: "tieout findings").run(
      "select exists (select from tieout.run where outcome = 'done' and not is_of_past_day)",
      step: "first night")
    return nights.first != "t"
  }

  private func asking<Result>(
    _ filter: Filter, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let connection = try Connection(database, applicationName: "tieout findings")
    try Schema.bringUpToDate(connection)
    return try connection.reading {
      try connection.run(
        "select set_config('tieout.listed', $1, true)", [try filter.json], step: "begin")
      return try body(connection)
    }
  }
}

extension FindingList.Row {
  fileprivate init?(_ row: [String?]) {
    guard row.count == 18, let name = row[0], let rule = row[1], let level = row[2],
      let status = row[3], let ageDays = row[4].flatMap({ Int($0) }), let day = row[5],
      let subject = row[7], let detail = row[9]
    else { return nil }
    var acknowledgement: FindingList.Acknowledgement?
    if let by = row[10], let at = row[11], let because = row[13], let user = row[14],
      let role = row[15]
    {
      acknowledgement = .init(
        by: by, at: at, until: row[12], because: because, systemUser: user, role: role)
    }
    self.init(
      name: name, rule: rule, level: level, status: status, ageDays: ageDays,
      firstFlaggedOn: day, environment: row[6]?.isEmpty == false ? row[6] : nil,
      subject: subject, reason: row[8], detail: detail, acknowledgement: acknowledgement)
  }
}
