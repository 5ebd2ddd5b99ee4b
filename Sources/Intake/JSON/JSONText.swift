/// A value written as JSON again, for the rejection of a part of a document.
///
/// The parser does not give the place of a value in the document. So white space and the spelling
/// of numbers and escapes may differ from the original.
struct JSONText {
  private(set) var bytes: [UInt8] = []

  init(_ value: JSONValue) {
    write(value)
  }

  /// A text as a JSON string.
  init(text: [UInt8]) {
    text.withUnsafeBufferPointer { write($0) }
  }

  /// An object of texts; missing texts are left out.
  init(members: [(name: String, text: String?)]) {
    bytes.append(Byte.openBrace)
    for (name, text) in members {
      guard let text else { continue }
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      Array(name.utf8).withUnsafeBufferPointer { write($0) }
      bytes.append(UInt8(ascii: ":"))
      Array(text.utf8).withUnsafeBufferPointer { write($0) }
    }
    bytes.append(Byte.closeBrace)
  }

  // The parser limits the depth of a document, and so the depth of this recursion.
  private mutating func write(_ value: JSONValue) {
    if value.isObject {
      write(value, Byte.openBrace, Byte.closeBrace, isObject: true)
    } else if value.isArray {
      write(value, Byte.openBracket, Byte.closeBracket, isObject: false)
    } else if let string = value.string {
      write(string)
    } else if let integer = value.integer {
      bytes += String(integer).utf8
    } else if let unsigned = value.unsigned {
      bytes += String(unsigned).utf8
    } else if let double = value.double {
      bytes += double.description.utf8
    } else {
      bytes += (value.boolean.map { $0 ? "true" : "false" } ?? "null").utf8
    }
  }

  private mutating func write(
    _ value: JSONValue, _ open: UInt8, _ close: UInt8, isObject: Bool
  ) {
    bytes.append(open)
    let range = value.contents
    var place = range.lowerBound
    while place < range.upperBound {
      if place > range.lowerBound { bytes.append(UInt8(ascii: ",")) }
      if isObject {
        write(value.value(at: place))
        bytes.append(UInt8(ascii: ":"))
        place += 1
      }
      let element = value.value(at: place)
      write(element)
      place = element.next
    }
    bytes.append(close)
  }

  private mutating func write(_ string: Bytes) {
    let digits = Array("0123456789abcdef".utf8)
    bytes.append(Byte.quote)
    for byte in string {
      if byte == Byte.quote || byte == UInt8(ascii: "\\") {
        bytes += [UInt8(ascii: "\\"), byte]
      } else if byte < 0x20 {
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        bytes.append(byte)
      }
    }
    bytes.append(Byte.quote)
  }
}
