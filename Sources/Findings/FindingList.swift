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
  ///
  /// As JSON with keys in snake case it is a line of `tieout findings --format json`.
  package struct Row: Sendable, Equatable, Encodable {
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
    /// The subject, with its product in quotation marks if it begins or ends with a blank; not in
    /// the JSON.
    package let shownSubject: String
    /// The finding's reason, if its rule has reasons.
    package let reason: String?
    /// Whether the subject contains the reason; not in the JSON.
    package let isReasonInSubject: Bool
    /// One sentence with the numbers and places.
    package let detail: String
    /// The acknowledgement that holds now; nil if there is none.
    package let acknowledgement: Acknowledgement?

    private enum CodingKeys: String, CodingKey {
      case name = "finding"
      case rule, level, status, ageDays, firstFlaggedOn, environment, subject, reason, detail
      case acknowledgement = "acknowledged"
    }
  }

  /// An acknowledgement that holds now.
  package struct Acknowledgement: Sendable, Equatable, Encodable {
    /// The person who acknowledged the finding.
    package let by: String
    /// The instant of the acknowledgement, as RFC 3339.
    package let at: String
    /// The last day on which it holds, YYYY-MM-DD; nil: until the finding resolves.
    package let until: String?
    /// The reason for the acknowledgement.
    package let because: String
    /// The operating system's user who ran the command; ``by`` is only what this user said.
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
      let rows = try connection.run(SQLFile.findingsList).records
      // Each row contains the number of all findings. Without rows the number is 0.
      return try (rows.map { try Row($0) }, rows.first?.count("findings") ?? 0)
    }
  }

  /// The findings as CSV in the form of the reports; `each` is called with one piece at a time.
  package func csv(_ filter: Filter, each: ([UInt8]) throws -> Void) throws {
    try asking(filter) { connection in
      _ = try connection.copyCSV(
        "with listed as (\n\(SQLFile.findingsList.text)\n)\n\(SQLFile.findingsCsv.text)",
        step: SQLFile.findingsList.name, each: each)
    }
  }

  /// Those of the filter's products that no record and no catalogue contains.
  package func unknownProducts(of filter: Filter) throws -> [String] {
    guard !filter.products.isEmpty else { return [] }
    return try asking(filter) { connection in
      try connection.run(
        SQLFile.findingsUnknownProduct, [PostgreSQLArray.text(filter.products)]
      ).records.map { $0.text("product_id") }
    }
  }

  private func asking<Result>(
    _ filter: Filter, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let connection = try Connection.toLedger(database, as: "tieout findings")
    return try connection.reading {
      try connection.run(
        "select set_config('tieout.listed', $1, true)", [try filter.json], step: "begin")
      return try body(connection)
    }
  }
}

extension FindingList.Row {
  fileprivate init(_ row: PostgreSQL.Row) throws(PostgreSQLError) {
    var acknowledgement: FindingList.Acknowledgement?
    if let by = row["acknowledged_by"], let at = row["acknowledged_at"],
      let because = row["because"], let user = row["acknowledged_system_user"],
      let role = row["acknowledged_role"]
    {
      acknowledgement = .init(
        by: by, at: at, until: row["acknowledged_until"], because: because, systemUser: user,
        role: role)
    }
    let environment = row.text("environment")
    self.init(
      name: try row.required("finding") { $0 }, rule: try row.required("rule") { $0 },
      level: try row.required("level") { $0 }, status: try row.required("status") { $0 },
      ageDays: try row.required("age_days") { Int($0) },
      firstFlaggedOn: try row.required("first_flagged_on") { $0 },
      environment: environment.isEmpty ? nil : environment,
      subject: try row.required("subject") { $0 },
      shownSubject: try row.required("shown_subject") { $0 }, reason: row["reason"],
      isReasonInSubject: row.flag("is_reason_in_subject"),
      detail: try row.required("detail") { $0 }, acknowledgement: acknowledgement)
  }
}
