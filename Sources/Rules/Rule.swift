package import ReconciliationSQL

/// One thing that can be wrong between the App Store's records and ours.
///
/// The header of its file in `sql/rules/` declares it, in one line for each word. A night applies
/// the rule by `isOfPurchases` and names the causes of resolved findings by `resolved`, and
/// `tieout explain` takes its texts from here. Only tests read the other lines: they compare them
/// with the query, with `sql/match/` and with `carried_due.sql`.
package struct Rule: Hashable, Sendable, CustomStringConvertible {
  /// The name that findings and reports carry.
  package let name: String
  /// The query that returns the columns of the lines `Gives` and `Key` for each finding.
  package let query: SQLFile
  /// Whether the rule looks only at single purchases and the records that belong to them.
  ///
  /// Such a rule only has to look at the affected records. The other rules judge the whole night:
  /// they read what nights carry forward, and the catalogue.
  package let isOfPurchases: Bool
  /// What a finding is about: fields of `finding_key`.
  package let key: [String]
  /// What can resolve a finding, the likelier first: values of `resolvingCauses`.
  ///
  /// Empty if only files of `sql/findings/` that name the rule find the causes.
  package let resolved: [String]

  /// The beginning of the sentence that `tieout explain` says about a purchase with a finding, such
  /// as "Used by several accounts".
  ///
  /// Nil if the sentence about the cause of the purchase says the same, or if a finding is not
  /// about purchases.
  package let sentence: String?
  /// Whether `tieout explain` uses the sentence only if the user asks for the finding itself.
  ///
  /// The finding then says nothing about single purchases.
  package let isOnlySaidIfAsked: Bool
  /// Why the rule found nothing about a purchase, for `tieout explain`.
  ///
  /// Nil if the words depend on the purchase: they are in `explain_verdict.sql`.
  package let otherwise: String?

  /// Rules that are applied after those of `sql/rules/`; tests add some.
  @TaskLocal package static var additional: [Rule] = []

  private static let ofFiles = SQLFile.rules.map { file in
    guard let rule = Rule(file) else { fatalError("\(file) does not declare its rule") }
    return rule
  }
  /// Every rule, in the order in which they are applied.
  package static var all: [Rule] { ofFiles + additional }
  /// The rules that look only at single purchases.
  package static var ofPurchases: [Rule] { all.filter(\.isOfPurchases) }
  /// The rules that judge the whole night.
  static var ofTheNight: [Rule] { all.filter { !$0.isOfPurchases } }

  /// The rule with a name; nil if there is none.
  package static func named(_ name: String) -> Rule? { all.first { $0.name == name } }

  /// What `resolved` can contain.
  ///
  /// `records` are those that name what the finding is about. A fact about its product is one of
  /// the `prices`, one of the `lists` (it says only who offers or sells the product), or of the
  /// `catalogue`. `time` passes; it is the cause if there is no other.
  private static let resolvingCauses: Set = ["records", "catalogue", "prices", "lists", "time"]

  /// Reads the declaration in the header of a file.
  ///
  /// Returns nil if a line that the program uses is missing, comes twice, or has another value than
  /// those described above.
  package init?(_ file: SQLFile) {
    let header = SQLHeader(file)
    guard
      let judges = header.text("Judges"), let key = header.values("Key"),
      let resolved = header.values("Resolved"),
      resolved == ["none"] || Self.resolvingCauses.isSuperset(of: resolved),
      let sentence = header.text("Sentence"), let otherwise = header.text("Otherwise"),
      ["purchases", "the night"].contains(judges)
    else { return nil }
    name = file.subject
    query = file
    isOfPurchases = judges == "purchases"
    self.key = key
    self.resolved = resolved == ["none"] ? [] : resolved
    let asked = " (only if asked for)"
    isOnlySaidIfAsked = sentence.hasSuffix(asked)
    self.sentence =
      sentence == "none"
      ? nil : String(sentence.dropLast(isOnlySaidIfAsked ? asked.count : 0))
    self.otherwise = otherwise == "explain_verdict.sql" ? nil : otherwise
  }

  /// The rule's name, which is how tests and logs show it.
  package var description: String { name }
}
