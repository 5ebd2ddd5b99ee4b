/// How serious a finding is; the most severe level comes first.
package enum Level: String, Sendable, CaseIterable {
  case error, warning, info

  /// The rank of a level, by its name: 0 for the most severe.
  package static func rank(of name: String) -> Int {
    allCases.firstIndex { $0.rawValue == name } ?? allCases.count
  }

  /// Shows a level as a sign and a word, so that it does not depend on colour alone.
  static func values(_ name: String) -> [String: Any] {
    let sign =
      switch Level(rawValue: name) {
      case .error: "■"
      case .warning: "▲"
      case .info, nil: "○"
      }
    return ["name": name, "sign": sign]
  }

  /// A rule's name in parts.
  ///
  /// A line may break between them.
  static func parts(of rule: String) -> [String] {
    let words = rule.split(separator: "_").map(String.init)
    return words.dropLast().map { "\($0)_" } + words.suffix(1)
  }
}
