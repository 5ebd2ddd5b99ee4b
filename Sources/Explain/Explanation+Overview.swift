import PostgreSQL
import ReconciliationSQL

extension Explanation {
  /// The kind of a name, in the order in which a name with several kinds is explained.
  package enum NameKind: String, CaseIterable, Encodable, Sendable {
    /// A row of `tie_out.csv`.
    case cell
    /// A transaction, delivery, web order line item, account or finding.
    case record
    /// A product identifier.
    case product
    /// A server of the delivery log.
    case server
    /// The path of an input file.
    case file
    /// A month, alone, with a product, or with a product and a currency.
    case month
    /// A closed period that is not named as a month, alone, with a product, or with a product and a
    /// currency.
    case period
    /// An error text of the delivery log.
    case error
    /// The subject of findings.
    case finding
    /// A device. No index has devices, so a name is looked up as a device only on request.
    case device
    /// An account, only on request; without it, a record.
    case account
    /// A transaction, also the original of others, only on request; without it, a record.
    case transaction
    /// A delivery, only on request; without it, a record.
    case delivery
  }

  /// The facts about a row of `tie_out.csv`, a product, a server, an input file, a month, a closed
  /// period or an error text.
  package struct Overview: Encodable, Sendable {
    /// The kind of the name.
    package let kind: NameKind
    /// The name as the tables contain it; of an error without its numbers and ids, unless it is a
    /// single word.
    package let name: String
    /// The most important facts in words, with an open finding in front.
    package let sentence: String
    /// Everything else.
    package let facts: [Fact]
    /// How many facts each list leaves out; a list that is complete is not in it.
    package let leftOut: [LeftOut]
  }

  /// One fact of an overview.
  package struct Fact: Encodable, Sendable {
    /// `finding`, `where`, `who`, `changed`, `reversed`, `healthy`, `rejected`, `known`, `cause`,
    /// `restated`, `bridge`, `apple`, `ours`, `example` or `attempt`.
    package let section: String
    /// What the fact is about, such as `server eu-1`.
    package let name: String
    /// The fact in words.
    package let words: String?
    /// The number of missing deliveries.
    package let missing: Int?
    /// The number of deliveries that were made.
    package let delivered: Int?
    /// When it happened or began.
    package let at: String?
    /// The path of the file that says it.
    package let file: String?
    /// The line in that file.
    package let line: Int?
  }

  /// The facts that a list of an overview leaves out.
  package struct LeftOut: Encodable, Sendable {
    /// The section of the list.
    package let section: String
    /// The property of the list, such as `server`, because the section `where` has several lists.
    package let property: String?
    /// The number of facts.
    package let facts: Int
    /// The number of missing deliveries in them.
    package let missing: Int?
    /// The number of deliveries in them that were made.
    package let delivered: Int?
  }
}

extension Explanation.Overview {
  /// Reads the facts about a name that `explain_kind.sql` has found; nil if nothing is known.
  init?(_ kind: Explanation.NameKind, _ name: String, by part: AffectedPart) throws {
    try part.database.run(
      "select set_config('tieout.explained_as', $1, true), set_config('tieout.explained_name', $2, true)",
      [kind.rawValue, name], step: "names")
    let file: SQLFile =
      switch kind {
      case .file: .explainFile
      case .month, .period: .explainMonth
      case .cell: .explainCell
      case .record, .product, .server, .error, .finding, .device, .account, .transaction,
        .delivery:
        .explainGroup
      }
    if file == .explainFile {
      try part.make(.explainExplainedFile)
      try part.analyze("explained_file")
    }
    if file == .explainGroup { try part.make(.explainUncertainWords) }
    if file == .explainMonth {
      try part.make(.explainExplainedDays)
      try part.make(.explainClosedDays)
    }
    var rows = try part.askCut(file)
    if rows.isEmpty, kind == .file { rows = try part.askCut(.explainUnreadFile) }
    if rows.isEmpty, kind == .month { rows = try part.askCut(.explainMonthOpen) }
    guard let first = rows.first else { return nil }
    let line = kind == .file ? try part.askCut(.explainFileLine).first : nil
    let changes =
      switch kind {
      case .product, .server: try part.askCut(.explainGroupChange)
      case .file: try part.askCut(.explainFileNeighbour)
      case .month, .period: try part.askCut(.explainMonthSum)
      default: [Row]()
      }
    let isAttempted = kind == .server || kind == .error
    let unfinished = isAttempted ? try part.askCut(.explainGroupUnfinished) : []
    let attempts =
      isAttempted
      ? try part.withPlacedRecords(.explainGroupRecord) { try part.askCut(.explainGroupAttempt) }
      : []
    let counted = attempts.first { $0["section"] == "sentence" }
    let others = unfinished + attempts.filter { $0["section"] != "sentence" }
    // An open error comes first. Another open finding comes first if no delivery is missing.
    let isMissing = try first.count("missing") > 0
    let findings = rows.filter { $0["section"] == "finding" }.compactMap { $0["words"] }
    let lead =
      findings.first { $0.hasPrefix("error ") } ?? (isMissing ? nil : findings.first)
    let listed = rows.dropFirst() + changes + others
    self.init(
      kind: kind, name: name,
      sentence: [
        lead.map { "Found: \($0)." }, line?["words"], first["words"], counted?["words"],
      ].compactMap { $0 }.joined(separator: " "),
      facts: listed.filter { $0["left_out"] == nil }.map { Explanation.Fact($0) },
      leftOut: listed.compactMap { Explanation.LeftOut($0) })
  }
}
