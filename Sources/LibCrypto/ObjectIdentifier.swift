/// An ASN.1 object identifier: numbers that name a thing, such as an extension of a certificate.
public struct ObjectIdentifier: Hashable, Sendable {
  /// Its DER encoding without tag and length.
  package let encoded: [UInt8]

  /// Takes the DER encoding without tag and length.
  package init(encoded: [UInt8]) {
    self.encoded = encoded
  }
}

extension ObjectIdentifier: ExpressibleByArrayLiteral {
  /// Encodes numbers; the first is at most 2 and the second is below 40: X.690, 8.19.
  public init(arrayLiteral numbers: UInt32...) {
    precondition(numbers.count >= 2 && numbers[0] <= 2 && numbers[1] < 40)
    var encoded: [UInt8] = []
    for number in [numbers[0] * 40 + numbers[1]] + numbers.dropFirst(2) {
      var digits = [UInt8(number & 0x7f)]
      var rest = number >> 7
      while rest > 0 {
        digits.append(0x80 | UInt8(rest & 0x7f))
        rest >>= 7
      }
      encoded += digits.reversed()
    }
    self.encoded = encoded
  }
}

extension ObjectIdentifier: CustomStringConvertible {
  /// The numbers with dots between them; hexadecimal if they are too large or cannot be decoded.
  public var description: String {
    var numbers: [UInt64] = []
    var number: UInt64 = 0
    for byte in encoded {
      guard number < 1 << 56 else { return encoded.hexadecimal }
      number = number << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 {
        if numbers.isEmpty {
          let first = min(number / 40, 2)
          numbers = [first, number - first * 40]
        } else {
          numbers.append(number)
        }
        number = 0
      }
    }
    guard let last = encoded.last, last < 0x80 else { return encoded.hexadecimal }
    return numbers.map { "\($0)" }.joined(separator: ".")
  }
}
