import Configuration
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("The instant at which the books begin")
struct BooksTests {
  private static func night() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at        | environment
      1              | 1                       | book       | 2026-11-04 23:59:59 |
      2              | 2                       | book       | 2026-11-05 00:00:00 |
      3              | 1                       | book       | 2026-11-01 10:00    |
      4              | 4                       | book       | 2026-11-01 10:00    | Sandbox
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at         | environment
      9              | book       | 2026-11-01 10:00    | Sandbox
      1              | book       | 2026-11-05 00:00:00 | Production
      2              | book       | 2026-11-06 00:00:00 | Production
      """)
    return night
  }

  private static func counted(_ night: TestNight) throws -> [String] {
    try night.table("control_totals.csv").rows(where: "section", is: "books").rows.map { $0[2] }
  }

  @Test("the books begin at the earliest delivery of the configured environments")
  func earliestDelivery() throws {
    let night = try Self.night()
    #expect(try night.run(asOf: "2026-11-20 03:00").booksBegin == "2026-11-05T00:00:00Z")
    // One purchase is before the books begin. Its restore is not counted.
    #expect(try Self.counted(night) == ["1", "0"])
    night.settings.environments = ["Production", "Sandbox"]
    #expect(try night.run(asOf: "2026-11-20 03:00").booksBegin == "2026-11-01T10:00:00Z")
    #expect(try Self.counted(night) == ["0", "0"])
  }

  @Test("the books begin at the configured instant")
  func configured() throws {
    let night = try Self.night()
    night.settings.booksBegin = "2026-11-05T00:00:01Z"
    #expect(try night.run(asOf: "2026-11-20 03:00").booksBegin == "2026-11-05T00:00:01Z")
    #expect(try Self.counted(night) == ["2", "1"])
    // Another day, because the statements stay the same: no other edition of the day is published.
    night.settings.booksBegin = "2026-11-05T01:00:00+01:00"
    #expect(try night.run(asOf: "2026-11-21 03:00").booksBegin == "2026-11-05T00:00:00Z")
    #expect(try Self.counted(night) == ["1", "0"])
  }

  @Test("the books do not begin while there is no delivery by as-of")
  func never() throws {
    let night = try Self.night()
    let early = try night.run(asOf: "2026-11-04 23:59:59")
    #expect(early.booksBegin == nil)
    #expect(early.warnings.contains { $0.contains("nothing is owed") })
    let begun = try night.run(asOf: "2026-11-05 00:00")
    #expect(begun.booksBegin == "2026-11-05T00:00:00Z")
    #expect(!begun.warnings.contains { $0.contains("nothing is owed") })
  }
}
