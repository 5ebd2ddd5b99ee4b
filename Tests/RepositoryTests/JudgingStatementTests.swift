import Testing

@Suite("The statements of judging")
struct JudgingStatementTests {
  /// A statement that stands elsewhere is no part of the fingerprint by which a night knows what another program
  /// carried forward.
  @Test("stand in one list: none is written where it runs")
  func noneBeside() throws {
    let files = try Repository.files(below: "Sources/Reconciliation/Judge", ending: ".swift")
    #expect(files.count > 6)
    for file in files {
      let text = try Repository.text(file)
      #expect(!text.contains(#/\.(run|copyIn|copyOut)\(\s*"/#), "\(file)")
      guard !file.hasSuffix("/JudgingStatement.swift") else { continue }
      #expect(
        !text.contains(#/"\s*(select|insert|update|delete|create|alter|drop|analyze|set) /#),
        "\(file)")
    }
  }

  /// A value reaches the column that is named, whatever the order of columns in a table or a query.
  @Test("name the columns that they fill")
  func namedColumns() throws {
    let files =
      try Repository.files(below: "Sources", ending: ".swift")
      + Repository.files(below: "sql", ending: ".sql")
    for file in files where !file.contains("sql/schema/") {
      let text = try Repository.text(file)
      for filled in text.matches(of: #/insert into ([a-z_.{}]+)\s+(select|values|with)/#) {
        Issue.record("\(file): insert into \(filled.1) names no columns")
      }
      for copied in text.matches(of: #/copy [a-z_.\\()]+ from stdin/#) {
        Issue.record("\(file): \(copied.0) names no columns")
      }
    }
  }
}
