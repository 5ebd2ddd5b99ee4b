extension [UInt8] {
  /// The bytes as hexadecimal digits in lower case.
  package var hexadecimal: String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * count)
    for byte in self {
      for digit in [byte >> 4, byte & 15] {
        text.append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether this is a hexadecimal digit in lower case.
  package var isHexadecimal: Bool {
    (0x30...0x39).contains(self) || (0x61...0x66).contains(self)
  }
}
