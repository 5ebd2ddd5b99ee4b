import Foundation
import Intake
import Reports
import ReconciliationSQL
import Testing

@Suite("Every column and every reason is documented")
struct ReportHabitTests {
  private static func dictionary() throws -> MarkdownText {
    MarkdownText(try Repository.text("reports/README.md"))
  }

  @Test("the data dictionary lists the columns of a report in their order", arguments: Report.all)
  func columns(_ report: Report) throws {
    let columns = Self.columns(of: report.query.text)
    #expect(columns.count >= 3)
    #expect(try Self.dictionary().section(report.fileName).names(inTableOf: "column") == columns)
  }

  @Test("the data dictionary has a section for each report, and no other")
  func sections() throws {
    let files = try Self.dictionary().headings(level: 2).filter { $0.hasSuffix(".csv") }
    #expect(files == Report.all.map(\.fileName))
  }

  @Test("every reason for a rejection is documented, and no other")
  func rejectionReasons() throws {
    let documented = try Self.dictionary().section("rejected_records.csv")
      .names(inTableOf: "`reason`")
    #expect(documented == RejectionReason.allCases.map(\.rawValue))
  }

  /// The names of a query's columns, from the last select list that is not indented.
  static func columns(of query: String) -> [String] {
    let lines = query.split(separator: "\n").map(String.init)
    guard let start = lines.lastIndex(where: { $0.hasPrefix("select") }) else { return [] }
    let list = lines[start...].prefix { !$0.hasPrefix("from ") }.joined(separator: " ")
    return parts(of: list.dropFirst("select".count)).map { part in
      let words = part.split(whereSeparator: { $0 == " " || $0 == "." })
      return words.last.map(String.init) ?? ""
    }
  }

  /// The parts between commas, without commas inside parentheses.
  private static func parts(of list: Substring) -> [String] {
    var parts = [""]
    var depth = 0
    for character in list {
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      if character == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
