/// Finds private keys as PEM writes them (RFC 7468): the text between `-----BEGIN … PRIVATE
/// KEY-----` and `-----END`.
enum KeyBlockSecrets {
  /// The maximum length of the label of a block.
  private static let labelLimit = 60

  /// The places of the keys, as parts of the text; a block without an end is hidden to the end of
  /// the text.
  static func places(in text: ResolvedText) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var start: Int?
    var index = 0
    while let dash = text.bytes[index...].firstIndex(of: UInt8(ascii: "-")) {
      index = dash + 1
      if let begin = start {
        guard text.isThere("-----end", at: dash) else { continue }
        places.append(begin..<dash)
        start = nil
      } else if text.isThere("-----begin ", at: dash) {
        start = endOfLabel(text, dash + 11)
        index = start ?? index
      }
    }
    if let start { places.append(start..<text.count) }
    return places
  }

  /// The place after the label of a private key that begins at a place.
  private static func endOfLabel(_ text: ResolvedText, _ start: Int) -> Int? {
    for index in start..<min(text.count, start + labelLimit)
    where text.isThere("private key-----", at: index) {
      return index + 16
    }
    for index in start..<min(text.count, start + labelLimit)
    where text.isThere("private key block-----", at: index) {
      return index + 22
    }
    return nil
  }
}
