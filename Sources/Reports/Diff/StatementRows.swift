import FileSystem
import Glibc
import ReportReading
import Runs

/// The rows of a statement in an edition's folder.
///
/// Beside the bytes of the file, it keeps the place of each row and a number made from the columns
/// that say what the row is about.
struct StatementRows {
  /// The names of the columns.
  let header: [String]
  /// The place of each row, in the order of the file.
  private(set) var places: [Range<Int>] = []
  /// A number for each row; rows with the same identity have the same number.
  private(set) var keys: [Int] = []
  private let bytes: [UInt8]
  private let identity: [Int]
  private let month: Int?
  private let pending: (end: Int, state: Int)?

  /// Reads the places of all rows; nil if the edition has no such file.
  ///
  /// - Parameters:
  ///   - identity: The columns that say what a row is about. If the file lacks one, all columns do.
  ///   - month: The column with a day of which only the month is compared.
  ///   - end: The column with the last day of a period, which is not compared if the row's `state`
  ///     is `pending`.
  init?(
    _ path: String, identity names: [String], month: String? = nil, pendingEnd end: String? = nil
  ) throws {
    do { bytes = try FilePlace(anywhere: path).contents(atMost: .max) } catch {
      guard error.code != ENOENT else { return nil }
      throw ReconciliationError(.reports, "\(error). \(error.remedy)")
    }
    let ends = Self.ends(in: bytes)
    let first = 0..<(ends.first ?? 0)
    let header = Self.fields(of: bytes, first).map { String(decoding: $0, as: UTF8.self) }
    self.header = header
    let columns = names.compactMap { header.firstIndex(of: $0) }
    identity = columns.count == names.count ? columns : Array(header.indices)
    self.month = month.flatMap { header.firstIndex(of: $0) }
    pending = end.flatMap { end in
      header.firstIndex(of: end).flatMap { end in
        header.firstIndex(of: "state").map { (end, $0) }
      }
    }
    places.reserveCapacity(ends.count)
    keys.reserveCapacity(ends.count)
    for (start, end) in zip(ends, ends.dropFirst()) {
      places.append(start..<end)
      var hasher = Hasher()
      for field in identityFields(of: places.count - 1) { hasher.combine(field) }
      keys.append(hasher.finalize())
    }
  }

  /// The fields of a row.
  func fields(of row: Int) -> [String] {
    Self.fields(of: bytes, places[row]).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The fields of a row that say what it is about.
  func identityFields(of row: Int) -> [[UInt8]] {
    let all = Self.fields(of: bytes, places[row])
    let isPending = pending.map { $0.state < all.count && all[$0.state] == Self.pendingState }
    return identity.map { column in
      guard column < all.count, isPending != true || column != pending?.end else { return [] }
      // YYYY-MM of YYYY-MM-DD.
      return column == month ? Array(all[column].prefix(7)) : all[column]
    }
  }

  /// The state of a row about days that Apple has not reported: they end at as-of.
  private static let pendingState = Array("pending".utf8)

  /// The bytes of a row.
  func text(of row: Int) -> ArraySlice<UInt8> { bytes[places[row]] }

  /// Finds the ends of all rows; a line end inside quotes does not end a row.
  private static func ends(in bytes: [UInt8]) -> [Int] {
    var ends: [Int] = []
    var isQuoted = false
    for (place, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: "\n"), !isQuoted { ends.append(place + 1) }
    }
    if (ends.last ?? 0) < bytes.count { ends.append(bytes.count) }
    return ends
  }

  private static func fields(of bytes: [UInt8], _ place: Range<Int>) -> [[UInt8]] {
    CSVRows.fields(of: bytes[place])
  }
}
