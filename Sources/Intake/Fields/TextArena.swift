/// Memory for the few texts of a record that its bytes do not contain unchanged.
final class TextArena {
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private var used = 0

  init(capacity: Int = 4096) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit {
    base.deallocate()
  }

  /// Forgets all texts and reserves memory, so that no text moves until the next call.
  func begin(reserving bytes: Int = 4096) {
    used = 0
    // The memory that one long record needed is released with the next record.
    if bytes > capacity || capacity > 1 << 20 && bytes <= 1 << 20 {
      base.deallocate()
      capacity = bytes
      base = .allocate(capacity: bytes)
    }
  }

  /// What is kept now; `release(to:)` forgets what is kept after it.
  var mark: Int { used }

  /// Forgets the texts that were kept since a mark.
  func release(to mark: Int) { used = mark }

  /// Keeps a text; there must be room for it.
  func keep(_ text: some Collection<UInt8>) -> Bytes {
    precondition(used + text.count <= capacity, "a text outgrew what was reserved for it")
    let start = base + used
    _ = UnsafeMutableBufferPointer(start: start, count: text.count).initialize(from: text)
    used += text.count
    return Bytes(start: start, count: text.count)
  }

  /// Keeps the digits of a whole number.
  func keep(_ number: some FixedWidthInteger) -> Bytes {
    keep(String(number).utf8)
  }

  /// Keeps a quoted CSV field with its doubled quotes made single.
  func keep(unquoting field: Bytes) -> Bytes {
    precondition(used + field.count <= capacity, "a text outgrew what was reserved for it")
    let start = base + used
    var length = 0
    var index = 0
    while index < field.count {
      start[length] = field[index]
      length += 1
      index += field[index] == Byte.quote ? 2 : 1
    }
    used += length
    return Bytes(start: start, count: length)
  }
}
