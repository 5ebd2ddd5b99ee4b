import Foundation
import PostgreSQL
import ReconciliationSQL
import Rules

/// The things with a name, and the rows about each of them.
///
/// The rows are grouped once, because a name can belong to hundreds of things, each with hundreds
/// of rows.
struct ThingRows {
  /// The rows by environment and key of their thing.
  private typealias ByThing = [[[UInt8]]: [Row]]

  /// The things, in the order of environments and kinds.
  let things: [Row]
  /// The causes of the things, in the order in which these are explained.
  private let causes: [Row]
  /// The place of the cause of a thing in this order.
  private let order: [[[UInt8]]: Int]
  private let members: ByThing
  private let askedMembers: ByThing
  private let askedDeliveries: ByThing
  private let timeline: ByThing
  private let dates: ByThing
  private let reversals: ByThing
  private let evidence: ByThing
  private let absence: ByThing
  private let entries: ByThing
  private let withdrawn: ByThing
  private let changes: ByThing
  private let verdicts: ByThing
  private let possibleMatches: ByThing

  /// Asks about all things of the judged part.
  init(by part: AffectedPart) throws {
    func grouped(_ file: SQLFile) throws -> ByThing {
      Dictionary(grouping: try part.ask(file), by: \.thing)
    }
    func groupedTable(of file: SQLFile, order: String) throws -> ByThing {
      Dictionary(grouping: try part.askTable(of: file, order: order), by: \.thing)
    }
    try Self.makeTables(by: part)
    things = try part.rows(of: .explainThing, order: "environment, kind, thing_key").records
    causes =
      try part.askTable(of: .explainPurchaseCause, order: "environment, purchased_at, thing_key")
      + part.ask(.explainOtherCause)
    order = Dictionary(
      causes.enumerated().map { ($1.thing, $0) }, uniquingKeysWith: { first, _ in first })
    members = try grouped(.explainMember)
    askedMembers = try grouped(.explainAskedMember)
    askedDeliveries = try grouped(.explainAskedDelivery)
    timeline = try grouped(.explainTimeline)
    dates = try grouped(.explainDateEvent)
    reversals = try grouped(.explainRefundReversal)
    try part.make(.explainLoneFinding)
    try part.analyze("lone_finding")
    evidence = try grouped(.explainFindingEvidence)
    absence = try part.withPlacedRecords(.explainAbsenceRecord) {
      try grouped(.explainFindingAbsence)
    }
    entries = try groupedTable(
      of: .explainQueueEntry, order: "environment, at, words, file, line")
    withdrawn = try grouped(.explainWithdrawnSource)
    changes = try grouped(.explainFindingChange)
    try part.make(.explainFoundRule)
    let found = try part.askTable(
      of: .explainFoundRule, order: "environment, thing_key, place, subject")
    verdicts = Dictionary(grouping: found + (try part.ask(.explainVerdict)), by: \.thing)
    possibleMatches = try groupedTable(
      of: .explainRankedMatch, order: "environment, thing_key, place")
  }

  /// Stores what the queries about things read.
  private static func makeTables(by part: AffectedPart) throws {
    try Rule.makeTable(in: part.database)
    try part.database.run(
      "select set_config('tieout.error_length', $1, true)",
      ["\(Explanation.Thing.errorLength)"], step: "names")
    try part.make(.explainAskedName)
    try part.analyze("asked_name")
    try part.make(.explainLatestAttempt)
    for file in [
      SQLFile.explainSilentServer, .explainLookedAt, .explainLaterDelivery, .explainLaterRecord,
      .explainQueueEntry, .explainThing, .explainRepresentingPurchase, .explainMadeDelivery,
      .explainDeliveredElsewhere, .explainFirstPurchase,
    ] { try part.make(file) }
    try part.findPossibleMatches()
    for file in [
      SQLFile.explainPurchase, .explainPeriodEnd, .explainReadLater, .explainRejectedName,
      .explainRejectedDelivery, .explainRejectedEntry, .explainSupersededDelivery,
      .explainContradictedDelivery, .judgeUnreadFile, .explainUnsearchedDelivery, .explainDoubt,
      .explainPurchaseCause, .explainClaimCause,
    ] { try part.make(file) }
  }
}

extension ThingRows {
  /// All things, explained, in the order of ``Explanation/things``.
  ///
  /// - Parameter names: The requested names.
  func explained(asked names: [String]) throws -> [Explanation.Thing] {
    try things.map { ($0, place(of: $0)) }.sorted { $0.1 < $1.1 }.map { row, _ in
      try explained(row, asked: names)
    }
  }

  /// The place of a thing among the others.
  ///
  /// A finding comes before the thing that it is about. Then come the missing deliveries of exactly
  /// this transaction or delivery, then those of the account or device, then other things of
  /// exactly this transaction or delivery, and then other missing deliveries.
  private func place(of thing: Row) -> (Int, Int) {
    let roles = thing.text("named_as").components(separatedBy: ", ")
    let isMissing = verdicts[thing.thing, default: []].contains {
      $0["rule"] == "missing_delivery" && $0["verdict"] == "found"
    }
    let isExact = roles.contains("transaction") || roles.contains("delivery")
    let isOfAccount = roles.contains("account") || roles.contains("device")
    let places = [
      thing["kind"] == "finding", isMissing && isExact, isMissing && isOfAccount, isExact,
      isMissing,
    ]
    return (places.firstIndex(of: true) ?? places.count, order[thing.thing] ?? .max)
  }

  /// One thing, explained by its rows.
  private func explained(_ row: Row, asked names: [String]) throws -> Explanation.Thing {
    let key = row.thing
    let cause = order[key].map { causes[$0] }
    let itsVerdicts = verdicts[key, default: []].map { Explanation.Verdict($0) }
    return try Explanation.Thing(
      environment: row.text("environment"), kind: row.text("kind"),
      namedAs: row.text("named_as"), cause: cause?.text("cause") ?? "",
      isRefunded: row["kind"] == "purchase" && cause?.flag("is_refunded") == true,
      sentence: Explanation.Thing.sentence(
        cause?["sentence"], itsVerdicts, kind: row.text("kind"),
        product: row["kind"] == "purchase" ? cause?["product_id"] : nil,
        resolved: changes[key, default: []].compactMap { $0["resolved_words"] }.last,
        withdrawn: withdrawn[key]?.first?["words"], asked: names),
      laterSentence: askedMembers[key]?.first?["sentence"],
      askedDelivery: askedDeliveries[key]?.first.map { Explanation.AskedDelivery($0) },
      owes: cause.flatMap { try Explanation.Obligation($0) },
      members: members[key, default: []].map { Explanation.Member($0) },
      timeline: events(of: key),
      timelineLeftOut: (evidence[key] ?? entries[key])?.first?.count("left_out") ?? 0,
      verdicts: itsVerdicts,
      possibleMatches: possibleMatches[key, default: []].map { try Explanation.PossibleMatch($0) })
  }

  /// The events of a thing by time; a change of a finding comes after the events of its instant.
  private func events(of key: [[UInt8]]) -> [Explanation.Event] {
    [timeline, dates, reversals, evidence, absence, entries, changes]
      .flatMap { $0[key, default: []] }.enumerated().sorted { one, other in
        (one.element.text("at"), one.offset) < (other.element.text("at"), other.offset)
      }.map { Explanation.Event($0.element) }
  }
}
