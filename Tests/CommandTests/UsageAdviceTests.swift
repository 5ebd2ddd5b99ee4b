import Foundation
import Testing

@Suite("Advice about arguments that cannot be used") struct UsageAdviceTests {
  @Test(
    "the message says what to write instead",
    arguments: [
      (
        ["explain", "book.walden", "unknown"],
        "'unknown'. Put an ID with spaces into quotes: tieout explain \"book.walden unknown\"\n"
      ),
      (
        ["explain", "2026-10", "book", "USD", "--json"],
        "Put an ID with spaces into quotes: tieout explain \"2026-10 book USD\"\n"
      ),
      (["explain", "disk", "at $HOME"], "'at $HOME'. Put an ID with spaces into quotes.\n"),
      (
        ["explain", "--", "-p", "--as", "product"],
        "'product'. Put options before --, and -- before an ID that begins with a hyphen.\n"
      ),
      (["refresh-receipts", "--limit", "-1"], "--limit: -1 is not allowed. Give a number "),
      (["run", "--max-rejected", "-1"], "--max-rejected: -1 is not allowed. Give a number "),
      (["findings", "--older-than", "-2"], "--older-than: -2 is not allowed. Give a number "),
      (["findings", "--rule", "a,b"], "no rule a,b. Give the option once for each value. The "),
      (["findings", "--level", "error,warning"], ". Give the option once for each value.\n"),
      (
        ["diff", "a", "b", "--statement", "revenue,months"],
        "no statement revenue,months. Give the option once for each value. The statements are "
      ),
      (["psql", "-c", "select 1"], "Unknown option '-c'. Options of psql come after --: tieout "),
      (["psql", "select 1"], ". Options of psql come after --: tieout psql -- -c 'table run'\n"),
      (["fndings"], "tieout has no command “fndings”. Did you mean tieout findings?\n"),
      (["period"], "tieout has no command “period”. Did you mean tieout periods?\n"),
      (["bogus", "--quiet"], "tieout has no command “bogus”. The commands are run, check, "),
      (["cluster", "bogus"], "tieout cluster has no command “bogus”. The commands are status, "),
    ])
  func advice(words: [String], said: String) throws {
    let ended = try refused(words)
    #expect(ended.errors.contains(said), "\(ended.errors)")
  }

  @Test(
    "other messages stay as they are",
    arguments: [
      (["run", "tonight"], "Error: Unexpected argument 'tonight'\n"),
      (["findings", "--limit"], "Error: Missing value for '--limit <n>'\n"),
      (["findings", "--limit", "--json"], "Error: Missing value for '--limit <n>'\n"),
      (["findings", "--rule", "lost"], "Error: There is no rule lost. The rules are "),
      (
        ["psql", "--databse", "x"],
        "Error: Unknown option '--databse'. Did you mean '--database'?\n"
      ),
    ])
  func unchanged(words: [String], said: String) throws {
    let ended = try refused(words)
    #expect(ended.errors.hasPrefix(said), "\(ended.errors)")
  }

  private func refused(_ words: [String]) throws -> Program.Ended {
    let ended = try Program(words, environment: ["PATH": "/usr/bin:/bin"], in: "/tmp").ended()
    #expect(ended.status == 64)
    #expect(ended.output == "")
    #expect(ended.errors.contains("\nUsage: tieout"), "\(ended.errors)")
    return ended
  }
}
