import Configuration
import Foundation
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import SigningTestSupport
import Testing

/// The statements of a night, ready to be compared.
struct Statements: Equatable {
  static let names = [
    "missing_deliveries.csv", "invalid_product_ids.csv", "duplicate_restores.csv", "revenue.csv",
    "months.csv", "liabilities.csv", "proceeds.csv", "tie_out.csv", "findings.csv",
    "causes.csv",
  ]

  /// The bytes by file name.
  ///
  /// Blanked columns are empty.
  let texts: [String: String]
  /// The sections of the control totals that depend only on the data and as-of.
  let totals: [String: [Substring]]

  private static let sections = ["disposition", "obligation"]

  /// The statements of the oracle.
  ///
  /// By default the wording of `detail` is not compared.
  init(_ oracle: Oracle, blanking columns: Set<String> = ["detail"]) {
    self.init(ofOracle: oracle.reports(), blanking: columns)
  }

  /// The statements in the reports of the oracle.
  init(ofOracle reports: [String: String], blanking columns: Set<String> = ["detail"]) {
    texts = Self.blank(columns) { reports[$0] ?? "" }
    totals = Dictionary(
      uniqueKeysWithValues: Self.sections.map { section in
        (section, (reports[section] ?? "").split(whereSeparator: \.isNewline))
      })
  }

  /// The statements of a day, or of the newest published one.
  init(_ night: TestNight, blanking columns: Set<String>, day: String = "latest") throws {
    var reports: [String: String] = [:]
    for name in Self.names { reports[name] = try night.report(name, day: day) }
    texts = Self.blank(columns) { reports[$0] ?? "" }
    let table = try night.table("control_totals.csv", day: day)
    totals = Dictionary(
      uniqueKeysWithValues: Self.sections.map { section in
        (section, table.rows(where: "section", is: section).rows.map { "\($0[1]),\($0[2])"[...] })
      })
  }

  private static func blank(
    _ columns: Set<String>, of report: (String) -> String
  ) -> [String: String] {
    var texts: [String: String] = [:]
    for name in names {
      let text = report(name)
      let table = DrawnTable(csv: text)
      // Without a blanked column, the bytes are compared.
      guard !columns.isDisjoint(with: table.header) else {
        texts[name] = text
        continue
      }
      let rows = table.rows.map { row in
        zip(table.header, row).map { columns.contains($0) ? "" : $1 }
      }
      texts[name] = DrawnTable(header: table.header, rows: rows).text
    }
    return texts
  }

  /// Expects that both are equal, and shows the first lines that differ.
  func expectSame(
    as other: Statements, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for name in Self.names where texts[name] != other.texts[name] {
      let mine = lines(texts[name]), others = lines(other.texts[name])
      let onlyMine = mine.filter { !others.contains($0) }.prefix(4)
      let onlyOthers = others.filter { !mine.contains($0) }.prefix(4)
      Issue.record(
        """
        \(what): \(name) differs in \(mine.count) against \(others.count) lines; \(mine.first ?? "")
        only here:  \(onlyMine.joined(separator: "\n            "))
        only there: \(onlyOthers.joined(separator: "\n            "))
        """, sourceLocation: sourceLocation)
    }
    for section in Self.sections {
      let (mine, others) = (totals[section] ?? [], other.totals[section] ?? [])
      #expect(mine == others, "\(what): \(section)", sourceLocation: sourceLocation)
    }
  }

  private func lines(_ text: String?) -> [String] {
    (text ?? "").split(whereSeparator: \.isNewline).map(String.init)
  }
}

extension TestNight {
  /// Sets the settings of a random night.
  func apply(_ drawn: OracleSettings) {
    settings.environments = drawn.environments
    settings.booksBegin = drawn.booksBegin.map { Instant(seconds: $0).rfc3339 }
    settings.graceHours = drawn.graceHours
    settings.staleAfterHours = drawn.staleAfterHours
    settings.restoresAllowed = drawn.restoresAllowed
    settings.restoreWindowDays = drawn.restoreWindowDays
    settings.accountsAllowed = drawn.accountsAllowed
    settings.assumeStorefront = drawn.assumeStorefront
    settings.revenueSince = drawn.revenueSince
    settings.timeZone = drawn.timeZone
  }

  /// Runs a night on the input of a random night, written to `files` files of each kind.
  func run(_ input: NightInput, files: Int, seed: UInt64, gzip: Bool = false) throws {
    apply(input.settings)
    let authority = try trustTestAuthority()
    try input.write(to: inbox, files: files, seed: seed, gzip: gzip) {
      try authority.sign(payload: $0)
    }
    try noteAnswers(input.catalogueAnswers)
    try run(asOf: Instant(seconds: input.asOf).rfc3339)
  }

  /// Records the answers of catalogues, as the nights that got them have.
  private func noteAnswers(_ answers: [String: [Int]]) throws {
    guard !answers.isEmpty else { return }
    settings.catalogueURLs = answers.keys.sorted()
    let connection = try database.connect()
    for (address, times) in answers where !times.isEmpty {
      try connection.run(
        """
        insert into tieout.feed_day (feed, environment, day, first_at, last_at)
        select $1, '', (at at time zone 'UTC')::date, min(at), max(at)
        from unnest(string_to_array($2, ' ')) as answered (time)
        cross join to_timestamp(time::bigint) as at
        group by (at at time zone 'UTC')::date
        """, [address, times.map(String.init).joined(separator: " ")], step: "answers")
    }
  }
}
