import LibCrypto
import PostgreSQL
import ReconciliationSQL
import Runs

/// A finding in the database.
struct KnownFinding: Equatable {
  let findingID: String
  let name: String
  let rule: String
  let subject: String
  /// open, reopened, acknowledged or resolved.
  let status: String

  private init(_ row: Row) throws(PostgreSQLError) {
    findingID = try row.required("finding_id") { $0 }
    name = try row.required("name") { $0 }
    rule = try row.required("rule") { $0 }
    subject = try row.required("subject") { $0 }
    status = try row.required("status") { $0 }
  }

  /// The one finding that a text names, as people type it: `F-` and all twelve hexadecimal digits,
  /// or at least four.
  ///
  /// The name is computed from the finding's rule, environment and subject (`finding_name` in
  /// sql/schema/schema_finding.sql). So it is the same in every database that contains the finding.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if it names none or several.
  static func named(_ text: String, in database: Connection) throws -> KnownFinding {
    guard let name = normalized(text) else {
      throw ReconciliationError(
        .unknown,
        """
        \(text) is not the name of a finding. A name is F- and twelve digits (0-9, a-f), or at least the first \
        four of them. tieout findings shows the names.
        """)
    }
    // The findings whose names begin with these digits are found by index.
    let found = try database.run(SQLFile.findingsNamed, [name]).records
      .map { try KnownFinding($0) }
    guard let finding = found.first else {
      throw ReconciliationError(
        .unknown, "The finding \(name) does not exist. tieout findings shows the open findings.")
    }
    guard found.count == 1 else {
      let list = found.map { "\($0.name) (\($0.rule) \($0.subject))" }.joined(separator: ", ")
      throw ReconciliationError(
        .unknown, "\(name) is the beginning of several names: \(list). Give more digits.")
    }
    return finding
  }

  private static let fewestDigits = 4
  private static let allDigits = 12

  /// The beginning of a name as reports write it: `F-9c0e1d2a77b3`, or `F-9c0e`; nil for a text that
  /// is not the name of a finding.
  ///
  /// Upper and lower case do not matter, and the digits alone are a name too.
  private static func normalized(_ text: String) -> String? {
    let written = text.lowercased()
    let digits = written.hasPrefix("f-") ? written.dropFirst(2) : written[...]
    guard (fewestDigits...allDigits).contains(digits.utf8.count),
      digits.utf8.allSatisfy(\.isHexadecimal)
    else { return nil }
    return "F-\(digits)"
  }
}
