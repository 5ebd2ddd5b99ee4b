import PostgreSQL
import ReconciliationSQL

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
  /// The name is looked up exactly as it is given. If nothing is known under it, or only rejected
  /// records contain it, it is looked up in its other spellings (``NameSpelling``), and then as
  /// `spellings`.
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
    for spelling in NameSpelling.others(of: name) + spellings where !explanation.isKnown {
      let other = try Self.lookUp(spelling, as: kind, in: database)
      let isBetter = other.explanation.isKnown || explanation.isEmpty && !other.explanation.isEmpty
      if isBetter { (explanation, script) = other }
    }
    self.explanation = explanation
    self.script = script
  }

  private static func lookUp(
    _ name: String, as asKind: Explanation.NameKind?, in database: String
  ) throws -> (explanation: Explanation, script: String) {
    let kind = asKind?.lookedUp
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
        // The answer about a record has its findings.
        if kind != .finding, kinds.contains(where: { $0.0 == .record }) {
          kinds.removeAll { $0.0 == .finding }
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
          return (try Self.explanation(name, nil, others, [], part), part.script)
        }
        let overview = try Explanation.Overview(chosen.0, chosen.1, by: part)
        let rejections = try Self.rejections(of: chosen.0, by: part)
        return (try Self.explanation(name, overview, others, rejections, part), part.script)
      },
      { part -> (Explanation, QueryScript) in
        guard let cell else {
          let roles = asKind?.roles
          return (try Self.explain(name, asked, others, of: roles, by: part), part.script)
        }
        let overview = try Explanation.Overview(.cell, cell, by: part)
        return (try Self.explanation(name, overview, others, [], part), part.script)
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
  /// The overview of a file has its rejections. A month, a period or a row of `tie_out.csv` is in
  /// no record.
  private static func rejections(
    of kind: Explanation.NameKind, by part: AffectedPart
  ) throws -> [Row] {
    switch kind {
    case .product, .server, .error:
      try part.make(.explainReadLater)
      return try part.ask(.explainRejection)
    case .cell, .record, .file, .month, .period, .finding, .device, .account, .transaction,
      .delivery:
      return []
    }
  }

  private static func explanation(
    _ name: String, _ overview: Explanation.Overview?, _ others: [Explanation.NameKind],
    _ rejections: [Row], _ part: AffectedPart
  ) throws -> Explanation {
    try Explanation(
      name: name, asOf: part.asOf, run: part.runID, things: [], shown: nil, account: nil,
      rejections: rejections.map { Explanation.Rejection($0) },
      rejectionCount: rejections.first?.count("records") ?? 0, overview: overview,
      alsoKnownAs: others, similarNames: [])
  }

  /// - Parameter roles: The roles of the name in the things that are explained; nil: all roles.
  private static func explain(
    _ name: String, _ asked: [String], _ others: [Explanation.NameKind], of roles: Set<String>?,
    by part: AffectedPart
  ) throws -> Explanation {
    let rows = try ThingRows(by: part)
    let rejections = try part.ask(.explainRejection)
    let shown = try part.ask(.explainShown).first.map { try Explanation.Shown($0) }
    let things = try rows.explained(asked: asked).filter { thing in
      roles.map { thing.hasRole(of: $0) } ?? true
    }
    let similar =
      things.isEmpty && rejections.isEmpty
      ? try part.ask(.explainMisspelt) + part.ask(.explainSimilar) : []
    let isOfAccount = roles?.contains("account") ?? true
    return try Explanation(
      name: name, asOf: part.asOf, run: part.runID, things: things,
      shown: isOfAccount ? shown : nil, account: isOfAccount ? Explanation.Account(things) : nil,
      rejections: rejections.map { Explanation.Rejection($0) },
      rejectionCount: rejections.first?.count("records") ?? 0, overview: nil, alsoKnownAs: others,
      similarNames: similar.map {
        Explanation.SimilarName(kind: $0.text("kind"), name: $0.text("name"))
      })
  }
}
