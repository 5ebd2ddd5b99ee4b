import CXXHash
import CopyFormat

/// One row in PostgreSQL's binary form, built separately so that a bad record adds nothing to the
/// rows.
final class RowEncoder {
  @exclusivity(unchecked) private var base: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private(set) var count = 0

  init() {
    capacity = 8192
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    base.deallocate()
  }

  /// The row so far.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Begins a new row.
  @inline(__always)
  func begin(columns: Int16) {
    count = 0
    store(columns)
  }

  @inline(__always)
  func null() {
    store(Int32(-1))
  }

  @inline(__always)
  func text(_ value: Bytes?) {
    guard let value else { return null() }
    store(Int32(truncatingIfNeeded: value.count))
    reserve(value.count)
    if let address = value.baseAddress {
      (base + count).copyMemory(from: address, byteCount: value.count)
    }
    count &+= value.count
  }

  /// Writes an identifier of Apple as two values, one of which is null: a number or a text.
  ///
  /// A decimal with at most 18 digits and no zero in front is written as a number, any other
  /// identifier as a text. The SQL function `identifier_number` has the same rule
  /// (schema_identifier.sql).
  @inline(__always)
  func identifier(_ value: Bytes?) {
    guard let value else {
      null()
      return null()
    }
    if let number = Self.number(of: value) {
      bigint(number)
      null()
    } else {
      null()
      text(value)
    }
  }

  /// The number of an identifier that is written as a number; nil for any other one.
  @inline(__always)
  private static func number(of identifier: Bytes) -> Int64? {
    guard (1...18).contains(identifier.count) else { return nil }
    if identifier[0] == UInt8(ascii: "0"), identifier.count > 1 { return nil }
    var number: Int64 = 0
    for byte in identifier {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int64(digit)
    }
    return number
  }

  @inline(__always)
  func boolean(_ value: Bool) {
    store(Int32(1))
    store(UInt8(value ? 1 : 0))
  }

  @inline(__always)
  func integer(_ value: Int32) {
    store(Int32(4))
    store(value)
  }

  @inline(__always)
  func integer(_ value: Int32?) {
    guard let value else { return null() }
    integer(value)
  }

  @inline(__always)
  func bigint(_ value: Int64?) {
    guard let value else { return null() }
    store(Int32(8))
    store(value)
  }

  /// Writes an instant that is given in seconds since 1970.
  @inline(__always)
  func timestamp(_ value: Int64?) {
    guard let value else { return null() }
    store(Int32(8))
    store(CopyBuffer.microseconds(value))
  }

  /// Reserves room for a hash and returns its place.
  @inline(__always)
  func hashLater() -> Int {
    store(Int32(8))
    store(Int64(0))
    return count - 8
  }

  /// Reserves room for a `timestamptz` and returns its place.
  @inline(__always)
  func timestampLater() -> Int {
    store(Int32(8))
    store(Int64(0))
    return count - 8
  }

  /// Writes an instant into its reserved room.
  @inline(__always)
  func fill(at offset: Int, timestamp value: Int64) {
    base.storeBytes(
      of: CopyBuffer.microseconds(value).bigEndian, toByteOffset: offset, as: Int64.self)
  }

  /// Writes a hash into its reserved room.
  @inline(__always)
  func fill(at offset: Int, hash: Int64) {
    base.storeBytes(of: hash.bigEndian, toByteOffset: offset, as: Int64.self)
  }

  /// XXH3-64 of all bytes from an offset on; reserved room that is not filled counts as zero.
  @inline(__always)
  func hash(from offset: Int) -> Int64 {
    Int64(bitPattern: tieoutHash64(base + offset, count - offset))
  }

  @inline(__always)
  private func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    reserve(MemoryLayout<Value>.size)
    (base + count).storeBytes(of: value.bigEndian, as: Value.self)
    count &+= MemoryLayout<Value>.size
  }

  @inline(__always)
  private func reserve(_ bytes: Int) {
    if capacity &- count < bytes { grow(by: bytes) }
  }

  @inline(never)
  private func grow(by bytes: Int) {
    let larger = max(capacity * 2, count + bytes)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    moved.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = moved
    capacity = larger
  }
}

/// XXH3-128 of a document or of a report of Apple; equal bytes have equal hashes.
///
/// It is not a cryptographic hash: the assumption is that no one makes equal hashes on purpose.
struct ContentHash: Hashable {
  let high: UInt64
  let low: UInt64

  @inline(__always)
  init(of bytes: UnsafeRawBufferPointer) {
    let hash = tieoutHash128(bytes.baseAddress, bytes.count)
    high = hash.high64
    low = hash.low64
  }
}
