import DamageTestSupport
import Oracle

/// The settings of a history, as environment variables.
///
/// They change during the history.
struct HistorySettings {
  private(set) var environment: [String: String] = [:]

  /// The settings that exclude input.
  ///
  /// Excluded input is read when they change back.
  private static let ofReading = ["TIEOUT_BUNDLE_IDS", "TIEOUT_DOCUMENT_LIMIT"]

  /// Changes some settings.
  ///
  /// - Returns: The change, as readable text.
  mutating func change(_ random: inout Dice) -> String {
    let values: [(String, [String?])] = [
      ("TIEOUT_GRACE_HOURS", ["0", "24", "48"]),
      ("TIEOUT_RESTORES_ALLOWED", ["0", "1", "2"]),
      ("TIEOUT_RESTORE_WINDOW", ["0", "7d", "30d"]),
      ("TIEOUT_ACCOUNTS_ALLOWED", ["1", "2"]),
      ("TIEOUT_ENVIRONMENTS", ["Production", "Sandbox", "Production,Sandbox"]),
      ("TIEOUT_ASSUME_STOREFRONT", [nil, "USA", "JPN"]),
      ("TIEOUT_TIME_ZONE", ["UTC", "Pacific/Auckland", "America/New_York"]),
      ("TIEOUT_TRUST", ["signed", "apple_response"]),
      ("TIEOUT_LOAD_CONNECTIONS", ["1", "3"]),
      ("TIEOUT_BUNDLE_IDS", [nil, "com.example.other"]),
      ("TIEOUT_DOCUMENT_LIMIT", [nil, "1kB"]),
    ]
    var words: [String] = []
    for (name, choices) in values.shuffled(using: &random).prefix(random.number(1...3)) {
      let value = choices.randomElement(using: &random) ?? nil
      environment[name] = value
      words.append("\(name)=\(value ?? "")")
    }
    return words.joined(separator: " ")
  }

  /// Removes the settings that exclude input.
  mutating func admitAll() {
    for name in Self.ofReading { environment[name] = nil }
  }
}
