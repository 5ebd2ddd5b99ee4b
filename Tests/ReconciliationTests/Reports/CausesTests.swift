import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Testing

@testable import Reports

@Suite("causes.csv")
struct CausesTests {
  /// Purchases of a product.
  ///
  /// Each can have an attempt with a status, a server and an app version.
  private struct Sales {
    var transactions = "transaction_id | product_id | purchased_at"
    var deliveries =
      "delivery_id | transaction_id | product_id | occurred_at | status | server | app_version"
    private var count = 0

    mutating func add(
      _ number: Int, of product: String = "book", at hour: String = "10", _ status: String?,
      server: String = "", version: String = ""
    ) {
      for _ in 0..<number {
        count += 1
        transactions += "\n\(count) | \(product) | 2026-11-10 \(hour):00"
        guard let status else { continue }
        deliveries +=
          "\nd-\(count) | \(count) | \(product) | 2026-11-10 \(hour):01 | \(status) | \(server) "
          + "| \(version)"
      }
    }

    func night() throws -> TestNight {
      let night = try TestNight.withOpenBooks()
      try night.catalogue("product_id\nbook\nfilm")
      try night.transactions(transactions)
      try night.deliveries(deliveries)
      return night
    }
  }

  private static let columns =
    "dimension,value,second_dimension,second_value,missing,owed,missing_share,owed_share,lift"

  @Test("each cause has its share of missing and of owed deliveries; the strongest comes first")
  func counts() throws {
    var sales = Sales()
    sales.add(20, "failed", server: "eu", version: "1")
    sales.add(20, "delivered", server: "us", version: "1")
    sales.add(30, at: "12", "delivered", server: "eu", version: "1")
    sales.add(30, at: "13", "delivered", server: "us", version: "2")
    let night = try sales.night()
    let summary = try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "causes.csv",
      shows: """
        dimension   | value | second_dimension | second_value | missing | owed | missing_share | owed_share | lift
        server      | eu    | attempt_hour     | 10:00        | 20      | 20   | 1.0000        | 0.2000     | 5.00
        server      | eu    | purchase_hour    | 10:00        | 20      | 20   | 1.0000        | 0.2000     | 5.00
        attempt_hour  | 10:00 |                |              | 20      | 40   | 1.0000        | 0.4000     | 2.50
        purchase_hour | 10:00 |                |              | 20      | 40   | 1.0000        | 0.4000     | 2.50
        server      | eu    |                  |              | 20      | 50   | 1.0000        | 0.5000     | 2.00
        """)
    let cause = try #require(summary.cause)
    #expect(cause.properties.map(\.value) == ["eu", "10:00"])
    #expect(cause.missing == 20 && cause.allMissing == 20 && cause.owedPercent == 20)
  }

  @Test(
    "the sentence about a cause says that its days and hours are in UTC",
    arguments: [
      ("day", "2026-11-12", "were attempted or bought on 2026-11-12 (UTC)"),
      ("attempt_hour", "14:00", "were attempted between 14:00 and 15:00 UTC"),
      ("purchase_hour", "23:00", "were bought between 23:00 and 00:00 UTC"),
    ])
  func zone(dimension: String, value: String, words: String) {
    let cause = Cause(
      properties: [Cause.Property(dimension: dimension, value: value)], missing: 10, allMissing: 20,
      owedPercent: 3, days: 14)
    #expect(
      cause.sentence == """
        Of the 20 missing deliveries of the last 14 days, 10 \(words), \
        compared with 3 % of all owed deliveries.
        """)
  }

  @Test("a property of nine missing deliveries is not a cause; a property of ten can be")
  func floor() throws {
    for (count, isCause) in [(9, false), (10, true)] {
      var sales = Sales()
      sales.add(count, "failed", server: "eu")
      sales.add(90, at: "12", "delivered", server: "us")
      let night = try sales.night()
      try night.run(asOf: "2026-11-20 03:00")
      #expect(try night.table("causes.csv").rows.isEmpty != isCause, "\(count)")
    }
  }

  @Test("a property is no cause if all owed have it, if chance can give it, or if it is unknown")
  func noCause() throws {
    var sales = Sales()
    // The server eu has two thirds of the missing deliveries and half of all.
    sales.add(20, "failed", server: "eu")
    sales.add(10, "failed", server: "us")
    sales.add(80, "delivered", server: "eu")
    sales.add(90, "delivered", server: "us")
    let night = try sales.night()
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try night.report("causes.csv") == Self.columns + "\r\n")

    var untried = Sales()
    untried.add(30, nil)
    untried.add(100, "delivered", server: "us")
    let other = try untried.night()
    try other.run(asOf: "2026-11-20 03:00")
    #expect(try other.report("causes.csv") == Self.columns + "\r\n")
  }

  @Test("causes cover deliveries that fell due in the fourteen days before as-of, in whole hours")
  func window() throws {
    var sales = Sales()
    sales.add(20, "failed", server: "eu")
    sales.add(80, at: "12", "delivered", server: "us")
    let night = try sales.night()
    // The deliveries are due on the 11th at 10:00.
    for (asOf, isInside) in [
      ("2026-11-11 10:59:59", false), ("2026-11-11 13:00", true), ("2026-11-25 10:59:59", true),
      ("2026-11-25 11:00", false),
    ] {
      try night.run(asOf: asOf)
      #expect(try night.table("causes.csv").rows.isEmpty != isInside, "\(asOf)")
    }
    #expect(try night.recompute().corrections == 0)
  }

  @Test("uncertain deliveries give no cause")
  func noRecords() throws {
    var sales = Sales()
    sales.add(30, at: "20", nil)
    sales.add(100, of: "film", at: "10", "delivered", server: "us")
    let night = try sales.night()
    // The log is empty from the purchases to their due dates.
    let summary = try night.run(asOf: "2026-11-20 03:00")
    #expect(summary.uncertain == 30)
    #expect(summary.silences.isEmpty)
    #expect(summary.cause == nil)
  }

  @Test("a late delivery counts as owed and delivered, by the server that delivered it")
  func late() throws {
    var sales = Sales()
    sales.add(20, "failed", server: "eu")
    sales.add(80, at: "12", "delivered", server: "us")
    let night = try sales.night()
    try night.run(asOf: "2026-11-20 03:00")
    var rows = "delivery_id | transaction_id | product_id | occurred_at | status | server"
    for number in 1...11 {
      rows += "\nlate-\(number) | \(number) | book | 2026-11-20 05:00 | delivered | us"
    }
    try night.deliveries(rows)
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try night.table("causes.csv").rows.isEmpty)
    try night.expect(
      query: "select server, sum(deliveries) as deliveries from carried_served group by server",
      gives: "server | deliveries\nus | 91")
    #expect(try night.recompute().corrections == 0)
  }

  @Test("an error is counted without its numbers and ids, but with an HTTP status")
  func errorKind() throws {
    let night = try TestNight()
    let database = try night.database.connect()
    defer { withExtendedLifetime(night) {} }
    for (error, kind) in [
      ("timeout after 3017 ms", "timeout after # ms"),
      ("  disk\tfull \n on /var/7/x ", "disk full on /var/#/x"),
      ("request 9f8e7d6c-0a1b-4c2d (server=eu-2): refused", "request # (server=#): refused"),
      ("HTTP 503 from 10.0.0.17:4431", "HTTP 503 from #:#"),
      ("http/1.1 404: id=4711", "http/# 404: id=#"),
      ("status=502, code: 17", "status=502, code: #"), ("HTTP 5031", "HTTP #"),
      ("E1234", "#"), ("disk full", "disk full"), ("größe 7", "größe #"),
      (String(repeating: "x", count: 121), String(repeating: "x", count: 120)),
    ] {
      let found = try database.run("select tieout.error_kind($1)", [error], step: "test")
      #expect(found.first == kind, "\(error)")
    }
    let none = try database.run("select tieout.error_kind('  ')", step: "test")
    #expect(none.values.first?.first == .some(nil))
  }

  @Test("purchases that were attempted again have the error of the attempt that failed")
  func retried() throws {
    var sales = Sales()
    sales.add(20, "failed", server: "eu")
    sales.add(80, at: "12", "delivered", server: "us")
    let night = try sales.night()
    var rows = "delivery_id | transaction_id | product_id | occurred_at | status | server | error"
    for number in 1...100 {
      rows +=
        "\nretry-\(number) | \(number) | book | 2026-11-10 \(number > 20 ? "11:30" : "14:30") | failed | "
        + "\(number > 20 ? "us" : "eu") | timeout \(number)"
    }
    try night.deliveries(rows)
    try night.run(asOf: "2026-11-20 03:00")
    // Every owed delivery had this error once, so it explains nothing.
    let causes = try night.table("causes.csv").columns(["dimension", "second_dimension"]).rows
    #expect(causes.first == ["server", ""])
    #expect(!causes.joined().contains("error"))
    try night.expect(
      query: "select error, sum(deliveries) as deliveries from carried_served group by error",
      gives: "error | deliveries\ntimeout # | 80")
  }
}
