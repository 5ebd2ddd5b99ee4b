/// What one document has said already, so that repeats are dropped before they are sent.
final class SeenStatements {
  private struct Statement {
    let hash: StatementHash
    /// From the oldest evidence of it to the youngest.
    var ages: ClosedRange<Int64>
    /// Where the row's `evidence_at` lies among the rows.
    let offset: Int
  }

  private static let usualSlots = 1024

  @exclusivity(unchecked) private var statements: [Statement] = []
  @exclusivity(unchecked) private var slots: [Int32] = Array(repeating: -1, count: 64)

  /// Begins a document.
  func begin() {
    let count = slots.count > Self.usualSlots ? 64 : slots.count
    if statements.count > Self.usualSlots { statements = [] }
    statements.removeAll(keepingCapacity: true)
    if count == slots.count {
      for index in slots.indices { slots[index] = -1 }
    } else {
      slots = Array(repeating: -1, count: count)
    }
  }

  /// What became of a statement that was looked up.
  enum Outcome {
    /// Nobody said it before, or not with an age that counts; its row is to be sent.
    case new
    /// It was said before, and its age adds nothing.
    case repeated
    /// It was said before with younger evidence; the row at this offset is to be dated anew.
    case repeatedOlder(offset: Int)
  }

  /// Looks a statement up, and remembers it.
  ///
  /// Where the youngest evidence counts as well as the oldest, both have a row.
  func note(
    _ hash: StatementHash, evidenceAt: Int64, offset: Int, doesYoungestCount: Bool
  ) -> Outcome {
    let index = slot(of: hash)
    if slots[index] >= 0 {
      let known = Int(slots[index])
      let ages = statements[known].ages
      let isYounger = doesYoungestCount && evidenceAt > ages.upperBound
      guard evidenceAt < ages.lowerBound || isYounger else { return .repeated }
      statements[known].ages =
        min(evidenceAt, ages.lowerBound)...max(evidenceAt, ages.upperBound)
      return doesYoungestCount ? .new : .repeatedOlder(offset: statements[known].offset)
    }
    slots[index] = Int32(statements.count)
    statements.append(Statement(hash: hash, ages: evidenceAt...evidenceAt, offset: offset))
    if statements.count * 2 > slots.count { grow() }
    return .new
  }

  private func slot(of hash: StatementHash) -> Int {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash.low) & mask
    while slots[index] >= 0, statements[Int(slots[index])].hash != hash {
      index = (index + 1) & mask
    }
    return index
  }

  private func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (index, statement) in statements.enumerated() {
      slots[slot(of: statement.hash)] = Int32(index)
    }
  }
}
