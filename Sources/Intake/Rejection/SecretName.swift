/// The names that secrets have: of members, columns, settings and fields of a form.
enum SecretName {
  /// The names without `_` and `-`, in lower case.
  ///
  /// A longer name can end with one: `DB_PASSWORD`.
  private static let endings = [
    "password", "passwd", "secret", "secretkey", "secretaccesskey", "apikey", "accesstoken",
    "privatekey",
  ].map { Array($0.utf8) }

  /// The names with which a record can also contain a shared secret in another field.
  private static let sharedSecrets = ["password", "sharedsecret"].map { Array($0.utf8) }

  /// The maximum number of letters of an ending, with separators and a number after it.
  private static let limit = 40

  /// Whether it is the name of a secret, without case, `_`, `-` and a number at its end.
  static func isSecret(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    has(oneOf: endings, name)
  }

  /// Whether it is the name of a shared secret or of a password.
  static func isSharedSecret(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    has(oneOf: sharedSecrets, name)
  }

  private static func has(
    oneOf endings: [[UInt8]], _ name: some BidirectionalCollection<UInt8>
  ) -> Bool {
    // Most words end with another letter.
    guard name.last.map({ $0.isDigit || "dtynDTYN_-".utf8.contains($0) }) == true else {
      return false
    }
    var letters: [UInt8] = []
    for byte in name.suffix(limit) where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") {
      letters.append((0x41...0x5a).contains(byte) ? byte | 0x20 : byte)
    }
    while letters.last?.isDigit == true { letters.removeLast() }
    return endings.contains { letters.suffix($0.count).elementsEqual($0) }
  }
}
