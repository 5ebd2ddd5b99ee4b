package import LibCrypto

/// How names of accounts and devices are kept: unchanged, hashed with a key, or, if the name was
/// forgotten, as a token that reveals nothing.
///
/// The same name always gives the same text, so rows that were joined by the name are still joined.
/// A name that already is a hash or a token is not hashed again, because files that the program
/// itself wrote contain such texts.
public struct Pseudonyms: Sendable {
  /// The key of the hashes; nil if names are not hashed.
  private let key: HMACKey?
  /// The key of the digests.
  private let salt: HMACKey
  /// The tokens of forgotten names, by the digest of the name.
  private let tokens: [[UInt8]: String]

  /// Keeps all names unchanged.
  public static let none = Pseudonyms(key: nil, salt: HMACKey([]), tokens: [:])

  /// Hashes all names without a secret key, for output without hashes.
  package static let hashing = Pseudonyms(key: HMACKey([]), salt: HMACKey([]), tokens: [:])

  /// Makes pseudonyms.
  ///
  /// - Parameters:
  ///   - key: The key of the hashes; nil if names are not hashed.
  ///   - salt: The key of the digests of forgotten names.
  ///   - tokens: The tokens of forgotten names, by the digest of the name.
  package init(key: HMACKey?, salt: HMACKey, tokens: [[UInt8]: String]) {
    self.key = key
    self.salt = salt
    self.tokens = tokens
  }

  /// Whether unusable records must not be kept, because the place of a name in them is unknown.
  package var isHashing: Bool { key != nil }

  /// The digest that is kept of a forgotten name.
  package func digest(of name: String) -> [UInt8] { digest(of: Array(name.utf8)) }

  /// The text that is kept of a name if it is not forgotten.
  package func hashed(_ name: String) -> String {
    String(decoding: hashed(Array(name.utf8)), as: UTF8.self)
  }

  /// The text that is kept of a name.
  package func text(for name: String) -> String {
    String(decoding: text(for: Array(name.utf8)), as: UTF8.self)
  }

  /// Whether every name is kept unchanged.
  @inline(__always)
  var changesNothing: Bool { key == nil && tokens.isEmpty }

  func text(for name: [UInt8]) -> [UInt8] {
    let kept = hashed(name)
    guard !tokens.isEmpty else { return kept }
    // A name may have been forgotten before names were hashed, or after.
    if let token = tokens[digest(of: name)] ?? tokens[digest(of: kept)] { return Array(token.utf8) }
    return kept
  }

  private func hashed(_ name: [UInt8]) -> [UInt8] {
    guard let key, !Self.isPseudonym(name) else { return name }
    return Self.text("h", Array(key.code(for: name).prefix(Self.digits / 2)))
  }

  private func digest(of name: [UInt8]) -> [UInt8] {
    salt.code(for: name)
  }

  /// The number of hexadecimal digits of a hash or token: 128 bits.
  private static let digits = 32

  /// A new token, which cannot be derived from any name.
  package static func freshToken() -> String {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<digits / 2).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return String(decoding: text("f", bytes), as: UTF8.self)
  }

  private static func text(_ kind: Character, _ bytes: [UInt8]) -> [UInt8] {
    Array("\(kind):\(bytes.hexadecimal)".utf8)
  }

  private static func isPseudonym(_ name: [UInt8]) -> Bool {
    name.count == digits + 2 && (name[0] == UInt8(ascii: "h") || name[0] == UInt8(ascii: "f"))
      && name[1] == UInt8(ascii: ":")
      && name[2...].allSatisfy(\.isHexadecimal)
  }
}

extension RecordParser {
  /// The text that is kept of the name of an account or device, in memory that `texts` owns.
  @inline(__always)
  func person(_ name: Bytes?, in file: FileContext, _ texts: TextArena) -> Bytes? {
    guard let name, !file.settings.pseudonyms.changesNothing else { return name }
    return texts.keep(file.settings.pseudonyms.text(for: Array(name)))
  }
}
