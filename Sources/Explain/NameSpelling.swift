import Foundation

/// The spellings in which a name is looked up.
enum NameSpelling {
  /// The name without spaces around it, without the apostrophe that reports put in front of a name
  /// that a spreadsheet would take for a formula, and without both.
  ///
  /// Spellings that are equal to the name are left out.
  static func others(of name: String) -> [String] {
    let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
    var spellings: [String] = []
    for spelling in [trimmed, plain(name), plain(trimmed)].compactMap({ $0 })
    where !spelling.isEmpty && spelling != name && !spellings.contains(spelling) {
      spellings.append(spelling)
    }
    return spellings
  }

  /// The characters in front of which reports put an apostrophe (csv_text).
  private static let formula: Set<Character> = ["=", "+", "-", "@", "\t", "\r", "\n"]

  private static func plain(_ name: String) -> String? {
    guard name.first == "'", let second = name.dropFirst().first, formula.contains(second) else {
      return nil
    }
    return String(name.dropFirst())
  }
}
