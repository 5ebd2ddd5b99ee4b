import ReconciliationSQL

/// Everything that decides what a night carries forward, as text.
///
/// What was carried forward is of use only to the same program: a night that finds another fingerprint judges
/// everything.
enum JudgingProgram {
  /// A part of it: a file of sql/, a statement of the program, or what statements are filled in with.
  struct Part: Equatable, CustomStringConvertible {
    let name: String
    var text: String

    var description: String { name }
  }

  /// All parts, in an order of their own.
  static let parts: [Part] =
    // Tables and functions, and with them the schema's version.
    (SQLFile.schema
    + [.reachedStart, .reachedSeed, .reachedRound, .reachedLedger, .reachedSilentHour]
    + [.reachedSilence, .reachedNearMiss] + SQLFile.judge + [.judgeFound, .judgeCause]
    + SQLFile.carried + [.carriedClosest] + SQLFile.rules).map {
      Part(name: $0.name, text: $0.text)
    }
    + JudgingStatement.allCases.map { Part(name: "\($0)", text: $0.rawValue) }
    + (CarriedRelation.whole + CarriedRelation.found).map {
      Part(name: "keys of \($0.name)", text: "\($0.keys) \($0.sums)")
    }
    + Rule.all.map { Part(name: "reach of \($0.name)", text: "\($0.isOfPurchases)") }
    + [
      Part(name: "transaction settings", text: Schema.transactionSettings),
      Part(name: "judging settings", text: Schema.judgingSettings),
      Part(name: "settings of reading", text: "\(Judgement.settingsOfReading)"),
    ]

  /// What tells this program from another.
  static let fingerprint = fingerprint(of: parts)

  /// The fingerprint of a list of parts.
  ///
  /// It also changes if text moves from one part to the next.
  static func fingerprint(of parts: [Part]) -> String {
    Schema.fingerprint(parts.flatMap { [$0.name, $0.text].flatMap { ["\($0.utf8.count) ", $0] } })
  }
}
