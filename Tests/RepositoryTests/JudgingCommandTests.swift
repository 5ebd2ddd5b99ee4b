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
    let command = #/"\s*(select|insert|update|delete|create|alter|drop|analyze|set) /#
    for file in files {
      let text = try Repository.text(file)
      #expect(!text.contains(#/\.(run|copyIn|copyCSV)\(\s*"/#), "\(file)")
      #expect(text.contains(command) == file.hasSuffix("/JudgingCommand.swift"), "\(file)")
    }
  }

  /// Named columns get the right values, whatever the order of columns in a table or a query.
  @Test("each SQL statement names the columns that it fills")
  func namedColumns() throws {
    let filling = #/insert into ([a-z_.{}]+)\s+(select|values|with)/#
    let copying = #/copy [a-z_.\\()]+ from stdin/#
    #expect("insert into kept select 1".contains(filling))
    #expect("copy kept from stdin".contains(copying))
    let files =
      try Repository.files(below: "Sources", ending: ".swift")
      + Repository.files(below: "sql", ending: ".sql")
    for file in files where !file.contains("sql/schema/") {
      let text = try Repository.text(file)
      for filled in text.matches(of: filling) {
        Issue.record("\(file): insert into \(filled.1) names no columns")
      }
      for copied in text.matches(of: copying) {
        Issue.record("\(file): \(copied.0) names no columns")
      }
    }
  }
}
