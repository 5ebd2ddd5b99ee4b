/// The hash that identifies a row of facts, made from its columns as they are in the database.
///
/// The hash covers all facts. If a fact is removed, the hash must become the hash of the rest. With
/// the old hash, someone could try names, and the same facts would be loaded twice when they come
/// again.
package enum ContentFingerprint {
  /// A column as the loader writes it.
  package enum Column: Sendable {
    /// Text.
    case text(String?)
    /// An identifier of Apple.
    case identifier(String?)
    /// A whole number of eight bytes.
    case bigint(Int64?)
    /// A whole number of four bytes.
    case integer(Int32?)
    /// An instant, in seconds since 1970.
    case instant(Int64?)
    /// Yes or no.
    case boolean(Bool)
    /// The place of the hash itself, which counts as zero.
    case hash
    /// An instant that is not one of the facts and counts as zero.
    case age
  }

  /// The hash as PostgreSQL writes a `bigint`.
  package static func hash(of columns: [Column]) -> String {
    let row = RowEncoder()
    row.begin(columns: 0)
    let content = row.count
    for column in columns {
      switch column {
      case .text(let text):
        if let text {
          Array(text.utf8).withUnsafeBufferPointer { row.text($0) }
        } else {
          row.null()
        }
      case .identifier(let text):
        if let text {
          Array(text.utf8).withUnsafeBufferPointer { row.identifier($0) }
        } else {
          row.identifier(nil)
        }
      case .bigint(let number): row.bigint(number)
      case .integer(let number): row.integer(number)
      case .instant(let seconds): row.timestamp(seconds)
      case .boolean(let value): row.boolean(value)
      case .hash: _ = row.hashLater()
      case .age: _ = row.timestampLater()
      }
    }
    return String(row.hash(from: content))
  }
}
