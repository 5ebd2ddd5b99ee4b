import Foundation
import ReconciliationTestSupport
import Reports
import Glibc
import Testing

@Suite("The exit status of a completed night") struct DoneTests {
  @Test("a night ends with 0 when all input was used")
  func done() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let ended = try command.run("--fail-on", "info")
    #expect(ended.status == 0)
    #expect(ended.errors.contains("Z notice: tieout run as of 2026-11-20T03:00:00Z is done."))
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    #expect(ended.output.contains("0 open findings in 1 transaction."))
    #expect(ended.output.contains("Reports are in \(command.night.reports.path)/2026-11-20\n"))
  }

  @Test("a night ends with 0 when there is no input yet")
  func empty() throws {
    let command = try CommandNight()
    let ended = try command.run()
    #expect(ended.status == 0)
    #expect(ended.output.contains("There is no catalogue"))
    #expect(ended.output.contains("nothing is owed"))
  }

  @Test(
    "a night ends with 1 when a finding has at least the level of --fail-on",
    arguments: [
      // A restore without its purchase; a consumable that was restored; a product not for sale.
      ("info", "302 | 301 | book.emma", [1, 0, 0, 0]),
      ("warning", "302 | 301 | coins.100", [1, 1, 0, 0]),
      ("error", "301 | 301 | book.enma", [1, 1, 1, 0]),
    ])
  func failOn(level: String, transaction: String, expected: [Int32]) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.catalogue("product_id | type | prices\ncoins.100 | consumable | USD 0.99")
    try command.night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      \(transaction) | 2026-11-18 12:00
      """)
    for (limit, status) in zip(["info", "warning", "error", "never"], expected) {
      let ended = try command.run("--fail-on", limit)
      #expect(ended.status == status, "\(level) against --fail-on \(limit): \(ended.output)")
    }
    #expect(try command.run().status == 0)
  }

  @Test("a night ends with 2 after a new rejection, and with 0 when the rejection is not new")
  func rejected() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    let ended = try command.run()
    #expect(ended.status == 2)
    #expect(try command.night.report("rejected_records.csv").contains("status_21003"))
    #expect(try command.run().status == 0)
    #expect(try command.night.report("rejected_records.csv").contains("status_21003"))
  }

  @Test("a night with both a finding and a rejection ends with 1")
  func failsBeforeRejected() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n301 | book.enma | 2026-11-18 12:00")
    #expect(try command.run("--fail-on", "error").status == 1)
  }

  @Test("a night that receives a signal during its commit is done and ends with 0")
  func stopsTooLate() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.committing, in: command)
    let program = try command.start(command.words([]))
    #expect(try barrier.isReached())
    program.send(SIGTERM)
    try barrier.open()
    #expect(try program.ended().status == 0)
    #expect(try command.files().count == Report.all.count + 4)
  }
}
