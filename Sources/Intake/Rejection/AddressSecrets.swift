/// Finds the passwords in addresses of any scheme: `scheme://user:password@host`.
enum AddressSecrets {
  /// The places of the passwords, as parts of the text.
  static func places(in text: ResolvedText) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var start = 0
    // An address ends at white space, a quote or an angle bracket. Each run without these is
    // searched by itself.
    for index in 0...text.count where index == text.count || endsRun(text, index) {
      search(start..<index, of: text, isCut: index == text.count, &places)
      start = index + 1
    }
    return places
  }

  private static func search(
    _ run: Range<Int>, of text: ResolvedText, isCut: Bool, _ places: inout [Range<Int>]
  ) {
    let lastAt = text.bytes[run].lastIndex(of: UInt8(ascii: "@"))
    var index = run.lowerBound
    while index + 3 <= run.upperBound {
      guard index > run.lowerBound, text.isThere("://", at: index) else {
        index += 1
        continue
      }
      let isEncoded = text.isPercentEncoded(index)
      let start = index + 3
      var end = start
      var colon: Int?
      // A password is not only digits: these are a port.
      var isPort = true
      while end < run.upperBound {
        let byte = text.bytes[end]
        if isEncoded || !text.isPercentEncoded(end) {
          if "/\\?#[]{}|`".utf8.contains(byte) { break }
          if isPort, "',;&()".utf8.contains(byte) { break }
        }
        if colon != nil, !byte.isDigit { isPort = false }
        if colon == nil, byte == UInt8(ascii: ":") { colon = end }
        end += 1
      }
      let authority = text.bytes[start..<end]
      index = max(end, index + 1)
      guard let colon else { continue }
      if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
        if colon < at { places.append(colon + 1..<at) }
        continue
      }
      // A password can contain a character that ends an authority.
      guard !isPort else { continue }
      if let lastAt, lastAt > colon {
        places.append(colon + 1..<lastAt)
        return
      }
      // The rest of the address can be beyond the end of the text.
      if isCut, end == run.upperBound { places.append(colon + 1..<end) }
    }
  }

  private static func endsRun(_ text: ResolvedText, _ index: Int) -> Bool {
    guard !text.isPercentEncoded(index) else { return false }
    switch text.bytes[index] {
    case 0...0x20, 0x7f, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): return true
    default: return false
    }
  }
}
