import Foundation
import PostgreSQL
import ReconciliationSQL
import Rules

/// Looks up one name in the database: `tieout explain`.
package struct Inquiry {
  /// All facts about the name.
  package let explanation: Explanation
  /// The queries that gave the explanation, as a script for psql.
  package let script: String

  /// Looks up the name.
  ///
  /// A name can be of several kinds. It is explained as the first kind in the order of
  /// ``Explanation/NameKind``, and the explanation lists the others. A record is a transaction of
  /// any environment, a delivery, a web order line item, an account, or a finding whose name begins
  /// with the text; all records that match are explained.
  ///
  /// The name is looked up exactly as it is given. If nothing is known under it, it is looked up
  /// without spaces around it and without the apostrophe of reports, and then as `spellings`.
  ///
  /// - Parameters:
  ///   - kind: The kind of the name; nil: the first that fits.
  ///   - spellings: Other names of the same thing.
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  /// - Throws: ``ReconciliationError`` or `PostgreSQLError`.
  package init(
    about name: String, as kind: Explanation.NameKind? = nil, or spellings: [String] = [],
    database: String
  ) throws {
    var (explanation, script) = try Self.lookUp(name, as: kind, in: database)
    for spelling in NameSpelling.others(of: name) + spellings where explanation.isEmpty {
      let other = try Self.lookUp(spelling, as: kind, in: database)
      if !other.explanation.isEmpty { (explanation, script) = other }
    }
    self.explanation = explanation
    self.script = script
  }

  private static func lookUp(
    _ name: String, as kind: Explanation.NameKind?, in database: String
  ) throws -> (explanation: Explanation, script: String) {
    var others: [Explanation.NameKind] = []
    var cell: String?
    var asked = [name]
    let answer = try AffectedPart.of(
      [name], in: database,
      first: { part in
        var kinds = try Self.kinds(by: part, including: kind).compactMap { row in
          Explanation.NameKind(rawValue: row.text("kind")).map { ($0, row.text("name")) }
        }
        if let row = kinds.first(where: { $0.0 == .cell })?.1, kind ?? .cell == .cell {
          if try part.find(cell: row) { cell = row } else { kinds.removeAll { $0.0 == .cell } }
        }
        var kind = kind
        // People also write the name of a finding after `--as finding`.
        if kind == .finding, !kinds.contains(where: { $0.0 == .finding }),
          name.wholeMatch(of: /[Ff]-[0-9A-Fa-f]{4,12}/) != nil
        {
          kind = .record
        }
        let chosen = kind.map { kind in kinds.first { $0.0 == kind } } ?? kinds.first
        others = kinds.map(\.0).filter { $0 != chosen?.0 }
        // The transactions behind it have to be judged.
        guard cell == nil else { return nil }
        if kind == .device {
          try part.database.run(
            "select set_config('tieout.explained_as', 'device', true)", step: "names")
          return nil
        }
        if let chosen, chosen.0 == .finding {
          asked = chosen.1.split(separator: "\n").map { String($0) }
          try part.set(asked)
          return nil
        }
        // A name that no table contains can still be in a rejected record.
        guard let chosen, chosen.0 != .record else {
          guard let kind, kind != .record else { return nil }
          return (Self.explanation(name, nil, others, [], part), part.script)
        }
        let overview = try Explanation.Overview(chosen.0, chosen.1, by: part)
        let rejections = try Self.rejections(of: chosen.0, by: part)
        return (Self.explanation(name, overview, others, rejections, part), part.script)
      },
      { part -> (Explanation, QueryScript) in
        guard let cell else {
          return (try Self.explain(name, asked, others, by: part), part.script)
        }
        let overview = try Explanation.Overview(.cell, cell, by: part)
        return (Self.explanation(name, overview, others, [], part), part.script)
      })
    let (explanation, script) = answer
    // Read after the transaction has ended, because its end is part of the script.
    return (explanation, script.text)
  }

  /// The kinds of the name, found by index if possible.
  ///
  /// The planner expects to find a product in the first rows of a large table. So it would read the
  /// whole table for a name that is not a product.
  private static func kinds(
    by part: AffectedPart, including kind: Explanation.NameKind?
  ) throws -> [Row] {
    try part.database.run("set local enable_seqscan = off", step: "names")
    let kinds = try part.ask(.explainKind)
    let isKnown =
      kind == nil || kind == .device
      ? !kinds.isEmpty : kinds.contains { $0["kind"] == kind?.rawValue }
    let others = isKnown ? [] : try part.ask(.explainOtherKind)
    try part.database.run("set local enable_seqscan = on", step: "names")
    return kinds + others
  }

  /// The rejected records that can be why an overview lacks something; a row each.
  ///
  /// The overview of a file has its rejections. A month or a row of `tie_out.csv` is in no record.
  private static func rejections(
    of kind: Explanation.NameKind, by part: AffectedPart
  ) throws -> [Row] {
    switch kind {
    case .product, .server, .error:
      try part.make(.explainReadLater)
      return try part.ask(.explainRejection)
    case .cell, .record, .file, .month, .finding, .device: return []
    }
  }

  private static func explanation(
    _ name: String, _ overview: Explanation.Overview?, _ others: [Explanation.NameKind],
    _ rejections: [Row], _ part: AffectedPart
  ) -> Explanation {
    Explanation(
      name: name, asOf: part.asOf, run: part.runID, things: [], shown: nil, account: nil,
      rejections: rejections.map { Explanation.Rejection($0) },
      rejectionCount: rejections.first?.number("records") ?? 0, overview: overview,
      alsoKnownAs: others, similarNames: [])
  }

  /// The events of a thing by time; a change of a finding comes after the events of its instant.
  private static func byTime(_ events: [Row], _ changes: [Row]) -> [Explanation.Event] {
    (events + changes).enumerated().sorted { one, other in
      (one.element.text("at"), one.offset) < (other.element.text("at"), other.offset)
    }.map { Explanation.Event($0.element) }
  }

  /// Gives the queries the rules, what their findings are about, and their texts.
  private static func listRules(for part: AffectedPart) throws {
    let rules = Rule.all.enumerated().map { place, rule in
      DeclaredRule(
        place: place, rule: rule.name, is_of_purchases: rule.isOfPurchases,
        key: rule.key.joined(separator: ", "), otherwise: rule.otherwise)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try part.database.run(
      "select set_config('tieout.rules', $1, true)",
      [String(decoding: try encoder.encode(rules), as: UTF8.self)], step: "rules")
    try part.make(.explainAppliedRule)
  }

  private static func explain(
    _ name: String, _ asked: [String], _ others: [Explanation.NameKind], by part: AffectedPart
  ) throws -> Explanation {
    try listRules(for: part)
    try part.database.run(
      "select set_config('tieout.error_length', $1, true)",
      ["\(Explanation.Thing.errorLength)"], step: "names")
    for file in [
      SQLFile.explainSilentServer, .explainLookedAt, .explainLaterDelivery, .explainLaterRecord,
      .explainQueueEntry, .explainThing, .explainDeliveredElsewhere,
    ] { try part.make(file) }
    try part.findPossibleMatches()
    for file in [
      SQLFile.explainPurchase, .explainReadLater, .explainRejectedName, .explainRejectedDelivery,
      .explainRejectedEntry, .explainSupersededDelivery, .explainPurchaseCause, .explainClaimCause,
    ] { try part.make(file) }
    let things = try part.rows(of: .explainThing, order: "environment, kind, thing_key").records
    let causes =
      try part.askTable(of: .explainPurchaseCause, order: "environment, purchased_at, thing_key")
      + part.ask(.explainOtherCause)
    // Grouped once, because a name can belong to hundreds of things, each with hundreds of rows.
    func askOfThings(_ file: SQLFile) throws -> [[String]: [Row]] {
      Dictionary(grouping: try part.ask(file), by: \.thing)
    }
    let members = try askOfThings(.explainMember)
    let timeline = try askOfThings(.explainTimeline)
    let reversals = try askOfThings(.explainRefundReversal)
    try part.make(.explainLoneFinding)
    try part.analyze("lone_finding")
    let evidence = try askOfThings(.explainFindingEvidence)
    let absence = try askOfThings(.explainFindingAbsence)
    let entries = Dictionary(
      grouping: try part.askTable(
        of: .explainQueueEntry, order: "environment, at, words, file, line"),
      by: \.thing)
    let withdrawn = try askOfThings(.explainWithdrawnSource)
    let changes = try askOfThings(.explainFindingChange)
    try part.make(.explainFoundRule)
    let found = try part.askTable(
      of: .explainFoundRule, order: "environment, thing_key, place, subject")
    let verdicts = Dictionary(
      grouping: found + (try part.ask(.explainVerdict)), by: \.thing)
    let possibleMatches = Dictionary(
      grouping: try part.askTable(of: .explainRankedMatch, order: "environment, thing_key, place"),
      by: \.thing)
    let rejections = try part.ask(.explainRejection)
    let order = Dictionary(
      causes.enumerated().map { ($1.thing, $0) }, uniquingKeysWith: { first, _ in first })
    // A finding comes before the thing that it is about. Then comes the thing of exactly this
    // transaction or delivery, and then a missing delivery.
    func place(of thing: Row) -> (Int, Int) {
      let roles = thing.text("named_as").components(separatedBy: ", ")
      let isMissing = verdicts[thing.thing, default: []].contains {
        $0["rule"] == "missing_delivery" && $0["verdict"] == "found"
      }
      return (
        thing["kind"] == "finding"
          ? 0
          : roles.contains("transaction") || roles.contains("delivery") ? 1 : isMissing ? 2 : 3,
        order[thing.thing] ?? .max
      )
    }
    let shown = try part.ask(.explainShown).first.map { Explanation.Shown($0) }
    let similar =
      things.isEmpty && rejections.isEmpty
      ? try part.ask(.explainMisspelt) + part.ask(.explainSimilar) : []
    let explained = things.map { ($0, place(of: $0)) }.sorted { $0.1 < $1.1 }.map { row, _ in
      let key = row.thing
      let cause = order[key].map { causes[$0] }
      let itsMembers = members[key, default: []].map { Explanation.Member($0) }
      let itsVerdicts = verdicts[key, default: []].map { Explanation.Verdict($0) }
      return Explanation.Thing(
        environment: row.text("environment"), kind: row.text("kind"),
        namedAs: row.text("named_as"), cause: cause?.text("cause") ?? "",
        isRefunded: row["kind"] == "purchase" && cause?.flag("is_refunded") == true,
        sentence: Explanation.Thing.sentence(
          cause?["sentence"], itsVerdicts, kind: row.text("kind"),
          product: row["kind"] == "purchase" ? cause?["product_id"] : nil,
          withdrawn: withdrawn[key]?.first?["words"], asked: asked),
        owes: cause.flatMap { Explanation.Obligation($0) },
        members: itsMembers,
        timeline: Self.byTime(
          timeline[key, default: []] + reversals[key, default: []] + evidence[key, default: []]
            + absence[key, default: []] + entries[key, default: []],
          changes[key, default: []]),
        timelineLeftOut: (evidence[key] ?? entries[key])?.first?.number("left_out") ?? 0,
        verdicts: itsVerdicts,
        possibleMatches: possibleMatches[key, default: []].map { Explanation.PossibleMatch($0) })
    }
    return Explanation(
      name: name, asOf: part.asOf, run: part.runID, things: explained, shown: shown,
      account: Explanation.Account(explained),
      rejections: rejections.map { Explanation.Rejection($0) },
      rejectionCount: rejections.first?.number("records") ?? 0, overview: nil, alsoKnownAs: others,
      similarNames: similar.map {
        Explanation.SimilarName(kind: $0.text("kind"), name: $0.text("name"))
      })
  }
}

/// A rule as explain_applied_rule.sql reads it; the names are those of its columns.
private struct DeclaredRule: Encodable {
  let place: Int
  let rule: String
  let is_of_purchases: Bool
  let key: String
  let otherwise: String?
}
