/// Judges everything again, with the settings of now; reads no file.
///
/// Nothing is loaded, unless another setting of `trust` makes other evidence count.
struct RecomputeTask: NightTask {
  let work: NightWork
}
