import Foundation
import ReconciliationTestSupport
import Testing

@Suite("tieout close, approve, periods, reopen-period and journal") struct ClosingCommandTests {
  private func ask(
    _ command: CommandNight, _ words: String..., singleSigner: Bool = true
  ) throws -> Program.Ended {
    var words = words + ["--database", command.night.database.connectionString]
    if ["close", "approve", "reopen-period"].contains(words[0]) {
      words += ["--reports", command.night.reports.path]
    }
    return try command.start(
      words, environment: ["TIEOUT_SINGLE_SIGNER": "\(singleSigner)"]
    ).ended()
  }

  @Test("a month is closed, approved and reopened, and each step says what it did")
  func month() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency
      102            | book.emma  | 2026-10-18 10:00 | 1.99  | USD
      """)
    try #require(try command.run().status == 0)
    #expect(try ask(command, "periods").output == "No period was closed yet.\n")
    // Not over yet, no month, and not closed.
    #expect(try ask(command, "close", "2026-11").status == 64)
    #expect(try ask(command, "close", "2026-13").status == 64)
    #expect(try ask(command, "approve", "2026-10").status == 64)
    // What was refused leaves no folder.
    let folder = command.night.reports.appending(path: "closed").path
    #expect(!FileManager.default.fileExists(atPath: folder))

    // A command was killed while it wrote the calendar.
    try Data().write(to: command.night.reports.appending(path: ".index.html.being-written"))
    let closed = try ask(command, "close", "2026-10")
    #expect(closed.status == 0, "\(closed.errors)")
    #expect(closed.output.contains("tieout approve 2026-10"))
    let lines = closed.output.split(separator: "\n").map {
      $0.split(whereSeparator: \.isWhitespace)
    }
    #expect(
      lines.contains([
        "entry", "currency", "price_source", "units_sold", "gross", "units_refunded", "refunds",
        "net",
      ]))
    #expect(
      lines.contains(["own", "USD", "receipt", "1", "1.99", "0", "0.00", "1.99"]),
      "\(closed.output)")
    let repeated = try ask(command, "close", "2026-10")
    #expect(repeated.status == 64)
    #expect(
      repeated.errors.hasSuffix(": tieout reopen-period 2026-10 --because TEXT\n"),
      "\(repeated.errors)")

    // The person who closed it may not approve it, and nobody a pack that has changed.
    #expect(try ask(command, "approve", "2026-10", singleSigner: false).status == 64)
    let pack = command.night.reports.appending(path: "closed/2026-10/period.csv")
    let bytes = try Data(contentsOf: pack)
    try (bytes + [0x20]).write(to: pack)
    #expect(try ask(command, "approve", "2026-10").status == 73)
    try bytes.write(to: pack)
    let approved = try ask(command, "approve", "2026-10")
    #expect(approved.status == 0, "\(approved.errors)")
    #expect(approved.output.contains("single_signer"))
    let again = try ask(command, "approve", "2026-10")
    #expect(again.status == 0 && again.output.hasPrefix("2026-10 is approved already, since "))
    #expect(again.output.contains("It has not changed since then. Nothing was done."))
    #expect(try ask(command, "periods").output.contains(" certified "))

    // The withdrawal of a file says that a closed period contains its records.
    let receipts = try FileManager.default.contentsOfDirectory(
      atPath: command.night.inbox.appending(path: "receipts").path
    ).sorted()
    let file = "receipts/\(try #require(receipts.last))"
    func withdraw(_ words: String...) throws -> String {
      let places = [
        "--database", command.night.database.connectionString, "--inbox", command.night.inbox.path,
      ]
      return try command.start(["withdraw", file] + words + places).ended().output
    }
    let withdrawn = try withdraw("--because", "a test")
    #expect(withdrawn.contains("count in closed periods: 2026-10 (certified)."), "\(withdrawn)")
    #expect(withdrawn.contains("restatement.csv"))
    let undone = try withdraw("--undo")
    #expect(!undone.contains("closed period"), "\(undone)")

    #expect(try ask(command, "reopen-period", "2026-10").status == 64)
    let reopened = try ask(command, "reopen-period", "2026-10", "--because", "a test")
    #expect(reopened.output == "2026-10 is open again.\n")
    #expect(try ask(command, "reopen-period", "2026-10", "--because", "a test").status == 64)
    let periods = try ask(command, "periods").output
    #expect(periods.contains(" reopened ") && periods.contains("reopened_because"), "\(periods)")
    #expect(periods.split(separator: "\n").last?.hasSuffix("  a test") == true, "\(periods)")
    let closedAgain = try ask(command, "close", "2026-10").output
    #expect(closedAgain.contains(": “a test”.\nDifference from that pack, closed/2026-10, "))
    try #require(try ask(command, "reopen-period", "2026-10", "--because", "a test").status == 0)

    let journal = try ask(command, "journal", "--last", "2").output.split(separator: "\n")
    #expect(journal.count == 3)
    #expect(journal.dropFirst().first?.contains(" close ") == true)
    #expect(journal.last?.contains(" reopen-period ") == true)
    #expect(try ask(command, "journal", "--last", "0").status == 64)
  }

  @Test("the totals of a closing have the column of upgrades if there are any")
  func upgrades() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | cancelled_at     | upgraded
      102            | book.emma  | 2026-10-18 10:00 | 1.99  | USD      | 2026-10-20 10:00 | yes
      """)
    try #require(try command.run().status == 0)
    let closed = try ask(command, "close", "2026-10").output
    let lines = closed.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
    #expect(
      lines.contains([
        "entry", "currency", "price_source", "units_sold", "gross", "units_refunded", "refunds",
        "net", "units_upgraded",
      ]), "\(closed)")
    #expect(
      lines.contains(["own", "USD", "receipt", "1", "1.99", "0", "0.00", "1.99", "1"]),
      "\(closed)")
  }
}
