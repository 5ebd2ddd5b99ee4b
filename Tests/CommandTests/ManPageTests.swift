import Foundation
import TestNeeds
import Testing

@Suite("The man page of the Debian package", .needs(.perl))
struct ManPageTests {
  private static let script = SampleNight.folder.deletingLastPathComponent()
    .appending(path: "packaging/debian/man-page").path

  @Test("it has a section for each command, with each option")
  func complete() throws {
    let page = try Self.page(of: try Self.help(["--experimental-dump-help"]))
    #expect(page.contains(".TH TIEOUT 1 \"2026-11-20\" \"tieout 1.2.3\""))
    let commands = try Self.help(["--help"]).split(separator: "\n")
      .drop { $0 != "SUBCOMMANDS:" }.compactMap { $0.firstMatch(of: #/^  ([a-z-]+) /#)?.output.1 }
    #expect(commands.count > 10)
    for command in commands.map(String.init) + ["cluster status", "cluster distribute"]
    where command != "cluster" {
      let section = try #require(
        page.split(separator: "\n.SS tieout \(command)\n", maxSplits: 1).dropFirst().first,
        "\(command)"
      ).components(separatedBy: "\n.SS ")[0]
      let options = try Self.help(command.split(separator: " ").map(String.init) + ["--help"])
        .matches(of: /\n  (?:-., )?--([a-z-]+)/).map { String($0.output.1) }
      for option in options where !["help", "version"].contains(option) {
        let name = option.replacing("-", with: "\\-")
        #expect(section.contains("\n.TP\n\\fB\\-\\-\(name)\\fR"), "\(command) --\(option)")
      }
    }
  }

  @Test("the crontab of the help writes a log, for every place of the program, in short lines")
  func crontab() throws {
    let lines = try Self.help(["--help"]).split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("A crontab ") }.drop { !$0.isEmpty }.dropFirst()
      .prefix { !$0.isEmpty }
    let variables = lines.compactMap { $0.wholeMatch(of: #/  ([A-Z_]+)=(\S+)/#)?.output }
    #expect(variables.map(\.1) == ["PATH", "TIEOUT_LOG_FILE"])
    // Without a package the program is in /usr/local/bin, which is not in cron's own PATH.
    #expect(variables.first?.2 == "/usr/local/bin:/usr/bin:/bin")
    #expect(lines.count == 3 && lines.last?.hasSuffix(" && tieout run --quiet") == true)
    let page = try Self.page(of: try Self.help(["--experimental-dump-help"]))
    #expect(!page.contains("/usr/local/bin/tieout"))
  }

  @Test("text that troff would read as its own is printed as it is")
  func protected() throws {
    let page = try Self.page(
      of: #"""
        {"command": {"commandName": "a", "abstract": "Does it.", "subcommands": [],
          "discussion": ".dot \\n\n'quote -x", "arguments": []}}
        """#)
    #expect(page.contains("\n\\&.dot \\en\n\\&'quote \\-x\n"))
  }

  private static func help(_ words: [String]) throws -> String {
    try Program(words, environment: ["PATH": "/usr/bin:/bin"], in: "/tmp").ended().output
  }

  private static func page(of help: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "help-\(UUID().uuidString)")
    try Data(help.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let perl = Process()
    perl.executableURL = URL(filePath: try #require(Tool.perl.path))
    perl.arguments = [script, "1.2.3", "2026-11-20"]
    perl.standardInput = try FileHandle(forReadingFrom: file)
    let said = Pipe()
    perl.standardOutput = said
    try perl.run()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    perl.waitUntilExit()
    #expect(perl.terminationStatus == 0)
    return text
  }
}
