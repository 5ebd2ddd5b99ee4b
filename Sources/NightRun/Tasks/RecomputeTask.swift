import Rules

/// Judges everything again, with the present settings; reads no file.
///
/// Nothing is loaded. If the setting `trust` has changed, transactions are merged again, because
/// other evidence counts then.
///
/// Apart from `extent` and `correctsMonths` it has only the defaults of ``NightTask``: `read`
/// empties the staging tables, `load` loads no file, `acknowledge` does nothing, and no published
/// edition is removed.
struct RecomputeTask: NightTask {
  let work: NightWork
  let inBulk: Bool
  var extent: Judgement.Extent { inBulk ? .inBulk : .inFull }
  var correctsMonths: Bool { true }
}
