/// The facts that one document already contained, so that repeats are dropped before they are sent.
final class SeenEvidence {
  private struct Piece {
    let hash: Int64
    /// The instants of the oldest and of the youngest evidence.
    var ages: ClosedRange<Int64>
    /// The place of the row's `evidence_at` among the rows.
    let offset: Int
  }

  private static let usualSlots = 1024

  @exclusivity(unchecked) private var pieces: [Piece] = []
  @exclusivity(unchecked) private var slots: [Int32] = Array(repeating: -1, count: 64)

  /// Begins a document.
  func begin() {
    let count = slots.count > Self.usualSlots ? 64 : slots.count
    if pieces.count > Self.usualSlots { pieces = [] }
    pieces.removeAll(keepingCapacity: true)
    if count == slots.count {
      for index in slots.indices { slots[index] = -1 }
    } else {
      slots = Array(repeating: -1, count: count)
    }
  }

  /// The result of a lookup.
  enum Outcome {
    /// The facts are new, or their age counts by itself; the row must be sent.
    case new
    /// The facts are repeated, and their age changes nothing.
    case repeated
    /// The facts are repeated with older evidence; the row at this offset gets the older date.
    case repeatedOlder(offset: Int)
  }

  /// Looks up the facts with a hash, and remembers them.
  ///
  /// If the youngest evidence counts as well as the oldest, both have a row.
  func note(
    _ hash: Int64, evidenceAt: Int64, offset: Int, doesYoungestCount: Bool
  ) -> Outcome {
    let index = slot(of: hash)
    if slots[index] >= 0 {
      let known = Int(slots[index])
      let ages = pieces[known].ages
      let isYounger = doesYoungestCount && evidenceAt > ages.upperBound
      guard evidenceAt < ages.lowerBound || isYounger else { return .repeated }
      pieces[known].ages =
        min(evidenceAt, ages.lowerBound)...max(evidenceAt, ages.upperBound)
      return doesYoungestCount ? .new : .repeatedOlder(offset: pieces[known].offset)
    }
    slots[index] = Int32(pieces.count)
    pieces.append(Piece(hash: hash, ages: evidenceAt...evidenceAt, offset: offset))
    if pieces.count * 2 > slots.count { grow() }
    return .new
  }

  private func slot(of hash: Int64) -> Int {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index] >= 0, pieces[Int(slots[index])].hash != hash {
      index = (index + 1) & mask
    }
    return index
  }

  private func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (index, piece) in pieces.enumerated() {
      slots[slot(of: piece.hash)] = Int32(index)
    }
  }
}
