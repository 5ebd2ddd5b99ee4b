import PostgreSQL
import ReconciliationSQL
import Runs

/// All SQL of the program that decides what a night carries forward, and the number of the Swift code
/// that runs it.
///
/// Only the same program can use what was carried forward. A night that finds another fingerprint
/// judges everything.
enum JudgingProgram {
  /// The number of the Swift code of this module.
  ///
  /// Raise it if a change makes a night carry forward other rows of the same ledger. Otherwise,
  /// rows of an older build stay until somebody runs `tieout recompute`.
  static let revision = 1

  /// A part of that text: a file of sql/, an SQL command around them, settings that they need, or
  /// the columns that count the parts of a row.
  struct Part: Equatable, CustomStringConvertible {
    let name: String
    var text: String

    var description: String { name }
  }

  /// All parts, in a fixed order.
  static let parts: [Part] =
    // Tables with their keys, and functions, including the schema's version.
    SQLFile.judging.map { Part(name: $0.name, text: $0.text) }
    + JudgingCommand.allCases.map { Part(name: "\($0)", text: $0.rawValue) }
    + [
      Part(name: "transaction settings", text: Schema.transactionSettings),
      Part(name: "judging settings", text: Schema.judgingSettings),
      Part(name: "counted columns", text: countedColumns),
      Part(name: "revision", text: "\(revision)"),
    ]

  /// A line for each carried relation whose rows add up parts: its name and the column that counts
  /// them.
  private static let countedColumns =
    (CarriedRelation.whole + CarriedRelation.found).compactMap { relation in
      relation.count.map { "\(relation.name) \($0)\n" }
    }.joined()

  /// The fingerprint of this program; a program with other parts has another one.
  static let fingerprint = fingerprint(of: parts)

  /// The fingerprint of a list of parts.
  ///
  /// It also changes if text moves from one part to the next.
  static func fingerprint(of parts: [Part]) -> String {
    TextFingerprint.of(parts.flatMap { [$0.name, $0.text].flatMap { ["\($0.utf8.count) ", $0] } })
  }
}
