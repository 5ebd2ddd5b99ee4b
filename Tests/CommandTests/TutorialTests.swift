import Foundation
import TestNeeds
import Testing

/// The commands of docs/tutorial.md, and the output that the page shows for them.
private struct Transcript {
  /// One command, with the lines that the page shows below it.
  struct Entry {
    var command: String
    var shown: [Substring] = []
  }

  /// The commands in the order of the page.
  private(set) var entries: [Entry] = []

  /// Reads the blocks marked `console`.
  ///
  /// A line after `$ ` is a command, with its here-document if it has one. The lines after a
  /// command are its output.
  init(_ page: String) {
    var isInside = false
    var isInDocument = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, isInDocument {
        entries[entries.count - 1].command += "\n\(line)"
        isInDocument = line != "EOF"
      } else if isInside, line.hasPrefix("$ ") {
        entries.append(Entry(command: String(line.dropFirst(2))))
        isInDocument = line.contains("<<'EOF'")
      } else if isInside, !entries.isEmpty {
        entries[entries.count - 1].shown.append(line)
      }
    }
  }
}

@Suite("The tutorial") struct TutorialTests {
  private static let page = SampleNight.folder.deletingLastPathComponent()
    .appending(path: "docs/tutorial.md")

  @Test("each command of the tutorial, run in order, prints the output that the page shows")
  func typed() throws {
    let transcript = Transcript(try String(contentsOf: Self.page, encoding: .utf8))
    try #require(transcript.entries.count > 5)
    // The server's socket needs a short path that the server's user can reach. The test replaces
    // only the folder's name, so that several tests can run on one machine.
    let home = ShortPath.unused("tutorial")
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    defer { try? FileManager.default.removeItem(atPath: home) }
    #expect(transcript.entries.first?.command.hasPrefix("mkdir \(Self.folder) && cd ") == true)
    for entry in transcript.entries {
      let command = entry.command.replacing(Self.folder, with: "\(home)/tutorial")
      let output = try type(command, home: home)
      let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(Self.matches(lines, entry.shown), "$ \(entry.command)\n\(output)")
    }
  }

  /// The folder in which the page works.
  private static let folder = "/tmp/tieout-tutorial"

  /// The text on standard output and standard error of a command.
  ///
  /// `PATH` contains the program. A command has the folder and the variables that the command
  /// before it left, as in one shell.
  private func type(_ command: String, home: String) throws -> String {
    let program = URL(filePath: Program.path).deletingLastPathComponent().path
    let script = """
      exec 2>&1
      [ ! -e ~/.shell ] || . ~/.shell
      \(command)
      { printf 'cd %q\\n' "$PWD" && export -p; } >~/.shell
      """
    let said = try Program(
      running: ["env", "--chdir=\(home)", "bash", "-c", script],
      environment: [
        "PATH": "\(program):/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8", "USER": "reader",
      ]
    ).ended().output.replacing("\r\n", with: "\n")
      // The page shows a terminal, where the summary replaces the log's line about the run.
      .replacing(/[-0-9T:]+Z (notice|warning): tieout [^\n]*\n/, with: "")
    return said.hasSuffix("\n") ? String(said.dropLast()) : said
  }

  /// Whether the lines match the lines that the page shows.
  ///
  /// `…` stands for any text in a line. A line with only `…` stands for any number of lines.
  private static func matches(_ lines: [Substring], _ shown: [Substring]) -> Bool {
    guard let first = shown.first else {
      return lines.allSatisfy(\.isEmpty)
    }
    if first == "…" {
      return (0...lines.count).contains {
        matches(Array(lines.dropFirst($0)), Array(shown.dropFirst()))
      }
    }
    guard let line = lines.first, fits(line, first) else {
      return false
    }
    return matches(Array(lines.dropFirst()), Array(shown.dropFirst()))
  }

  private static func fits(_ line: Substring, _ shown: Substring) -> Bool {
    let parts = shown.split(separator: "…", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return line == shown }
    guard line.hasPrefix(parts[0]), let last = parts.last, line.hasSuffix(last) else {
      return false
    }
    var rest = line.dropFirst(parts[0].count)
    for part in parts.dropFirst() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
