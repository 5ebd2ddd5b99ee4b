package import ReconciliationSQL

/// One thing that can be wrong between the App Store's records and ours.
///
/// The header of its file in `sql/rules/` declares it, in one line for each word. A night applies
/// the rule by `isOfPurchases`; tests compare the other values with the query, with `sql/match/` and
/// with `carried_due.sql`.
package struct Rule: Hashable, Sendable, CustomStringConvertible {
  /// The name that findings and reports carry.
  package let name: String
  /// The query that returns the columns of `columns` and `key` for each finding.
  package let query: SQLFile
  /// The levels that its findings can have, the most severe first: `error`, `warning`, `info`.
  package let levels: [String]
  /// Whether the rule looks only at single purchases and the records that belong to them.
  ///
  /// Such a rule only has to look at the affected records. The other rules judge the whole night:
  /// they read what nights carry forward, and the catalogue.
  package let isOfPurchases: Bool
  /// The files of `sql/match/` that make a chain an exception because of this rule.
  ///
  /// Empty if nothing about a single chain concerns the rule.
  package let exceptions: [String]
  /// The file that tells when only the passing of time changes what the rule finds.
  ///
  /// Empty if time alone changes nothing, and for a rule that judges the whole night.
  package let time: [String]
  /// The relations that the query reads.
  package let reads: [String]
  /// The columns of the query that are no part of the key.
  ///
  /// `family_key` is the family of the purchase that a finding is about, if there is one and it is
  /// known.
  package let columns: [String]
  /// What a finding is about: fields of `finding_key`.
  package let key: [String]

  /// Every rule, in the order in which they are applied.
  package static let all = SQLFile.rules.map { file in
    guard let rule = Rule(file) else { fatalError("\(file) does not declare its rule") }
    return rule
  }

  /// Reads the declaration in the header of a file.
  ///
  /// Returns nil if a line is missing, comes twice, or has another value than those described
  /// above.
  package init?(_ file: SQLFile) {
    let header = file.text.split(separator: "\n").prefix { $0.hasPrefix("--") }
    func values(_ word: String) -> [String]? {
      let lines = header.filter { $0.hasPrefix("-- \(word) ") }
      guard lines.count == 1, let line = lines.first else { return nil }
      return line.dropFirst(4 + word.count).split(separator: ",").map {
        String($0.drop { $0 == " " })
      }
    }
    guard
      let levels = values("Levels"), let judges = values("Judges"),
      let exceptions = values("Exception"), let reads = values("Reads"),
      let columns = values("Gives"), let key = values("Key"),
      judges == ["purchases"] || judges == ["the night"],
      // Each night judges the whole night, so time needs no care there.
      let time = judges == ["purchases"] ? values("Time") : []
    else { return nil }
    name = file.subject
    query = file
    self.levels = levels
    isOfPurchases = judges == ["purchases"]
    self.exceptions = exceptions == ["none"] ? [] : exceptions
    self.time = time == ["no"] ? [] : time
    self.reads = reads
    self.columns = columns
    self.key = key
  }

  /// The rule's name, which is how tests and logs show it.
  package var description: String { name }
}
