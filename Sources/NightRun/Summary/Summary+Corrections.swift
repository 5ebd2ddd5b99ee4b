import Page

extension Summary {
  /// The number of rows that were corrected; nil if ``correctedTables`` is.
  ///
  /// A row with a wrong value counts twice, because it is removed and inserted.
  package var corrections: Int? { correctedTables.map { $0.values.reduce(0, +) } }

  /// Whether something that was carried forward, published or closed was wrong.
  package var hasFoundErrors: Bool {
    (corrections ?? 0) > 0 || correctedSums > 0 || !wrongPeriods.isEmpty
  }

  /// The warning that something was wrong, with what to do about it; nil if nothing was.
  package var correctionWords: String? {
    let words = [wordsOfTables, wordsOfSums, wordsOfPeriods].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The warning that rows were wrong.
  private var wordsOfTables: String? {
    guard let correctedTables, let corrections, corrections > 0 else { return nil }
    let tables = correctedTables.filter { $0.value > 0 }.sorted { $0.key < $1.key }
      .map { "\($0.key) \(Figure.grouped($0.value))" }.joined(separator: ", ")
    let would = isDryRun ? "would be" : corrections == 1 ? "was" : "were"
    let reports =
      isDryRun
      ? "tieout recompute without --dry-run corrects it and writes correct reports."
      : "The reports of this run are correct."
    return """
      What earlier nights carried forward was wrong: \(Figure.counted(corrections, "rows")) \(would) removed, inserted \
      or changed (\(tables)). The cause is an error of the program, or somebody has changed these tables. \(reports) \
      The reports of earlier nights can be wrong: write them again with tieout run --as-of. If nobody has changed the \
      tables, report this message with the log.
      """
  }

  /// The warning that published sums were wrong.
  private var wordsOfSums: String? {
    guard correctedSums > 0 else { return nil }
    let would = isDryRun ? "would be" : correctedSums == 1 ? "was" : "were"
    return """
      What was published about ended months was wrong: \(Figure.counted(correctedSums, "sums")) \(would) corrected. \
      tieout restate shows the corrections, with the cause error_corrected.
      """
  }

  /// The warning that periods were closed with wrong numbers.
  private var wordsOfPeriods: String? {
    guard !wrongPeriods.isEmpty else { return nil }
    return """
      Closed with wrong numbers: \(wrongPeriods.joined(separator: ", ")). \
      \(isDryRun ? "After tieout recompute, reopen" : "Reopen") \(wrongPeriods.count == 1 ? "this period" : "these") \
      and all periods that were closed later, and close them again.
      """
  }
}
