/// Judges everything again, with the present settings; reads no file.
///
/// Nothing is loaded. If the setting `trust` has changed, transactions are merged again, because
/// other evidence counts then.
struct RecomputeTask: NightTask {
  let work: NightWork
}
