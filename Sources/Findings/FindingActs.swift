package import Configuration
import PostgreSQL
import ReconciliationSQL
import Runs

/// The actions on findings: acknowledge open findings, and reopen acknowledged ones.
///
/// They do not take the lock of a run. Each finding is locked in a transaction of its own, and then
/// its acknowledgement. So an action and a night cannot block each other in a deadlock.
package struct FindingActs {
  /// One finding that was acknowledged or reopened.
  package struct Done: Sendable, Equatable {
    /// The finding's name.
    package let name: String
    /// The rule that found it.
    package let rule: String
    /// The finding's subject.
    package let subject: String
  }

  private let settings: Settings
  private let database: Connection
  private let person: String

  /// Connects to the database.
  ///
  /// - Parameters:
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  ///   - person: The person who acts; nil: the effective user, after `sudo` root.
  /// - Throws: ``ReconciliationError`` with `unknown` if the person has no name; `PostgreSQLError`.
  package init(settings: Settings, database: String, person: String? = nil) throws {
    self.settings = settings
    self.person = try GivenText.checked(person ?? Host.userName, of: "--by")
    self.database = try Connection.toLedger(database, as: "tieout acknowledge")
  }

  /// Acknowledges open findings, and replaces their earlier acknowledgements.
  ///
  /// - Parameters:
  ///   - names: Names of findings, or their beginnings with at least four digits.
  ///   - until: The last day on which the acknowledgement holds, as YYYY-MM-DD in the configured
  ///     time zone; nil: until the finding resolves.
  /// - Throws: ``ReconciliationError`` with `unknown`; nothing has changed then, unless a finding
  ///   resolved at the same moment; with `locked` if a run is changing one of the findings. Those
  ///   before it in `names` are changed then, and the message names them.
  package func acknowledge(_ names: [String], because: String, until: String?) throws -> [Done] {
    let because = try GivenText.checked(because, of: "--because")
    if let until { try requireNotPassed(until) }
    let findings = try self.findings(names)
    for finding in findings where finding.status == "resolved" {
      throw Self.resolved(finding)
    }
    for (place, finding) in findings.enumerated() {
      try locking(finding, done: findings[..<place]) {
        let changed = try database.run(
          SQLFile.findingsStatus, [finding.findingID, "acknowledged"])
        guard let level = changed.first else { throw Self.resolved(finding) }
        try end(finding, because: "replaced", note: nil)
        try database.run(
          SQLFile.findingsAcknowledgement,
          [finding.findingID, finding.name, level, because, until, person, Host.systemUser])
      }
    }
    return findings.map(Done.init)
  }

  /// Opens acknowledged findings again.
  ///
  /// - Parameter note: The reason; nil: no reason is recorded.
  /// - Throws: The same errors as ``acknowledge(_:because:until:)``.
  package func reopen(_ names: [String], note: String? = nil) throws -> [Done] {
    let note = try note.map { try GivenText.checked($0, of: "--because") }
    let findings = try self.findings(names)
    for finding in findings where finding.status != "acknowledged" {
      throw Self.notAcknowledged(finding)
    }
    for (place, finding) in findings.enumerated() {
      try locking(finding, done: findings[..<place]) {
        let changed = try database.run(SQLFile.findingsStatus, [finding.findingID, "reopened"])
        guard changed.first != nil else { throw Self.notAcknowledged(finding) }
        try end(finding, because: "reopened", note: note)
      }
    }
    return findings.map(Done.init)
  }

  /// The findings by their names, each once.
  private func findings(_ names: [String]) throws -> [KnownFinding] {
    var findings: [KnownFinding] = []
    for name in names {
      let finding = try KnownFinding.named(name, in: database)
      if !findings.contains(finding) { findings.append(finding) }
    }
    return findings
  }

  private func end(_ finding: KnownFinding, because: String, note: String?) throws {
    try database.run(
      SQLFile.findingsEnd, [finding.findingID, because, person, note, Host.systemUser])
  }

  /// Runs `body`, which changes a finding, in its own transaction.
  ///
  /// - Parameter done: The findings that this command has changed already.
  private func locking(
    _ finding: KnownFinding, done: ArraySlice<KnownFinding>, _ body: () throws -> Void
  ) throws {
    do {
      try database.inTransaction {
        try database.run(LockHolders.limitForFinding, step: "begin")
        try body()
      }
    } catch let error as PostgreSQLError where error.sqlState == LockHolders.timedOut {
      let before =
        done.isEmpty ? "" : " Changed already: \(done.map(\.name).joined(separator: ", "))."
      throw ReconciliationError(
        .locked,
        """
        A run is changing \(finding.name).\(before) Try again when it has finished; tieout runs shows it.
        """)
    }
  }

  /// Throws unless the text is a day that has not passed.
  private func requireNotPassed(_ until: String) throws {
    let wrong = ReconciliationError(
      .unknown, "--until: \(until) is not a day. Write it as 2026-12-31.")
    guard until.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else { throw wrong }
    let rows: Rows
    do {
      rows = try database.run(SQLFile.findingsPassed, [until, settings.timeZone])
    } catch {
      guard error.sqlState == "22008" else { throw error }
      throw wrong
    }
    guard try !rows.isTrue else {
      throw ReconciliationError(
        .unknown, "--until: \(until) has passed. Give a later day, or leave the option out.")
    }
  }

  private static func resolved(_ finding: KnownFinding) -> ReconciliationError {
    ReconciliationError(
      .unknown,
      """
      \(finding.name) (\(finding.rule) \(finding.subject)) is resolved and cannot be acknowledged. \
      Leave it out; tieout findings lists those that can be.
      """)
  }

  private static func notAcknowledged(_ finding: KnownFinding) -> ReconciliationError {
    ReconciliationError(
      .unknown,
      """
      \(finding.name) (\(finding.rule) \(finding.subject)) is not acknowledged: its status is \(finding.status). \
      Leave it out; tieout findings --status acknowledged lists those that are.
      """)
  }
}

extension FindingActs.Done {
  fileprivate init(_ finding: KnownFinding) {
    self.init(name: finding.name, rule: finding.rule, subject: finding.subject)
  }
}
