/// Rows in the form that `COPY … FROM STDIN (FORMAT binary)` takes.
///
/// The buffer holds only rows. The sender adds the signature before the first row and the trailer
/// after the last row, so that buffers can be joined. Values are written in the order of the
/// table's columns. The format is described in PostgreSQL's manual under COPY, "Binary Format";
/// every number is in network byte order.
public struct CopyBuffer: Sendable {
  /// The bytes of all rows so far.
  public private(set) var bytes: [UInt8] = []
  /// The number of rows that were begun.
  public private(set) var rows = 0

  /// Makes an empty buffer.
  public init() {}

  /// Whether there is no row.
  public var isEmpty: Bool { rows == 0 }

  /// Begins a row of `columns` values.
  @inline(__always)
  public mutating func beginRow(columns: Int16) {
    rows += 1
    append(bigEndian: columns)
  }

  /// Writes null.
  @inline(__always)
  public mutating func null() {
    append(bigEndian: Int32(-1))
  }

  /// Writes a `text`, `varchar` or `bytea` from bytes.
  ///
  /// For text they must be valid UTF-8 without NUL.
  @inline(__always)
  public mutating func bytes(_ value: UnsafeRawBufferPointer) {
    append(bigEndian: Int32(truncatingIfNeeded: value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes a `text` or `bytea` from an array.
  @inline(__always)
  public mutating func bytes(_ value: some Collection<UInt8>) {
    append(bigEndian: Int32(truncatingIfNeeded: value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes a `text`.
  public mutating func text(_ value: String) {
    var value = value
    value.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
  }

  /// Writes a `text`, or null.
  public mutating func text(_ value: String?) {
    if let value { text(value) } else { null() }
  }

  /// Writes a `boolean`.
  @inline(__always)
  public mutating func boolean(_ value: Bool) {
    append(bigEndian: Int32(1))
    bytes.append(value ? 1 : 0)
  }

  /// Writes an `integer`.
  @inline(__always)
  public mutating func integer(_ value: Int32) {
    append(bigEndian: Int32(4))
    append(bigEndian: value)
  }

  /// Writes a `bigint`.
  @inline(__always)
  public mutating func bigint(_ value: Int64) {
    append(bigEndian: Int32(8))
    append(bigEndian: value)
  }

  /// Writes a `timestamptz` from seconds since 1970-01-01T00:00:00Z.
  @inline(__always)
  public mutating func timestamp(_ secondsSince1970: Int64) {
    append(bigEndian: Int32(8))
    append(bigEndian: Self.microseconds(secondsSince1970))
  }

  /// The value of a `timestamptz`: PostgreSQL counts microseconds from 2000-01-01T00:00:00Z.
  @inlinable
  @inline(__always)
  public static func microseconds(_ secondsSince1970: Int64) -> Int64 {
    (secondsSince1970 &- 946_684_800) &* 1_000_000
  }

  /// Writes the `timestamptz` that is before all others (`-infinity`).
  public mutating func timestampBeforeAllOthers() {
    append(bigEndian: Int32(8))
    append(bigEndian: Int64.min)
  }

  /// Writes a `uuid` from its two halves, the high one first.
  @inline(__always)
  public mutating func uuid(_ high: UInt64, _ low: UInt64) {
    append(bigEndian: Int32(16))
    append(bigEndian: high)
    append(bigEndian: low)
  }

  /// Appends one row that was encoded elsewhere, including its count of values.
  public mutating func append(encodedRow row: UnsafeRawBufferPointer) {
    rows += 1
    bytes.append(contentsOf: row)
  }

  /// Replaces the eight bytes of a `timestamptz` at an offset with another instant.
  public mutating func replaceTimestamp(at offset: Int, with secondsSince1970: Int64) {
    withUnsafeBytes(of: Self.microseconds(secondsSince1970).bigEndian) {
      bytes.replaceSubrange(offset..<offset + 8, with: $0)
    }
  }

  /// Empties the buffer and keeps its memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    rows = 0
  }

  @inline(__always)
  private mutating func append(bigEndian value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
