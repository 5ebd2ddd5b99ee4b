import PostgreSQL
import Testing

@testable import Rules

@Suite("Rows that other Swift code carried forward are not used")
struct JudgingRevisionTests {
  @Test("a change of the code in Sources/Rules makes people think about the revision")
  func fingerprint() throws {
    let code = try Repository.files(below: "Sources/Rules", ending: ".swift").flatMap { path in
      try Repository.text(path).split(separator: "\n")
        .map { $0.drop { $0 == " " } }
        .filter { !$0.hasPrefix("//") }
        .flatMap { ["\(path) ", String($0)] }
    }
    let expected = (revision: 1, fingerprint: "130f5e4a92c332d2")
    #expect(
      JudgingProgram.revision == expected.revision
        && TextFingerprint.of(code) == expected.fingerprint,
      """
      The code in Sources/Rules has changed: it has the fingerprint \(TextFingerprint.of(code)). If a night could \
      now carry forward other rows of the same ledger, raise JudgingProgram.revision. Write both here.
      """)
  }
}
