import Page

extension Summary {
  /// The number of rows that were corrected; nil if ``correctedTables`` is.
  ///
  /// A row with a wrong value counts twice, because it is removed and inserted.
  package var corrections: Int? { correctedTables.map { $0.values.reduce(0, +) } }

  /// The warning that rows were wrong, with what to do about it; nil if none was.
  package var correctionWords: String? {
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
}
