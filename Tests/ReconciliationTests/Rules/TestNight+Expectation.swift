import Configuration
import ReconciliationTestSupport
import Testing

extension TestNight {
  /// A night whose books begin long before any drawn row.
  static func withOpenBooks() throws -> TestNight {
    let night = try TestNight()
    night.settings.booksBegin = "2020-01-01T00:00:00Z"
    return night
  }

  /// A night that follows a night without any data, as of 2026-11-20 03:00.
  static func afterEmptyNight() throws -> TestNight { try TestNight(copyOf: empty.get()) }

  /// No test connects to its database.
  nonisolated(unsafe) private static let empty: Result<TestNight, any Error> = Result {
    let night = try TestNight()
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  /// Expects what a rule found, in the drawn columns.
  ///
  /// A header alone expects no finding.
  func expect(
    _ rule: String, finds expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let drawn = DrawnTable(expected)
    let found = try findings(of: rule, columns: drawn.header)
    #expect(
      found == drawn.text, "\(rule) found:\n\(found)", sourceLocation: sourceLocation)
  }

  /// Expects all rows of a report, in the drawn columns.
  func expect(
    report name: String, shows expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let drawn = DrawnTable(expected)
    let shown = try table(name).columns(drawn.header).text
    #expect(shown == drawn.text, "\(name) shows:\n\(shown)", sourceLocation: sourceLocation)
  }

  /// Expects the result of a query on the newest night.
  func expect(
    query: String, gives expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let given = try database.draw(query)
    #expect(
      given == DrawnTable(expected).text, "the query gives:\n\(given)",
      sourceLocation: sourceLocation)
  }
}
