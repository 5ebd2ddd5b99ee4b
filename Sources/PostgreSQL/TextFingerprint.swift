/// A short number that identifies texts, the same on every machine.
package enum TextFingerprint {
  /// The number in hexadecimal digits (FNV-1a of 64 bits).
  ///
  /// It does not resist forgery.
  package static func of(_ texts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return String(hash, radix: 16)
  }
}
