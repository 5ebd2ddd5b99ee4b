public import LibCrypto

/// How names of accounts and devices are kept: as they came, hashed with a key, or, where somebody was
/// forgotten, as a token that says nothing.
///
/// The same name always gives the same text, so that whatever was joined by it still is. What is such a text
/// already stays as it is: files that the program itself has written hold them.
public struct Pseudonyms: Sendable {
  /// What names are hashed with; nil: they stay as they came.
  private let key: HMACKey?
  /// What digests are made with.
  private let salt: HMACKey
  /// The token that stands for a name, by the digest of the name.
  private let tokens: [[UInt8]: String]

  /// Names as they came.
  public static let none = Pseudonyms(key: nil, salt: HMACKey([]), tokens: [:])

  /// Prepares to give names.
  ///
  /// - Parameters:
  ///   - key: What names are hashed with; nil: they stay as they came.
  ///   - salt: What the digests of forgotten names are made with.
  ///   - tokens: What stands for forgotten names, by their digests.
  public init(key: HMACKey?, salt: HMACKey, tokens: [[UInt8]: String]) {
    self.key = key
    self.salt = salt
    self.tokens = tokens
  }

  /// Whether records that could not be used must not be kept, as nobody knows where in them a name stands.
  public var isHashing: Bool { key != nil }

  /// The digest of a name, as it is kept of one that is forgotten.
  public func digest(of name: String) -> [UInt8] { digest(of: Array(name.utf8)) }

  /// The text that is kept of a name that nobody asked to forget.
  public func hashed(_ name: String) -> String {
    String(decoding: hashed(Array(name.utf8)), as: UTF8.self)
  }

  /// The text that is kept of a name.
  public func text(for name: String) -> String {
    String(decoding: text(for: Array(name.utf8)), as: UTF8.self)
  }

  /// Whether every name stays as it came.
  @inline(__always)
  var changesNothing: Bool { key == nil && tokens.isEmpty }

  func text(for name: [UInt8]) -> [UInt8] {
    let kept = hashed(name)
    guard !tokens.isEmpty else { return kept }
    // A name can have been forgotten before names were hashed, or after.
    if let token = tokens[digest(of: name)] ?? tokens[digest(of: kept)] { return Array(token.utf8) }
    return kept
  }

  private func hashed(_ name: [UInt8]) -> [UInt8] {
    guard let key, !Self.isPseudonym(name) else { return name }
    return Self.text("h", key.code(for: name).prefix(Self.digits / 2))
  }

  private func digest(of name: [UInt8]) -> [UInt8] {
    salt.code(for: name)
  }

  /// The digits of a hash or token: 128 bits.
  private static let digits = 32

  /// A token that no name leads to.
  public static func freshToken() -> String {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<digits / 2).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return String(decoding: text("f", bytes), as: UTF8.self)
  }

  private static func text(_ kind: Character, _ bytes: some Sequence<UInt8>) -> [UInt8] {
    var text = Array("\(kind):".utf8)
    for byte in bytes {
      for digit in [byte >> 4, byte & 15] {
        text.append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
      }
    }
    return text
  }

  private static func isPseudonym(_ name: [UInt8]) -> Bool {
    name.count == digits + 2 && (name[0] == UInt8(ascii: "h") || name[0] == UInt8(ascii: "f"))
      && name[1] == UInt8(ascii: ":")
      && name[2...].allSatisfy { $0.isDigit || (0x61...0x66).contains($0) }
  }
}

extension RecordParser {
  /// The text that is kept of a person's or device's name, in memory that lasts as long as `texts` does.
  @inline(__always)
  func person(_ name: Bytes?, in file: FileContext, _ texts: TextArena) -> Bytes? {
    guard let name, !file.settings.pseudonyms.changesNothing else { return name }
    return texts.keep(file.settings.pseudonyms.text(for: Array(name)))
  }
}
