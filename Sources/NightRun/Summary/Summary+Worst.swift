import Page
import PostgreSQL
import Reports

extension Summary {
  /// One of the worst findings.
  package struct Worst: Sendable, Equatable {
    /// The name of its rule.
    package let rule: String
    /// info, warning or error.
    package let level: String
    /// The finding's subject.
    package let subject: String
    /// One of the rule's reasons, if the rule has reasons.
    package let reason: String?
    /// The as-of day of the first run that found it, YYYY-MM-DD.
    package let firstFlaggedOn: String
    /// Whether it was resolved and is open again.
    package let isReopened: Bool
    /// A shell command that shows more about it.
    package let command: String
  }

  /// The number of findings in ``worst``.
  static let shownWorst = 3

  /// Reads the worst open findings: by level, missing deliveries before others of their level.
  ///
  /// - Parameter runs: The runs whose new findings come before all others, if only new findings
  ///   make the exit status 1; otherwise empty.
  mutating func readWorst(from database: Connection, newIn runs: [String]) throws {
    let findings = try NightPage.Worst.read(from: database, newIn: runs)
    let ranked = findings.enumerated().map { place, finding in
      let level = Level.place(finding.level)
      let age = finding.isNew ? 0 : 1
      return (key: (age, level, finding.rule == "missing_delivery" ? 0 : 1, place), finding)
    }
    worst = ranked.sorted { $0.key < $1.key }.prefix(Self.shownWorst).map { _, finding in
      Worst(
        rule: finding.rule, level: finding.level, subject: finding.subject,
        reason: finding.reason, firstFlaggedOn: finding.firstFlaggedOn,
        isReopened: finding.status == "reopened",
        command: NightPage.command(for: finding))
    }
  }
}
