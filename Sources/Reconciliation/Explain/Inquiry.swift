import PostgreSQL
import ReconciliationSQL

/// Asks the database about one name: `tieout explain`.
public struct Inquiry {
  /// What is known of the name.
  public let explanation: Explanation
  /// The statements that gave it, as a script for psql.
  public let script: String

  /// Asks.
  ///
  /// The name is that of a transaction of whatever environment, a delivery, a web order line item or an
  /// account, or a finding's ``FindingName``, or its beginning; all that fits is explained.
  ///
  /// - Parameter database: A libpq connection string, or empty for libpq's own environment.
  /// - Throws: ``ReconciliationError`` or `PostgreSQLError`.
  public init(about name: String, database: String) throws {
    let (explanation, script) = try ReachedPart.of([name], in: database) { part in
      (try Self.explain(name, by: part), part.script)
    }
    self.explanation = explanation
    // Read now: the transaction's end belongs to it.
    self.script = script.text
  }

  private static func explain(_ name: String, by part: ReachedPart) throws -> Explanation {
    try part.database.run(
      """
      create temporary table applied_rule (place integer, rule text collate "C", is_of_purchases boolean)
      on commit drop;
      insert into applied_rule values
      \(Rule.all.enumerated().map { "(\($0), '\($1.name)', \($1.isOfPurchases))" }.joined(separator: ", "))
      """, step: "rules")
    try part.make("looked_at", by: .explainLookedAt)
    try part.make("thing", by: .explainThing)
    try part.make("near_miss", by: .explainNearMiss)
    try part.make("cause", by: .explainCause)
    let things = NamedRow.all(
      of: try part.database.run(
        "select * from thing order by environment, kind, thing_key", step: "things"))
    let causes = try part.ask(.explainCause) + part.ask(.explainOtherCause)
    let members = try part.ask(.explainMember)
    let timeline = try part.ask(.explainTimeline)
    let verdicts = try part.ask(.explainVerdict)
    let nearMisses = try part.ask(.explainNearMiss)
    let rejections = try part.ask(.explainRejection)
    let order = Dictionary(
      zip(causes.map(\.thing), causes.indices), uniquingKeysWith: { first, _ in first })
    // A finding comes before what it is about.
    func place(of thing: NamedRow) -> Int {
      thing["kind"] == "finding" ? -1 : order[thing.thing] ?? .max
    }
    return Explanation(
      name: name, asOf: part.asOf, run: part.runID,
      things: things.sorted { place(of: $0) < place(of: $1) }.map { row in
        let key = row.thing
        let cause = order[key].map { causes[$0] }
        return Explanation.Thing(
          environment: row.text("environment"), kind: row.text("kind"),
          namedAs: row.text("named_as"), cause: cause?.text("cause") ?? "",
          sentence: cause?.text("sentence") ?? "",
          owes: cause.flatMap { Explanation.Obligation($0) },
          members: members.filter { $0.thing == key }.map { Explanation.Member($0) },
          timeline: timeline.filter { $0.thing == key }.map { Explanation.Event($0) },
          verdicts: verdicts.filter { $0.thing == key }.map { Explanation.Verdict($0) },
          nearMisses: nearMisses.filter { $0.thing == key }.map { Explanation.NearMiss($0) })
      },
      rejections: rejections.map { Explanation.Rejection($0) })
  }
}
