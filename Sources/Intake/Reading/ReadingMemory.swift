/// The memory for reading the files of a night, one after another.
///
/// Without it, each of ten thousand small files would ask the system for a block and release it.
public final class ReadingMemory {
  let blocks: BlockPool
  let parser = JSONParser()

  /// Prepares for blocks of the size in the settings; memory is allocated when a file needs it.
  public init(_ settings: IntakeSettings) {
    blocks = BlockPool(capacity: max(settings.blockBytes, 64 << 10))
  }
}
