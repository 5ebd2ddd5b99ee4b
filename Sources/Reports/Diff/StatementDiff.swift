import ExactText
import ReconciliationSQL

/// The rows of one statement that were added, removed and changed from one edition to another.
package struct StatementDiff {
  /// What happened to a row.
  package enum Change: String, Sendable {
    case added, removed, changed
  }

  /// A value of a row before and after; nil if the row was not there.
  package struct Value: Sendable, Equatable {
    /// The column.
    package let column: String
    /// The value before.
    package let before: String?
    /// The value after.
    package let after: String?
  }

  /// A row that is not the same in both editions.
  package struct Row: Sendable, Equatable {
    /// What happened to it.
    package let change: Change
    /// The columns that say what it is about, without empty ones.
    package let identity: [String]
    /// The values that differ; for a row that was added or removed, all that are not empty.
    package let values: [Value]
  }

  /// The name of the statement, without `.csv`.
  package let name: String
  /// Whether the edition before, and the one after, has the statement.
  package let isThere: (before: Bool, after: Bool)
  /// The number of rows that are the same in both.
  package private(set) var same = 0
  /// The number of rows about days that only one edition covers; they are not compared.
  package private(set) var earlier = 0
  private let before: StatementRows?
  private let after: StatementRows?
  private let ignored: Set<String>
  private var added: [Int] = []
  private var removed: [Int] = []
  private var changed: [(before: Int, after: Int)] = []

  /// Compares a statement of two folders.
  ///
  /// The caller has checked the folders.
  ///
  /// - Parameter window: The days that both cover, if one of them begins later.
  /// - Throws: ``ReconciliationError`` with `reports` if a file is there and cannot be read.
  package init(
    _ report: Report, before: String, after: String, in window: StatementWindow? = nil
  ) throws {
    name = report.query.subject
    let identity = report.identity ?? []
    ignored = report.columnsOfAsOf
    func rows(_ folder: String) throws -> StatementRows? {
      try StatementRows(
        "\(folder)/\(report.fileName)", identity: identity, month: report.columnOfMonth,
        pendingEnd: report.columnOfPendingEnd)
    }
    self.before = try rows(before)
    self.after = try rows(after)
    isThere = (self.before != nil, self.after != nil)
    if let before = self.before, let after = self.after { compare(before, after, in: window) }
  }

  /// The numbers of rows that were added, removed and changed.
  package var counts: (added: Int, removed: Int, changed: Int) {
    (added.count, removed.count, changed.count)
  }

  /// Calls `body` with the rows that were removed, added and changed, each kind in the order of its
  /// file.
  package func rows(atMost limit: Int = .max, _ body: (Row) throws -> Void) rethrows {
    guard let before, let after else { return }
    var left = limit
    func give(_ row: @autoclosure () -> Row) throws {
      guard left > 0 else { return }
      left -= 1
      try body(row())
    }
    for row in removed {
      try give(
        Row(
          change: .removed, identity: Self.identity(row, before),
          values: Self.values(row, before).map { Value(column: $0, before: $1, after: nil) }))
    }
    for row in added {
      try give(
        Row(
          change: .added, identity: Self.identity(row, after),
          values: Self.values(row, after).map { Value(column: $0, before: nil, after: $1) }))
    }
    for (old, new) in changed {
      try give(
        Row(
          change: .changed, identity: Self.identity(new, after),
          values: differences(old, before, new, after)))
    }
  }

  /// Pairs the rows by a number made from their identity: both sides are sorted by this number.
  private mutating func compare(
    _ before: StatementRows, _ after: StatementRows, in window: StatementWindow?
  ) {
    let later = window?.isOfAfter == true ? after : before
    let old = compared(before, window, than: later)
    let new = compared(after, window, than: later)
    var (one, other) = (0, 0)
    while one < old.count || other < new.count {
      let key = [
        one < old.count ? before.keys[old[one]] : nil,
        other < new.count ? after.keys[new[other]] : nil,
      ].compactMap { $0 }.min()
      let firstOld = one
      while one < old.count, before.keys[old[one]] == key { one += 1 }
      let firstNew = other
      while other < new.count, after.keys[new[other]] == key { other += 1 }
      pair(old[firstOld..<one], before, new[firstNew..<other], after)
    }
    removed.sort()
    added.sort()
    changed.sort { $0.after < $1.after }
  }

  /// The rows that are compared, sorted by their key; counts the others.
  private mutating func compared(
    _ rows: StatementRows, _ window: StatementWindow?, than later: StatementRows
  ) -> [Int] {
    let left = window?.earlierRows(in: name, rows, than: later) ?? []
    earlier += left.count
    return rows.keys.indices.filter { !left.contains($0) }
      .sorted { (rows.keys[$0], $0) < (rows.keys[$1], $1) }
  }

  /// Pairs rows with the same key.
  ///
  /// Rows with different identities can have the same key. If several rows have the same identity,
  /// they are paired in the order of their files.
  private mutating func pair(
    _ old: ArraySlice<Int>, _ before: StatementRows, _ new: ArraySlice<Int>, _ after: StatementRows
  ) {
    var waiting: [[[UInt8]]: [Int]] = [:]
    for row in old.reversed() { waiting[before.identityFields(of: row), default: []].append(row) }
    for row in new {
      guard let other = waiting[after.identityFields(of: row)]?.popLast() else {
        added.append(row)
        continue
      }
      let isEqual =
        before.header == after.header && before.text(of: other) == after.text(of: row)
        || differences(other, before, row, after).isEmpty
      if isEqual { same += 1 } else { changed.append((other, row)) }
    }
    removed += waiting.values.joined()
  }

  /// The values that differ in the columns that both have.
  private func differences(
    _ old: Int, _ before: StatementRows, _ new: Int, _ after: StatementRows
  ) -> [Value] {
    let then = Dictionary(
      zip(before.header, before.fields(of: old)), uniquingKeysWith: { first, _ in first })
    return zip(after.header, after.fields(of: new)).compactMap { column, value in
      guard !ignored.contains(column), let old = then[column], !old.isExactly(value) else {
        return nil
      }
      return Value(column: column, before: old, after: value)
    }
  }

  private static func identity(_ row: Int, _ rows: StatementRows) -> [String] {
    rows.identityFields(of: row).filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func values(_ row: Int, _ rows: StatementRows) -> [(String, String)] {
    zip(rows.header, rows.fields(of: row)).filter { !$0.1.isEmpty }
  }
}
