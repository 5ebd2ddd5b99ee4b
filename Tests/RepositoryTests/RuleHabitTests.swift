import Foundation
import Rules
import Testing

@Suite("Every rule is tested and documented")
struct RuleHabitTests {
  @Test("each rule has a test suite with its name", arguments: Rule.all)
  func suite(_ rule: Rule) throws {
    let camelName = rule.name.split(separator: "_").map(\.capitalized).joined()
    let suite = try Repository.text("Tests/ReconciliationTests/Rules/\(camelName)Tests.swift")
    #expect(suite.contains("@Suite(\"\(rule.name)\")"))
    #expect(suite.contains("\"\(rule.name)\","))
    #expect(suite.contains("@Test("))
  }

  @Test("the data dictionary has one line for each rule, in the order in which they are applied")
  func dictionary() throws {
    let page = MarkdownText(try Repository.text("reports/README.md"))
    #expect(page.section("findings.csv").names(inTableOf: "`rule`") == Rule.all.map(\.name))
  }

  @Test("docs/meaning.md has one line for each rule")
  func meaning() throws {
    let page = MarkdownText(try Repository.text("docs/meaning.md"))
    #expect(
      page.section("The rules").names(inTableOf: "rule").sorted() == Rule.all.map(\.name).sorted())
  }

  @Test("docs/findings.md says what each rule means and what to do", arguments: Rule.all)
  func findings(_ rule: Rule) throws {
    let page = MarkdownText(try Repository.text("docs/findings.md"))
    #expect(page.text.contains("\n| [`\(rule.name)`](#\(rule.name)) | "))
    #expect(page.headings(level: 3).contains(rule.name))
    let text = page.section(rule.name).text
    #expect(text.contains("**Means** "))
    #expect(text.contains("**First question** "))
    #expect(text.contains("**Remedy** ") || text.contains("**Usual cause and remedy**"))
  }
}
