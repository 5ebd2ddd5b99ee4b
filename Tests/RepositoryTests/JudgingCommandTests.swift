import Rules
import Testing

@Suite("The SQL commands of judging")
struct JudgingCommandTests {
  /// The fingerprint contains the files of sql/ and the commands of the list only.
  ///
  /// With it a night detects that another program carried results forward. An SQL command elsewhere
  /// would be missing in the fingerprint.
  @Test("all SQL commands are in one list; none is written in the code that runs it")
  func noneBeside() throws {
    let files = try Repository.files(below: "Sources/Rules", ending: ".swift")
    #expect(files.count > 6)
    for file in files {
      let text = try Repository.text(file)
      #expect(!text.contains(#/\.(run|copyIn|copyCSV)\(\s*"/#), "\(file)")
      guard !file.hasSuffix("/JudgingCommand.swift") else { continue }
      #expect(
        !text.contains(#/"\s*(select|insert|update|delete|create|alter|drop|analyze|set) /#),
        "\(file)")
    }
  }

  /// Named columns get the right values, whatever the order of columns in a table or a query.
  @Test("each SQL statement names the columns that it fills")
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
