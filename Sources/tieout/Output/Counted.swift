import Page

/// A number with the noun that it counts.
enum Counted {
  /// The number and the noun, for instance "1 piece of evidence" or "2,000 pieces of evidence".
  static func text(_ count: some BinaryInteger, _ plural: String) -> String {
    "\(Figure.grouped(count)) \(count == 1 ? singular(plural) : plural)"
  }

  /// The singular of a noun that can have an adjective in front and "of" behind it.
  private static func singular(_ plural: String) -> String {
    var words = plural.split(separator: " ").map { String($0) }
    let noun = (words.firstIndex(of: "of") ?? words.count) - 1
    guard words.indices.contains(noun) else { return plural }
    if words[noun].hasSuffix("ies") {
      words[noun] = String(words[noun].dropLast(3)) + "y"
    } else if words[noun].hasSuffix("s") {
      words[noun].removeLast()
    }
    return words.joined(separator: " ")
  }
}
