import Explain
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("silent_source")
struct SilentSourceTests {
  /// Failed attempts of a server in one hour of each day before the 18th: one count per day, latest
  /// day first.
  private static func sent(
    _ counts: [Int], by server: String, hour: String = "10", product: String = "book"
  ) -> String {
    var lines = ["delivery_id | transaction_id | product_id | occurred_at | status | server"]
    for (index, count) in counts.enumerated() {
      for number in 0..<count {
        let id = "\(server)-\(hour)-\(index)-\(number)"
        let day = 17 - index
        lines.append(
          "\(id) | 77 | \(product) | 2026-11-\(day < 10 ? "0" : "")\(day) \(hour):\(10 + number):00 "
            + "| failed | \(server)")
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test(
    "an hour without a record is found if the median of the fourteen days before is at least ten")
  func median() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    let week = Array(repeating: 10, count: 7)
    try night.deliveries(Self.sent(week + Array(repeating: 10, count: 7), by: "ten"))
    // The two middle values of the sorted counts are 9 and 11, 9 and 10, 0 and 20, 0 and 19.
    try night.deliveries(
      Self.sent(Array(repeating: 9, count: 7) + Array(repeating: 11, count: 7), by: "nine-eleven"))
    try night.deliveries(
      Self.sent(Array(repeating: 9, count: 7) + week, by: "nine-ten"))
    try night.deliveries(Self.sent(Array(repeating: 20, count: 7), by: "new-20"))
    try night.deliveries(Self.sent([19] + Array(repeating: 20, count: 6), by: "new-19"))
    try night.deliveries(Self.sent(Array(repeating: 40, count: 6), by: "newer"))
    try night.run(asOf: "2026-11-18 11:00")
    try night.expect(
      "silent_source",
      finds: """
        level | subject                          | reason | detail
        error | nine-eleven 2026-11-18T10:00:00Z |        | no delivery logged until 2026-11-18T11:00:00Z
        error | new-20 2026-11-18T10:00:00Z      |        | no delivery logged until 2026-11-18T11:00:00Z
        error | ten 2026-11-18T10:00:00Z         |        | no delivery logged until 2026-11-18T11:00:00Z
        """.orderedBySubject)
  }

  @Test("only a complete hour is silent, and one record in the hour is enough to prevent it")
  func wholeHour() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    let days = Array(repeating: 12, count: 14)
    try night.deliveries(Self.sent(days, by: "a"))
    try night.deliveries(Self.sent(days, by: "b"))
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at         | status | server
      last        | 77             | book       | 2026-11-18 10:59:59 | failed | b
      """)
    try night.run(asOf: "2026-11-18 10:59:59")
    try night.expect("silent_source", finds: "subject")
    try night.run(asOf: "2026-11-18 11:00")
    try night.expect("silent_source", finds: "subject\na 2026-11-18T10:00:00Z")
    #expect(try night.recompute().corrections == 0)
  }

  @Test("the last attempt before a silence is one that the night counts, not that of a tester")
  func lastAttempt() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      5              | book       | 2026-11-10 09:00 | Sandbox
      5              | book       | 2026-11-19 09:00 | Production
      """)
    try night.deliveries(Self.sent(Array(repeating: 12, count: 14), by: "a"))
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at         | status | server
      tester      | 5              | book       | 2026-11-17 10:59:59 | failed | a
      """)
    try night.run(asOf: "2026-11-18 11:00")
    let things = try Inquiry(
      about: "a 2026-11-18T10:00:00Z", database: night.database.connectionString
    ).explanation.things
    #expect(
      things.flatMap { $0.timeline.map(\.words) }
        .contains("the last attempt before: delivery a-10-0-11 failed for transaction 77"))
  }

  @Test("adjacent silent hours are one finding, whose end moves until it is known")
  func stretch() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    for hour in ["10", "11", "13"] {
      try night.deliveries(
        Self.sent(Array(repeating: 12, count: 14), by: "a", hour: hour))
    }
    try night.run(asOf: "2026-11-18 11:30")
    try night.expect(
      "silent_source",
      finds: """
        subject                | detail
        a 2026-11-18T10:00:00Z | no delivery logged until 2026-11-18T11:00:00Z
        """)
    try night.run(asOf: "2026-11-18 20:00")
    try night.expect(
      "silent_source",
      finds: """
        subject                | detail
        a 2026-11-18T10:00:00Z | no delivery logged until 2026-11-18T12:00:00Z
        a 2026-11-18T13:00:00Z | no delivery logged until 2026-11-18T14:00:00Z
        """)
    #expect(try night.recompute().corrections == 0)
  }

  @Test("the finding is resolved when the log arrives, however late")
  func late() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.deliveries(Self.sent(Array(repeating: 12, count: 14), by: "a"))
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | server
      again       | 78             | book       | 2026-11-18 15:00 | failed | a
      """)
    try night.run(asOf: "2026-11-18 12:00")
    try night.expect("silent_source", finds: "subject\na 2026-11-18T10:00:00Z")
    // Half a year later. The days after the 18th were silent too, until the median was 0.
    try night.run(asOf: "2027-05-18 12:00")
    let subjects = try night.findings(of: "silent_source", columns: ["subject"])
    #expect(subjects.contains("a 2026-11-18T10:00:00Z"))
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | server
      late        | 79             | book       | 2026-11-18 10:30 | failed | a
      """)
    try night.run(asOf: "2027-05-19 12:00")
    #expect(
      try !night.findings(of: "silent_source", columns: ["subject"])
        .contains("a 2026-11-18T10:00:00Z"))
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a source that has logged nothing for 28 days counts as switched off")
  func switchedOff() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.deliveries(Self.sent(Array(repeating: 12, count: 14), by: "a"))
    try night.run(asOf: "2026-11-18 12:00")
    try night.expect("silent_source", finds: "subject\na 2026-11-18T10:00:00Z")
    try night.run(asOf: "2026-12-16 10:59:59")
    #expect(
      try night.findings(of: "silent_source", columns: ["subject"])
        .contains("a 2026-11-18T10:00:00Z"))
    try night.run(asOf: "2026-12-16 11:00")
    #expect(
      try !night.findings(of: "silent_source", columns: ["subject"])
        .contains("a 2026-11-18T10:00:00Z"))
    try night.run(asOf: "2027-02-01 11:00")
    try night.expect("silent_source", finds: "subject")
  }

  @Test("the reason is no_records if all servers of the product were silent in the grace period")
  func unknown() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | grace_hours
      book       | 1
      film       | 1
      song       | 1
      """)
    let days = Array(repeating: 12, count: 14)
    try night.deliveries(Self.sent(days, by: "a"))
    try night.deliveries(Self.sent(days, by: "b", product: "film"))
    // Both servers deliver films, but only b logged something.
    try night.deliveries(Self.sent([1], by: "a", hour: "09", product: "film"))
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status  | server
      heard       | 78             | film       | 2026-11-18 10:10 | failed  | b
      tried       | 5              | book       | 2026-11-18 12:10 | pending | b
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-18 10:20
      2              | film       | 2026-11-18 10:20
      3              | song       | 2026-11-18 10:20
      4              | book       | 2026-11-18 08:59:59
      5              | book       | 2026-11-18 10:20
      6              | book       | 2026-11-18 09:00
      7              | book       | 2026-11-18 10:59:59
      8              | book       | 2026-11-18 11:00
      """)
    // Records of another server, so that the log is not empty from purchase to due date.
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | server
      other-1     | 90             | song       | 2026-11-18 09:30 | failed | c
      other-2     | 91             | song       | 2026-11-18 11:10 | failed | c
      """)
    try night.run(asOf: "2026-11-19 09:00")
    let expected = """
      level   | subject | reason
      warning | 1 book  | no_records
      error   | 2 film  | never_attempted
      error   | 3 song  | never_attempted
      error   | 4 book  | never_attempted
      error   | 5 book  | pending
      warning | 6 book  | no_records
      warning | 7 book  | no_records
      error   | 8 book  | never_attempted
      """
    try night.expect("missing_delivery", finds: expected)
    #expect(try night.recompute().corrections == 0)

    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | server
      arrived     | 1              | book       | 2026-11-18 10:21 | delivered | a
      """)
    try night.run(asOf: "2026-11-19 09:30")
    try night.expect("silent_source", finds: "subject")
    try night.expect(
      "missing_delivery",
      finds: """
        level | subject | reason
        error | 2 film  | never_attempted
        error | 3 song  | never_attempted
        error | 4 book  | never_attempted
        error | 5 book  | pending
        error | 6 book  | never_attempted
        error | 7 book  | never_attempted
        error | 8 book  | never_attempted
        """)
    #expect(try night.recompute().corrections == 0)
  }
}

extension String {
  /// The drawn rows in the order of `findings.csv`.
  fileprivate var orderedBySubject: String {
    let drawn = DrawnTable(self)
    let rows = drawn.rows.sorted { $0[1].utf8.lexicographicallyPrecedes($1[1].utf8) }
    return DrawnTable(header: drawn.header, rows: rows).text
  }
}
