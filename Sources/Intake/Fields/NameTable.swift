import Glibc

/// Finds the meaning of a JSON key or of a column's name, without making a `String` of it.
///
/// Nothing changes after `init`, so any number of threads can look up names.
final class NameTable: @unchecked Sendable {
  private struct Slot {
    var name: UnsafeMutablePointer<UInt8>?
    var length = 0
    var meaning = 0
  }

  /// The number of names that are known and not read.
  static let unread = Int.max

  private let slots: UnsafeMutablePointer<Slot>
  private let mask: Int

  /// Takes names, each with its number; if two names are equal, the first one counts.
  init(_ meanings: [(name: String, meaning: Int)]) {
    // Equal names are counted once. The table should be small enough for the processor's nearest
    // cache.
    let count = Set(meanings.map(\.name)).count
    var capacity = 16
    while capacity < count * 4 { capacity *= 2 }
    mask = capacity - 1
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
    for (name, meaning) in meanings {
      insert(Array(name.utf8), meaning)
    }
  }

  deinit {
    for index in 0...mask { slots[index].name?.deallocate() }
    slots.deallocate()
  }

  /// The number of a name; nil if the name is not in the table.
  @inline(__always)
  func meaning(of name: Bytes) -> Int? {
    guard let address = name.baseAddress, name.count > 0 else { return nil }
    var index = hash(name) & mask
    while let candidate = slots[index].name {
      if slots[index].length == name.count, memcmp(candidate, address, name.count) == 0 {
        return slots[index].meaning
      }
      index = (index + 1) & mask
    }
    return nil
  }

  /// The number of the name with the letters of a name (``OtherSpelling/letters(of:)``); nil if there
  /// is none.
  func meaning(ofLettersIn name: Bytes) -> Int? {
    // No known name is longer, even with a space or a hyphen for each underscore.
    guard name.count <= Self.longestName else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { letters in
      var count = 0
      for letter in name.letters {
        letters[count] = letter
        count += 1
      }
      return meaning(of: Bytes(rebasing: letters[..<count]))
    }
  }

  private static let longestName = 100

  // Apple's names differ in their length, their ends or their middle, so no other byte is hashed.
  @inline(__always)
  private func hash(_ name: Bytes) -> Int {
    let count = name.count
    return count &* 7 &+ Int(name[0]) &* 31 &+ Int(name[count - 1]) &* 131
      &+ Int(name[count / 2]) &* 521
  }

  private func insert(_ name: [UInt8], _ meaning: Int) {
    guard !name.isEmpty else { return }
    var index = name.withUnsafeBufferPointer { hash($0) & mask }
    while let taken = slots[index].name {
      if Bytes(start: taken, count: slots[index].length).elementsEqual(name) { return }
      index = (index + 1) & mask
    }
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: name.count)
    copy.initialize(from: name, count: name.count)
    slots[index] = Slot(name: copy, length: name.count, meaning: meaning)
  }
}

/// Turns a name with underscores into camel case, as archives that were rewritten have it:
/// `purchaseDateMs`.
func camelCase(_ name: String) -> String {
  let parts = name.split(separator: "_")
  guard let first = parts.first else { return name }
  return String(first)
    + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
}
