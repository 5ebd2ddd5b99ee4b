/// A binary property list, of which only arrays, dictionaries and strings are read.
///
/// The format is that of CoreFoundation's CFBinaryPList.c: objects one after another, a table of
/// their offsets, and a trailer of 32 bytes with the place of the table and the number of the
/// outermost object. Any number of references can name the same object, and an object can refer to
/// itself. So each object is read once, and nothing below a dictionary in the outermost array is
/// read. Dictionaries that overlap are refused if together they have more keys than the file has
/// bytes.
struct BinaryPropertyList {
  /// The bytes at the beginning of every such file.
  static let magic: StaticString = "bplist"
  private static let headerBytes = 8
  private static let trailerBytes = 32
  /// The length in bytes or UTF-16 units of the longest string that can be used; no identifier is
  /// longer.
  private static let textLimit = FieldText.productLimit * 4

  private let bytes: Bytes
  private let table: Int
  private let offsetBytes: Int
  private let referenceBytes: Int
  private let objects: Int
  private let top: Int
  /// The texts that were read, by the offset of their object.
  private var texts: [Int: [UInt8]?] = [:]
  /// How many more keys may be read; an undamaged file has fewer keys than bytes.
  private var keysLeft: Int

  init(_ bytes: Bytes) throws(RecordProblem) {
    guard bytes.count >= Self.headerBytes + Self.trailerBytes,
      bytes[6] == Byte.zero
    else { throw .noListOfIdentifiers }
    let trailer = bytes.count - Self.trailerBytes
    self.bytes = bytes
    keysLeft = bytes.count
    offsetBytes = Int(bytes[trailer + 6])
    referenceBytes = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetBytes), (1...8).contains(referenceBytes),
      let objects = Self.number(bytes, trailer + 8, 8),
      let top = Self.number(bytes, trailer + 16, 8),
      let table = Self.number(bytes, trailer + 24, 8),
      objects <= bytes.count, top < objects, table >= Self.headerBytes, table <= trailer,
      objects * offsetBytes <= trailer - table
    else { throw .noListOfIdentifiers }
    self.objects = objects
    self.top = top
    self.table = table
  }

  /// The offsets of the objects in the outermost array.
  func topArray(atMost limit: Int) throws(RecordProblem) -> [Int] {
    let header = try header(at: offset(of: top))
    if header.kind == 0xd { throw .propertyListIsDictionary }
    guard header.kind == 0xa else { throw .noListOfIdentifiers }
    guard header.count <= limit else {
      throw RecordProblem(
        .tooLarge,
        "The catalogue has \(header.count) entries, the limit is \(limit); split it.")
    }
    return try references(header.count, at: header.start)
  }

  /// The text in UTF-8 of a string, or of the string that a dictionary has under a key.
  mutating func text(of offset: Int, orIn key: String) throws(RecordProblem) -> [UInt8]? {
    if let known = texts[offset] { return known }
    let header = try header(at: offset)
    let text =
      header.kind == 0xd
      ? try value(of: header, under: Array(key.utf8)) : try string(at: offset)
    texts[offset] = .some(text)
    return text
  }

  private mutating func value(
    of dictionary: Header, under key: [UInt8]
  ) throws(RecordProblem) -> [UInt8]? {
    keysLeft -= dictionary.count
    guard keysLeft >= 0 else { throw .noListOfIdentifiers }
    let keys = try references(dictionary.count, at: dictionary.start)
    let values = try references(
      dictionary.count, at: dictionary.start + dictionary.count * referenceBytes)
    for (name, value) in zip(keys, values) where try isString(at: name, key) {
      return try string(at: value)
    }
    return nil
  }

  /// Whether an object is the string with these ASCII characters; nothing is copied.
  private func isString(at offset: Int, _ ascii: [UInt8]) throws(RecordProblem) -> Bool {
    let header = try header(at: offset)
    guard header.count == ascii.count else { return false }
    switch header.kind {
    case 0x5:
      return header.count <= table - header.start
        && bytes.part(header.start..<header.start + header.count).elementsEqual(ascii)
    case 0x6:
      return header.count <= (table - header.start) / 2
        && ascii.indices.allSatisfy {
          bytes[header.start + 2 * $0] == 0 && bytes[header.start + 2 * $0 + 1] == ascii[$0]
        }
    default:
      return false
    }
  }

  /// A string in UTF-8, cut one unit after `textLimit`; nil if the object is no string or no valid
  /// text.
  private func string(at offset: Int) throws(RecordProblem) -> [UInt8]? {
    let header = try header(at: offset)
    switch header.kind {
    case 0x5:
      guard header.count <= table - header.start else { throw .noListOfIdentifiers }
      let end = header.start + min(header.count, Self.textLimit + 1)
      let text = Array(bytes.part(header.start..<end))
      return text.allSatisfy { $0 < 0x80 } ? text : nil
    case 0x6:
      guard header.count <= (table - header.start) / 2 else { throw .noListOfIdentifiers }
      let units = (0..<min(header.count, Self.textLimit + 1)).map { index in
        UInt16(bytes[header.start + 2 * index]) << 8 | UInt16(bytes[header.start + 2 * index + 1])
      }
      return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    default:
      return nil
    }
  }

  private struct Header {
    let kind: UInt8
    let count: Int
    /// Where the contents begin.
    let start: Int
  }

  /// An object's kind from its first byte, and its size from the same byte or the number after it.
  private func header(at offset: Int) throws(RecordProblem) -> Header {
    let marker = bytes[offset]
    guard marker & 0xf == 0xf, marker >> 4 >= 0x4 else {
      return Header(kind: marker >> 4, count: Int(marker & 0xf), start: offset + 1)
    }
    guard offset + 1 < table, bytes[offset + 1] >> 4 == 0x1 else { throw .noListOfIdentifiers }
    let width = 1 << Int(bytes[offset + 1] & 0xf)
    guard width <= 8, offset + 2 + width <= table,
      let count = Self.number(bytes, offset + 2, width), count <= bytes.count
    else { throw .noListOfIdentifiers }
    return Header(kind: marker >> 4, count: count, start: offset + 2 + width)
  }

  private func references(_ count: Int, at start: Int) throws(RecordProblem) -> [Int] {
    guard start <= table, count * referenceBytes <= table - start else {
      throw .noListOfIdentifiers
    }
    var offsets: [Int] = []
    offsets.reserveCapacity(count)
    for index in 0..<count {
      guard let object = Self.number(bytes, start + index * referenceBytes, referenceBytes) else {
        throw .noListOfIdentifiers
      }
      offsets.append(try offset(of: object))
    }
    return offsets
  }

  private func offset(of object: Int) throws(RecordProblem) -> Int {
    guard object < objects,
      let offset = Self.number(bytes, table + object * offsetBytes, offsetBytes),
      offset >= Self.headerBytes, offset < table
    else { throw .noListOfIdentifiers }
    return offset
  }

  /// A number, highest byte first; nil if it does not fit in an `Int`.
  private static func number(_ bytes: Bytes, _ start: Int, _ width: Int) -> Int? {
    var value: UInt64 = 0
    for byte in bytes.part(start..<start + width) { value = value << 8 | UInt64(byte) }
    return Int(exactly: value)
  }
}
