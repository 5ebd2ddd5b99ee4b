/// What separates a name from the text around it.
package enum WholeWord {
  /// Whether a byte beside a name makes the name a part of a longer word: a letter or digit of
  /// ASCII.
  ///
  /// So `reader-101` is not found in `reader-1011`, and a number not in a hash.
  package static func isPart(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
  }
}
