import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Testing
@testable import Rules
@testable import Runs

extension LinearCostTests {
  @Test("the work is linear in the number of deliveries after as-of to the periods of one chain")
  func later() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "auto_renewable", database)
    try Self.deliveries(
      1000, transaction: "(100000 + number)::text", original: "null", product: "book", database)
    try database.run(
      """
      update stored_delivery
      set occurred_at = '2026-11-21T00:00:00Z', line_item_number = line
      where account_id = 'guest'
      """, step: "later")
    #expect(try Self.rows(of: SQLFile.explainLaterDelivery.text, database) <= 10 * 1000)
  }

  @Test("the work to follow the names of one chain, which is the whole history, is linear")
  func followed() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "auto_renewable", database)
    try database.run("begin", step: "follow")
    try database.run(.joinByKey, step: "follow")
    // As an explanation does.
    try database.run("set local enable_seqscan = off", step: "follow")
    try database.run(SQLFile.affectedStart)
    try database.run(
      """
      insert into frontier (transaction_number)
      select transaction_number from merged_transaction where transaction_number > 100000
      """, step: "follow")
    let round = SQLFile.affectedRound.text
    let search = round[..<(round.firstIndex(of: ";") ?? round.endIndex)]
    #expect(try Self.largest(of: Self.lines(of: String(search), database)) <= 10 * 1000)
    #expect(try database.run("select count(*) from met", step: "follow").first == "1000")
    try database.run("rollback", step: "follow")
  }
}
