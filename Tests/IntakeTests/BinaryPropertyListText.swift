/// Writes binary property lists, as CoreFoundation's CFBinaryPList.c describes them.
struct BinaryPropertyListText {
  enum Value {
    case string(String)
    case integer(UInt8)
    case array([Value])
    case dictionary([(String, Value)])
  }

  private var objects: [[UInt8]] = []
  private let referenceBytes: Int
  private let offsetBytes: Int
  let bytes: [UInt8]

  init(_ value: Value, referenceBytes: Int = 2, offsetBytes: Int = 4) {
    self.init(referenceBytes: referenceBytes, offsetBytes: offsetBytes, bytes: [])
    let top = add(value)
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += Self.number(bytes.count, offsetBytes)
      bytes += object
    }
    let trailer =
      [0, 0, 0, 0, 0, 0, UInt8(offsetBytes), UInt8(referenceBytes)] + Self.number(objects.count, 8)
      + Self.number(top, 8) + Self.number(bytes.count, 8)
    self.init(
      referenceBytes: referenceBytes, offsetBytes: offsetBytes, bytes: bytes + offsets + trailer)
  }

  private init(referenceBytes: Int, offsetBytes: Int, bytes: [UInt8]) {
    self.referenceBytes = referenceBytes
    self.offsetBytes = offsetBytes
    self.bytes = bytes
  }

  private mutating func add(_ value: Value) -> Int {
    let place = objects.count
    objects.append([])
    switch value {
    case .string(let text):
      let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
      objects[place] =
        isASCII
        ? Self.header(0x50, text.utf8.count) + Array(text.utf8)
        : Self.header(0x60, text.utf16.count)
          + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    case .integer(let number):
      objects[place] = [0x10, number]
    case .array(let values):
      let places = values.map { add($0) }
      objects[place] =
        Self.header(0xa0, values.count) + places.flatMap { Self.number($0, referenceBytes) }
    case .dictionary(let members):
      let keys = members.map { add(.string($0.0)) }
      let values = members.map { add($0.1) }
      objects[place] =
        Self.header(0xd0, members.count)
        + (keys + values).flatMap { Self.number($0, referenceBytes) }
    }
    return place
  }

  private static func header(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 15, 0x11] + number(count, 2)
  }

  static func number(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
