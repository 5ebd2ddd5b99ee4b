extension NightPage {
  /// The number of open findings per level.
  var openByLevel: [String: Int] {
    open.filter { $0.day == day }.reduce(into: [:]) { $0[$1.level, default: 0] += $1.findings }
  }

  /// The number of the night's acknowledged findings.
  private var acknowledgedTonight: Int {
    open.reduce(0) { $0 + ($1.day == day ? $1.acknowledged : 0) }
  }

  /// What was not compared and why, what has no amount, and how much could not be used.
  var limits: [String] {
    [
      comparison.notCompared, comparison.notCounted, comparison.withoutAmount, comparison.notUsed,
      notUsedBefore,
    ].compactMap { $0 }
  }

  /// The sentence that counts the records that the nights of the days before could not use; nil if
  /// they used all.
  private var notUsedBefore: String? {
    let before = nights.dropLast().filter { $0.standing["rejected"] ?? 0 > 0 }
    guard let last = before.last else { return nil }
    let records = before.reduce(0) { $0 + ($1.standing["rejected"] ?? 0) }
    return
      "\(Figure.counted(records, "records")) could not be used in the \(nights.count - 1) days before, "
      + "the last on \(last.label). "
      + "rejected_records.csv of each day lists them."
  }

  /// How many findings are open, new, open again and acknowledged.
  var sentence: String {
    let levels = openByLevel
    let all = levels.values.reduce(0, +)
    let acknowledged = acknowledgedTonight
    guard all > 0 else {
      if acknowledged > 0 {
        return "0 open findings, \(Figure.grouped(acknowledged)) acknowledged. Judged: "
          + "\(Figure.counted(transactions, "transactions"))."
      }
      return transactions == 0
        ? "No transaction was judged."
        : "0 open findings in \(Figure.counted(transactions, "transactions"))."
    }
    let parts = Level.allCases.map(\.rawValue).compactMap { level in
      levels[level].flatMap { $0 > 0 ? Figure.counted($0, "\(level)s") : nil }
    }
    let list = Self.list(parts)
    let rest = acknowledged > 0 ? " Acknowledged: \(Figure.grouped(acknowledged))." : ""
    let again = reopened > 0 ? ", \(Figure.grouped(reopened)) open again" : ""
    return "Open: \(list), \(Figure.grouped(firstFlagged)) new\(again).\(rest) Judged: "
      + "\(Figure.counted(transactions, "transactions"))."
  }

  /// Limits of the numbers, such as a missing catalogue.
  var notes: [String] {
    var notes: [String] = []
    if !hasCatalogue {
      notes.append(
        "There is no catalogue: product identifiers and missing deliveries cannot be checked.")
    }
    if booksBegin == nil {
      notes.append("There is no delivery record: missing deliveries cannot be checked.")
    }
    if withdrawnFiles > 0 {
      notes.append(
        "\(Figure.counted(withdrawnFiles, "withdrawn files")) still \(withdrawnFiles == 1 ? "counts" : "count") "
          + "until the tables are built again: tieout rebuild.")
    }
    // A run of a past day is no night of that day: it changes no finding.
    if let daysWithoutNight {
      notes.append("No night \(daysWithoutNight): the findings of that time are unknown.")
    }
    let incomplete = nights.filter { $0.state == .incomplete }.map {
      "\($0.label) (\($0.outcome ?? "did not finish"))"
    }
    if !incomplete.isEmpty { notes.append("Runs that did not finish: \(Self.list(incomplete)).") }
    return notes
  }

  /// The days without a night, three and more in a row as a range; nil if there is none.
  private var daysWithoutNight: String? {
    var words: [String] = []
    var isAfterDay = false
    for gap in nights.split(whereSeparator: { $0.state != .missing }) {
      guard let first = gap.first, let last = gap.last else { continue }
      if gap.startIndex == 0, let earlierNight {
        words.append("after \(earlierNight.label) up to \(last.label)")
        isAfterDay = false
      } else if gap.count > 2 {
        words.append("from \(first.label) to \(last.label)")
        isAfterDay = false
      } else {
        for day in gap {
          words.append(isAfterDay ? day.label : "on \(day.label)")
          isAfterDay = true
        }
      }
    }
    return words.isEmpty ? nil : Self.list(words)
  }

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  /// The numbers of this night, of the last counted night and of the night a week before.
  var figures: [String: Any] {
    let last = lastNight
    let week = nights.count > 7 ? nights[nights.count - 8] : nil
    let columns = [nights.last, last, week?.isCounted == true ? week : nil]
    var rows: [[String: Any]] = []
    func add(_ name: String, _ value: (Day) -> String?) {
      let cells = columns.map { column in ["value": column.flatMap(value) ?? "–"] }
      rows.append(["name": name, "cells": cells])
    }
    func count(_ day: Day, _ number: (Open) -> Int) -> String {
      Figure.grouped(open.reduce(0) { $0 + ($1.day == day.day ? number($1) : 0) })
    }
    func standing(_ day: Day, _ measure: String) -> String {
      Figure.grouped(day.standing[measure] ?? 0)
    }
    // Acknowledged findings count too: their deliveries are missing as well.
    for (name, measure) in [
      ("Deliveries due", "due"), ("Missing deliveries", "missing"),
      ("Uncertain deliveries", "uncertain"),
    ] {
      add(name) { day in
        day.state == .tonight
          ? Figure.grouped(comparison.count(measure)) : standing(day, measure)
      }
    }
    add("Errors") { day in count(day) { $0.level == "error" ? $0.findings : 0 } }
    add("Warnings") { day in count(day) { $0.level == "warning" ? $0.findings : 0 } }
    if open.contains(where: { $0.acknowledged > 0 }) {
      add("Acknowledged") { day in count(day) { $0.acknowledged } }
    }
    add("New findings") { day in
      day.state == .tonight ? Figure.grouped(firstFlagged) : standing(day, "first_flagged")
    }
    add("Transactions") { day in
      day.state == .tonight ? Figure.grouped(transactions) : standing(day, "transactions")
    }
    add("Records read") { standing($0, "read") }
    add("Records rejected") { standing($0, "rejected") }
    for currency in revenue {
      // The night's own day is not complete: the last complete day is the day before.
      add("Net \(currency.code), day before") { day in
        guard let place = nights.firstIndex(where: { $0.day == day.day }), place > 0 else {
          return nil
        }
        if let since = revenueSince, nights[place - 1].day < since.day { return nil }
        let sum = currency.days[nights[place - 1].day]
        let isEstimated = sum?.listPrice != nil || sum?.listRefunds != nil
        return Figure.grouped(decimal: sum?.net ?? currency.zero)
          + (isEstimated ? " (estimate)" : "")
      }
    }
    return [
      "rows": rows,
      "columns": [
        ["name": "Tonight", "date": nights.last?.label ?? ""],
        ["name": "Last night", "date": last?.label ?? "none"],
        ["name": "Week ago", "date": week?.isCounted == true ? week?.label ?? "none" : "none"],
      ],
    ]
  }
}
