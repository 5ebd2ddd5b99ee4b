import Foundation
import Testing

@Suite("docs/commands.md")
struct CommandReferenceTests {
  private static let page = SampleNight.folder.deletingLastPathComponent()
    .appending(path: "docs/commands.md")

  @Test("the page has a section for each command, with the options that the program has")
  func options() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let shared = Self.options(in: "Options of every command", of: page)
    #expect(shared.count > 3)
    let commands = try ProgramHelp.commands()
    #expect(commands.count > 10)
    for command in commands {
      #expect(page.contains("\n## tieout \(command.commandName)\n"), "\(command.commandName)")
      let own = Self.options(in: "tieout \(command.commandName)", of: page)
      // Some commands use no database.
      let documented = command.options.contains("database") ? shared + own : own
      #expect(documented.sorted() == command.options.sorted(), "\(command.commandName)")
    }
    let sections = page.split(separator: "\n").filter { $0.hasPrefix("## tieout ") }
    #expect(sections.count == commands.count)
  }

  /// The options in the first column of a section's table.
  private static func options(in section: String, of page: String) -> [String] {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != "## \(section)" }.dropFirst().prefix { !$0.hasPrefix("## ") }
      .compactMap { $0.firstMatch(of: /^\| `--([a-z-]+)/).map { String($0.output.1) } }
  }
}
