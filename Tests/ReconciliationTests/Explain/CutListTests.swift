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

  @Test("lists of accounts and products that are cut say how many they leave out")
  func cutLists() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook-1\nbook-2\nbook-3\nbook-4\nbook-5")
    var sales = "transaction_id | product_id | purchased_at | account_id"
    var log = "delivery_id | transaction_id | product_id | occurred_at | status | server"
    for number in 1...10 {
      let product = "book-\((number + 1) / 2)"
      sales += "\n\(number) | \(product) | 2026-11-10 10:00 | a-\(number)"
      log += "\nd-\(number) | \(number) | \(product) | 2026-11-10 11:00 | failed | eu"
    }
    try night.transactions(sales)
    try night.deliveries(log)
    try night.run(asOf: "2026-11-20 03:00")
    let overview = try #require(try Self.explain("eu", in: night).overview)
    #expect(
      overview.facts.filter { $0.section == "who" }.map(\.name)
        == ["a-1", "a-10", "a-2", "a-3", "a-4", "a-5"])
    let products = overview.facts.filter {
      $0.section == "where" && $0.name.hasPrefix("product")
    }
    #expect(products.map(\.name) == ["product book-1", "product book-2", "product book-3"])
    #expect(products.map(\.missing) == [2, 2, 2])
    let leftOut = overview.leftOut
    #expect(leftOut.map(\.section) == ["where", "who", "example"])
    #expect(leftOut.map(\.property) == ["product", nil, nil])
    #expect(leftOut.map(\.facts) == [2, 4, 7])
    #expect(leftOut.map(\.missing) == [4, 4, nil])
  }
}
