import PostgreSQL
import ReconciliationSQL
import Runs

extension Judgement {
  /// Judges all chains: those that match in bulk, and the exceptions by the rules.
  func everything() throws {
    isWholeHidden = try affected.hideIfDistributed(steps: steps)
    let isLarge = try matching.isWorthwhile()
    size = isLarge ? .much : .little
    let isInBulk = isLarge && extent != .inFull
    try relations.make(
      steps: steps, of: isLarge ? .much : affected.size(),
      made: { file in
        if isInBulk, file == .judgeRefund { try separate(isPart: isWholeHidden) }
        try indexSales(after: file)
      },
      instead: fillIfEmpty)
    try relations.apply(Rule.ofPurchases, steps: steps)
    try relations.price()
    try ClosestIdentifiers(database: database).startOver()
    if extent != .pastDay {
      for relation in CarriedRelation.whole where !shown.contains(relation.name) {
        let rows = try steps.measure(relation.table) {
          try relation.makeEqual(to: relation.name, of: size, in: carriedTables)
        }
        correctedTables?[relation.table, default: 0] += rows
      }
    }
    let hasMonths = try extent != .pastDay && months.exist()
    // If everything must come out the same, a difference is an error of what was carried forward.
    let isRestated = hasMonths && correctedTables == nil
    for relation in CarriedRelation.found {
      let rows = try steps.measure(relation.query.name) {
        try relation.makeEqualToQuery(
          keepingChanges: isRestated && relation.isRestated, of: size, in: carriedTables)
      }
      correctedTables?[relation.table, default: 0] += rows
    }
    let rows = try steps.measure(SQLFile.carriedPossibleMatch.name) {
      try PossibleMatches(database: database).update(
        of: JudgingCommand.rows.text(["table": "carried_missing_delivery"]))
    }
    correctedTables?["carried_missing_delivery", default: 0] += rows
    if hasMonths { correctedSums = try months.restateAll(hasChanges: isRestated) }
    let before = SQLFile.nightFoundBefore
    try database.run(
      .makeEmptyTable, ["table": "found_before", "query": before.text], step: before.name)
    try database.run(SQLFile.nightFoundBeforeRules, [nil])
    if matched != nil {
      try matching.assertSample(steps)
      try matching.end(isPart: isWholeHidden)
    }
    try finish()
  }

  /// Fills a carried table that is still empty, instead of making the relation of judge/.
  private func fillIfEmpty(_ file: SQLFile) throws -> Bool {
    guard extent != .pastDay,
      let relation = CarriedRelation.judged.first(where: { $0.query == file }),
      try relation.isEmpty(in: database)
    else { return false }
    let rows = try steps.measure(relation.query.name) {
      try relation.fillEmptyTableAndShow(of: size, in: carriedTables)
    }
    shown.append(relation.name)
    correctedTables?[relation.table, default: 0] += rows
    return true
  }
}
