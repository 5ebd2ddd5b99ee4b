import Foundation
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("Adjustments of a closed period that cancel each other")
struct CancelledAdjustmentTests {
  @Test("the pack and the output of a closing have no adjustment whose numbers are all zero")
  func zero() throws {
    let night = try TestNight.october()
    func sell(_ transaction: String, price: String, told: String) throws {
      try Self.sell(transaction, price: price, told: told, night)
    }
    try sell("3", price: "4.00", told: "2026-10-30")
    try night.run(asOf: "2026-11-03 03:00")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    // The oldest evidence says what was paid: first another price, then the same one again.
    try sell("3", price: "5.00", told: "2026-10-25")
    try night.run(asOf: "2026-11-04 03:00")
    #expect(
      try night.table("restatement.csv").rows(where: "measure", is: "gross")
        .columns(["difference"]).rows == [["1.00"]])
    try sell("3", price: "4.00", told: "2026-10-20")
    try night.run(asOf: "2026-12-02 03:00")
    let november = try ClosingActs.of(night).close(Period("2026-11"))
    let amounts = DrawnTable(
      try night.database.draw("select count(*) as amounts from period_amount where cause <> ''"))
    #expect(amounts.rows != [["0"]])
    #expect(try Self.adjustments(november.folder) == [])
    #expect(november.totals.rows.isEmpty)
    // An adjustment that is not zero is there.
    try sell("4", price: "8.00", told: "2026-12-02")
    try night.run(asOf: "2027-01-02 03:00")
    let december = try ClosingActs.of(night).close(Period("2026-12"))
    #expect(try Self.adjustments(december.folder) == [["2026-10", "8.00"]])
    #expect(december.totals.rows.count == 1)
  }

  @Test("adjustments of two products that cancel each other are in the pack and in the output")
  func products() throws {
    let night = try TestNight.october()
    try Self.sell("3", price: "4.00", told: "2026-10-30", night)
    try Self.sell("4", "book", price: "4.00", told: "2026-10-30", night)
    try night.run(asOf: "2026-11-03 03:00")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    try Self.sell("3", price: "5.00", told: "2026-10-25", night)
    try Self.sell("4", "book", price: "3.00", told: "2026-10-25", night)
    try night.run(asOf: "2026-12-02 03:00")
    let november = try ClosingActs.of(night).close(Period("2026-11"))
    #expect(
      try Self.adjustments(november.folder) == [["2026-10", "-1.00"], ["2026-10", "1.00"]])
    #expect(
      november.totals.rows
        == [["prior_period", "USD", "receipt", "0", "0.00", "0", "0.00", "0.00", "0"]])
  }

  /// Puts a sale of October, with the day on which the evidence was made.
  private static func sell(
    _ transaction: String, _ product: String = "map", price: String, told: String,
    _ night: TestNight
  ) throws {
    try night.transactions(
      TestNight.sales
        + "\(transaction) | \(product) | 2026-10-12 10:00 | \(price) | USD | \(told) 10:00 |")
  }

  private static func adjustments(_ folder: String) throws -> [[String]] {
    DrawnTable(csv: try String(contentsOfFile: "\(folder)/period.csv", encoding: .utf8))
      .rows(where: "entry", is: "prior_period").columns(["period", "gross"]).rows
  }
}
