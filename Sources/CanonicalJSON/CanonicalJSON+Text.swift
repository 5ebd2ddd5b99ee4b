extension CanonicalJSON {
  /// The bytes of this value in the form of RFC 8785, the only form that it has.
  ///
  /// - Throws: ``CanonicalJSONError`` if a number is too large, or a name occurs twice in an
  ///   object.
  package func text() throws(CanonicalJSONError) -> [UInt8] {
    var bytes: [UInt8] = []
    try write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) throws(CanonicalJSONError) {
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let number):
      guard number.magnitude <= Self.largestInteger else {
        throw CanonicalJSONError("\(number) is too large to be read exactly by every program")
      }
      bytes += "\(number)".utf8
    case .string(let text): Self.write(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        try element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members): try Self.write(members, to: &bytes)
    }
  }

  /// Writes members in the order of the UTF-16 code units of their names (RFC 8785, 3.2.3).
  private static func write(
    _ members: [Member], to bytes: inout [UInt8]
  ) throws(CanonicalJSONError) {
    let sorted = members.map { (key: Array($0.name.utf16), member: $0) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    bytes.append(UInt8(ascii: "{"))
    for (place, (key, member)) in sorted.enumerated() {
      if place > 0 {
        guard sorted[place - 1].key != key else {
          throw CanonicalJSONError("the name \(member.name) occurs twice in an object")
        }
        bytes.append(UInt8(ascii: ","))
      }
      write(member.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      try member.value.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes a string with no more escapes than JSON demands (RFC 8785, 3.2.2.2).
  private static func write(_ text: String, to bytes: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x08: bytes += "\\b".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0a: bytes += "\\n".utf8
      case 0x0c: bytes += "\\f".utf8
      case 0x0d: bytes += "\\r".utf8
      case 0..<0x20:
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
