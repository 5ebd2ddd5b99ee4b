/// Memory for the few texts of a record that do not stand in its bytes as they are.
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

  /// Forgets all texts and makes room, so that none moves until the next call.
  func begin(reserving bytes: Int = 4096) {
    used = 0
    // What one long record took is given back with the next.
    if bytes > capacity || capacity > 1 << 20 && bytes <= 1 << 20 {
      base.deallocate()
      capacity = bytes
      base = .allocate(capacity: bytes)
    }
  }

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
