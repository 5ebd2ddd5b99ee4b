import Foundation
package import PostgreSQL
import ReconciliationSQL

extension Rule {
  /// Makes the temporary table `applied_rule` with the declarations of all rules.
  ///
  /// It ends with the transaction.
  package static func makeTable(in database: Connection) throws {
    let rules = all.enumerated().map { place, rule in
      Declaration(
        place: place, rule: rule.name, is_of_purchases: rule.isOfPurchases,
        key: rule.key.joined(separator: ", "), resolved: rule.resolved, otherwise: rule.otherwise)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(rules), as: UTF8.self)
    let file = SQLFile.nightAppliedRule
    try database.run(.setRules, with: [json], step: file.name)
    try database.run(.makeTable, ["table": file.subject, "query": file.text], step: file.name)
    try database.analyze(file.subject, step: file.name)
  }
}

/// A rule as night_applied_rule.sql reads it; the names are those of its columns.
private struct Declaration: Encodable {
  let place: Int
  let rule: String
  let is_of_purchases: Bool
  let key: String
  let resolved: [String]
  let otherwise: String?
}
