import Configuration
import Findings
import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing

extension TestNight {
  /// A night with books that were bought and not delivered: one missing_delivery finding for each
  /// id.
  static func withMissingBooks(_ ids: String...) throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | prices\nbook | USD 1.99")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      D0          | 90             | book       | 2026-11-10 10:05 | pending
      """)
    try night.transactions(
      "transaction_id | product_id | purchased_at\n"
        + ids.map { "\($0) | book | 2026-11-10 10:00" }.joined(separator: "\n"))
    return night
  }

  /// Adds a later delivery record of a book.
  func deliver(_ id: String, at moment: String, status: String = "delivered") throws {
    try deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at | status
      D-\(id)     | \(id)          | book       | \(moment)   | \(status)
      """)
  }

  /// The actions of a person on findings.
  func acts(by person: String? = "anna") throws -> FindingActs {
    try FindingActs(
      settings: settings, database: database.connectionString, person: person)
  }

  /// The name of the one finding with this subject.
  func name(of subject: String) throws -> String {
    let rows = try database.connect().run(
      "select name from tieout.finding where subject = $1", [subject], step: "test")
    try #require(rows.values.count == 1)
    return try #require(rows.first)
  }

  /// Puts a file of acknowledgements into the inbox.
  func acknowledgements(_ rows: [[String]], at path: String) throws {
    let lines = ([["finding", "until", "because", "by"]] + rows).map {
      $0.joined(separator: ",") + "\n"
    }
    try put(lines.joined(), at: "acknowledgements/\(path)")
  }

  /// The status of the finding in the newest findings.csv.
  func status(of subject: String) throws -> String? {
    try table("findings.csv").rows(where: "subject", is: subject).records.first?["status"]
  }
}

/// Expects that a call is refused with a message that contains a word.
func expectRefused(
  _ word: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  #expect(sourceLocation: sourceLocation) {
    try body()
  } throws: { error in
    (error as? ReconciliationError)?.code == .unknown && "\(error)".contains(word)
  }
}
