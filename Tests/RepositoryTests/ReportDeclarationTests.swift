import ReconciliationSQL
import Reports
import Rules
import Testing

@Suite("A report's file declares what the program has to know about the report")
struct ReportDeclarationTests {
  @Test("the kind is that of the data dictionary", arguments: Report.all)
  func kind(_ report: Report) throws {
    let dictionary = try Repository.text("reports/README.md")
    let line = try #require(
      dictionary.split(separator: "\n").first { $0.hasPrefix("| [`\(report.fileName)`](") })
    let kind = line.split(separator: "|")[1]
    #expect(kind == (report.isStatement ? " statement " : " night paper "))
  }

  @Test("each statement makes an edition, has a sheet and has columns that identify its rows")
  func statements() {
    let statements = Report.all.filter(\.isStatement)
    #expect(statements.count == 10)
    #expect(Array(Report.all.prefix(statements.count)) == statements)
    for report in statements {
      #expect(report.makesEdition && report.hasSheet, "\(report)")
      #expect(report.identity?.isEmpty == false, "\(report)")
    }
    #expect(Report.all.allSatisfy { ($0.identity != nil) == $0.isStatement })
  }

  @Test("the columns that a report declares are those of its query", arguments: Report.all)
  func columns(_ report: Report) {
    let columns = Set(ReportHabitTests.columns(of: report.query.text))
    let identity = report.identity ?? []
    #expect(columns.isSuperset(of: identity))
    #expect(columns.isSuperset(of: report.columnsOfAsOf))
    // Such a column is compared in part, so it is one of those that identify a row.
    for column in [report.columnOfMonth, report.columnOfPendingEnd] {
      #expect(column.map { identity.contains($0) } != false)
    }
    #expect(report.columnOfPendingEnd == nil || columns.contains("state"))
  }

  @Test("the rule whose findings a report shows is one of the rules", arguments: Report.all)
  func rule(_ report: Report) {
    #expect(report.rule.map { rule in Rule.all.contains { $0.name == rule } } != false)
  }

  @Test(
    "a header without one of its lines, or with a line twice, declares nothing",
    arguments: Report.all)
  func incomplete(_ report: Report) throws {
    let lines = report.query.text.split(separator: "\n", omittingEmptySubsequences: false)
    let words = ["Kind", "Edition", "Sheet", "Rule"]
    for word in report.isStatement ? words + ["Identity", "As-of"] : words {
      let place = try #require(lines.firstIndex { $0.hasPrefix("-- \(word) ") }, "\(word)")
      for count in [0, 2] {
        var changed = lines
        changed.replaceSubrange(
          place...place, with: Array(repeating: lines[place], count: count))
        let file = SQLFile(report.query.name, changed.joined(separator: "\n"))
        #expect(Report(file) == nil, "\(word)")
      }
    }
    #expect(Report(report.query) == report)
  }

  @Test(
    "a header with an unknown value declares nothing",
    arguments: [
      ("Kind      statement", "Kind      paper"), ("Edition   yes", "Edition   perhaps"),
      ("with totals", "with sums"), ("(except its month)", "(except its year)"),
    ])
  func unknown(_ known: String, _ unknown: String) throws {
    let report = try #require(Report.all.first { $0.query.text.contains(known) })
    let file = SQLFile(report.query.name, report.query.text.replacing(known, with: unknown))
    #expect(Report(file) == nil)
  }
}
