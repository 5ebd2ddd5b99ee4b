import Explain
import Foundation
import ReconciliationTestSupport
import Testing

@Suite("Explanation with a list that is cut") struct CutListTests {
  private static func explain(_ name: String, in night: TestNight) throws -> Explanation {
    try Inquiry(about: name, database: night.database.connectionString).explanation
  }

  /// A book with a price from each of 28 days, of which the last has two.
  private static func priced() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    let days = (1...28).map { "USD \($0).99 USA 2026-10-\($0 < 10 ? "0" : "")\($0) 00:00" }
    try night.catalogue("product_id | prices\nbook | \(days.joined(separator: ", "))")
    try night.catalogue("product_id | prices\nbook | USD 30.99 USA 2026-10-28 00:00")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    try night.deliver("1", at: "2026-11-10 10:05")
    try night.run(asOf: "2026-11-20 03:00")
    return night
  }

  @Test("the newest prices come first")
  func prices() throws {
    let night = try Self.priced()
    let overview = try #require(try Self.explain("book", in: night).overview)
    let changed = overview.facts.filter {
      $0.section == "changed" && $0.name.hasPrefix("price")
    }
    // Beside the prices the catalogues say that the product is listed.
    #expect(overview.leftOut.map(\.section) == ["changed"])
    #expect(overview.leftOut.map(\.facts) == [29 - changed.count])
    #expect(changed.first?.name == "price USD USA from 2026-10-28T00:00:00Z")
    #expect(changed.prefix(2).map(\.words) == ["28.99", "30.99"])
    #expect(changed.map(\.name) == changed.map(\.name).sorted(by: >))
    let finding = try #require(
      try night.table("findings.csv").rows(where: "rule", is: "conflicting_catalogue")
        .columns(["finding"]).rows.first?.first)
    let thing = try #require(try Self.explain(finding, in: night).things.first)
    let told = thing.timeline.filter { $0.event == "catalogue" && $0.words.contains(": price ") }
    #expect(thing.timelineLeftOut == 30 - thing.timeline.filter { $0.event == "catalogue" }.count)
    #expect(
      told.first?.words
        == "a catalogue says about book: price USD USA from 2026-10-28T00:00:00Z 28.99")
    let days = told.compactMap { $0.words.firstMatch(of: /from (\S+)/).map { String($0.output.1) } }
    #expect(days == days.sorted(by: >))
  }
}
