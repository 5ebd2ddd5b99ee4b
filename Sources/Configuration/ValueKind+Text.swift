extension ValueKind<String> {
  /// A folder; the path is absolute or relative to the working directory.
  static let folder = ValueKind.text("the path of a folder", read: { $0 })

  /// A libpq connection string; it may contain a password and is never shown.
  static let connection = ValueKind.text(
    "a libpq connection string, such as postgresql://user@host/database",
    read: { $0 })

  /// An App Store storefront.
  static let storefront = ValueKind.text(
    "three capital letters (ISO 3166 alpha-3), such as USA",
    read: { text throws(Complaint) in
      guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
        let capitals = text.uppercased()
        throw Complaint(
          problem: "\(quoted(text)) is not a storefront",
          suggestion: text != capitals && capitals.utf8.count == 3 ? capitals : nil)
      }
      return text
    })

  /// One of the given words.
  static func oneOf(_ words: [String]) -> ValueKind {
    .text(
      oneOfText(words), read: { text throws(Complaint) in try known(text, among: words) })
  }
}

extension ValueKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the words of an enumeration.
  static func oneOfCases() -> ValueKind {
    let words = Value.allCases.map(\.rawValue)
    return .text(
      oneOfText(words),
      read: { text throws(Complaint) in
        guard let value = Value(rawValue: try known(text, among: words)) else {
          throw Complaint(problem: "\(quoted(text)) is not known")
        }
        return value
      })
  }
}

extension ValueKind<Bool> {
  /// Yes or no.
  static let yesOrNo = ValueKind.text(
    "true or false",
    read: { text throws(Complaint) in
      switch text.lowercased() {
      case "true", "yes", "on", "1": return true
      case "false", "no", "off", "0": return false
      default: throw Complaint(problem: "\(quoted(text)) is neither true nor false")
      }
    })
}

private func oneOfText(_ words: [String]) -> String {
  words.dropLast().joined(separator: ", ") + " or " + words.suffix(1).joined()
}

/// The word, if it is known; otherwise the complaint names the word that was probably meant.
func known(_ text: String, among words: [String]) throws(Complaint) -> String {
  guard words.contains(text) else {
    throw Complaint(
      problem: "\(quoted(text)) is not known", suggestion: likelyName(for: text, among: words))
  }
  return text
}
