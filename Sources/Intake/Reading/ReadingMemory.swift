/// The memory that the files of a night are read with, one after the other.
///
/// Ten thousand small files would otherwise each ask the system for a block and give it back.
public final class ReadingMemory {
  let blocks: BlockPool
  let parser = JSONParser()

  /// Sets up for the blocks of these settings; memory is taken when a file needs it.
  public init(_ settings: IntakeSettings) {
    blocks = BlockPool(capacity: max(settings.blockBytes, 64 << 10))
  }
}
