internal import LibCrypto

/// Writes elements of DER, and of BER where a test needs its other forms.
enum DERWriter {
  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    if content.count < 0x80 {
      length = [UInt8(content.count)]
    } else {
      var rest = content.count
      while rest > 0 {
        length.insert(UInt8(rest & 0xff), at: 0)
        rest >>= 8
      }
      length.insert(0x80 | UInt8(length.count), at: 0)
    }
    return [tag] + length + content
  }

  /// An element of indefinite length, as BER allows.
  static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag, 0x80] + content + [0, 0]
  }

  static func integer(_ value: Int) -> [UInt8] {
    var octets: [UInt8] = []
    var rest = value
    repeat {
      octets.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    } while !(rest == 0 && octets[0] < 0x80) && !(rest == -1 && octets[0] >= 0x80)
    return element(0x02, octets)
  }

  /// An object identifier.
  static func name(_ name: ObjectIdentifier) -> [UInt8] { element(0x06, name.encoded) }

  /// A SET OF in DER: its elements in the order of their bytes.
  static func set(_ elements: [[UInt8]]) -> [UInt8] {
    element(0x31, elements.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self))
  }
}
