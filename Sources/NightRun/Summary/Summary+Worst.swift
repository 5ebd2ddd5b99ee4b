import Page
import PostgreSQL
import Reports

extension Summary {
  /// The number of findings in ``worst``.
  static let shownWorst = 3

  /// Reads the worst open findings: by level, missing deliveries before others of their level.
  ///
  /// - Parameter runs: The runs whose new findings come before all others, if only new findings
  ///   make the exit status 1; otherwise empty.
  mutating func readWorst(from database: Connection, newIn runs: [String]) throws {
    let findings = try NightPage.Worst.read(from: database, newIn: runs)
    let ranked = findings.enumerated().map { place, finding in
      let level = Level.rank(of: finding.level)
      let age = finding.isNew ? 0 : 1
      return (key: (age, level, finding.rule == "missing_delivery" ? 0 : 1, place), finding)
    }
    worst = ranked.sorted { $0.key < $1.key }.prefix(Self.shownWorst).map { _, finding in finding }
  }
}
