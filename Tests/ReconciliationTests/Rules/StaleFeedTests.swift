import Configuration
import Explain
import NightRun
import Page
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("stale_feed")
struct StaleFeedTests {
  /// Deliveries at an hour of each of these days of November.
  private static func deliveries(on days: [Int], hours: [String] = ["10:00"]) -> String {
    var lines = ["delivery_id | transaction_id | product_id | occurred_at | status"]
    for day in days {
      for hour in hours {
        let date = "2026-11-\(day < 10 ? "0" : "")\(day)"
        lines.append("v-\(day)-\(hour) | 77 | book | \(date) \(hour) | failed")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func night(_ deliveries: String) throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.deliveries(deliveries)
    return night
  }

  @Test("a feed of every hour of the day is stale after stale_after")
  func hours() throws {
    let hours = ["00:30", "08:00", "16:00", "23:30"]
    let night = try Self.night(Self.deliveries(on: Array(11...17), hours: hours))
    try night.run(asOf: "2026-11-19 11:30")
    try night.expect("stale_feed", finds: "subject")
    try night.run(asOf: "2026-11-19 11:30:01")
    try night.expect(
      "stale_feed",
      finds: """
        level | subject    | reason | detail
        error | deliveries |        | nothing since 2026-11-17T23:30:00Z. Before that, records on 7 of 28 days, with pauses of up to 1 h between days
        """)
    #expect(try night.recompute().corrections == 0)
    night.settings.staleAfterHours = 48
    try night.run(asOf: "2026-11-19 12:00")
    try night.expect("stale_feed", finds: "subject")
    night.settings.staleAfterHours = 36
    try night.deliveries(Self.deliveries(on: [19]))
    try night.run(asOf: "2026-11-19 12:00:01")
    try night.expect("stale_feed", finds: "subject")
    // The day before has no newer record, also after the new record.
    try night.run(asOf: "2026-11-19 09:00")
    try night.expect("stale_feed", finds: "subject")
  }

  @Test("two stale feeds are told apart on the page, in the mail and by explain")
  func two() throws {
    let night = try Self.night(Self.deliveries(on: Array(1...10)))
    let days = (1...10).map { "2026-11-\($0 < 10 ? "0" : "")\($0)T10:00:00Z" }
    let reports = days.map { "book,\($0)\n" }.joined()
    try night.put("product_id,reported_at\n" + reports, at: "client/a.csv")
    night.settings.quiet = true
    let summary = try night.run(asOf: "2026-11-20 03:00")
    try night.expect("stale_feed", finds: "subject\nclient\ndeliveries")
    let page = try night.report("index.html")
    #expect(page.contains("<bdi>client</bdi>") && page.contains("<bdi>deliveries</bdi>"))
    #expect(summary.comparison.staleFeeds.map(\.name) == ["client", "deliveries"])
    #expect(page.contains("Stale feed client: nothing since 2026-11-10T10:00:00Z. Before that, "))
    // The whole sentence is there.
    #expect(page.matches(of: /with pauses of up to [^.…]+ between days\./).count >= 2)
    let worst = summary.worst.filter { $0.rule == "stale_feed" }
    #expect(worst.map(\.subject) == ["client", "deliveries"])
    let inquiry = try Inquiry(about: "v-1-10:00", database: night.database.connectionString)
    let said = inquiry.explanation.things[0].verdicts.filter { $0.rule == "stale_feed" }
      .map(\.words)
    let detail = "nothing since 2026-11-10T10:00:00Z. Before that, records on 10 of 28 days"
    #expect(said.count == 2)
    #expect(said.contains { $0.hasPrefix("client: \(detail)") })
    #expect(said.contains { $0.hasPrefix("deliveries: \(detail)") })
  }

  @Test("explain names a stale feed only for what is not known to be delivered")
  func delivered() throws {
    let night = try Self.night(Self.deliveries(on: Array(1...10)))
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-09 09:00
      2              | book       | 2026-11-09 09:00
      3              | unlisted   | 2026-11-09 09:00
      4              | book       | 2026-11-09 09:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      d           | 1              | book       | 2026-11-09 09:01 | delivered
      e           | 3              | unlisted   | 2026-11-09 09:01 | delivered
      f           | 4              | unlisted   | 2026-11-09 09:01 | delivered
      g           | 99             | book       | 2026-11-09 09:01 | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("stale_feed", finds: "subject\ndeliveries")
    // Nothing is owed for 3 and for g, which were delivered. For 4 another product was delivered.
    for (id, subjects) in [
      ("1", [""]), ("2", ["deliveries"]), ("3", [""]), ("4", ["deliveries"]), ("g", [""]),
    ] {
      let inquiry = try Inquiry(about: id, database: night.database.connectionString)
      let verdicts = inquiry.explanation.things[0].verdicts.filter { $0.rule == "stale_feed" }
      #expect(verdicts.map(\.subject) == subjects, "\(id)")
    }
  }

  @Test("a feed with longer pauses is stale after twice the longest of the last 28 days")
  func gaps() throws {
    let night = try Self.night(Self.deliveries(on: [3, 5, 6, 9, 10, 11, 12]))
    try night.run(asOf: "2026-11-18 10:00")
    try night.expect("stale_feed", finds: "subject")
    try night.run(asOf: "2026-11-18 10:00:01")
    try night.expect("stale_feed", finds: "subject\ndeliveries")
  }

  @Test("six days are too few, and days before the 28 do not count")
  func fewDays() throws {
    let few = try Self.night(Self.deliveries(on: Array(5...10)))
    try few.run(asOf: "2026-11-20 03:00")
    try few.expect("stale_feed", finds: "subject")
    // From the 1st to the 29th are more than 28 days.
    let old = try Self.night(Self.deliveries(on: [1] + Array(24...29)))
    try old.run(asOf: "2026-12-20 03:00")
    try old.expect("stale_feed", finds: "subject")
    let enough = try Self.night(Self.deliveries(on: [2] + Array(24...29)))
    try enough.run(asOf: "2027-02-20 03:00")
    try enough.expect("stale_feed", finds: "subject\ndeliveries")
  }

  @Test("receipts count by the age of evidence, also if they only repeat what is known")
  func receipts() throws {
    let night = try TestNight()
    func receipt(toldOn day: Int) throws {
      try night.transactions(
        """
        transaction_id | product_id | purchased_at     | told_at             | environment
        1              | book       | 2026-11-01 10:00 | 2026-11-\(day) 10:00 | Production
        2              | book       | 2026-11-01 10:00 | 2026-11-17 10:00    | Sandbox
        """)
    }
    for day in 10...16 { try receipt(toldOn: day) }
    try night.run(asOf: "2026-11-18 10:00")
    try night.expect("stale_feed", finds: "subject")
    try night.run(asOf: "2026-11-18 10:00:01")
    try night.expect("stale_feed", finds: "subject\nreceipts")
    try receipt(toldOn: 17)
    try night.run(asOf: "2026-11-18 11:00")
    try night.expect("stale_feed", finds: "subject")
    #expect(try night.recompute().corrections == 0)
    try night.run(asOf: "2026-11-25 11:00")
    try night.expect("stale_feed", finds: "subject\nreceipts")
    try night.rebuild()
    try night.expect("stale_feed", finds: "subject\nreceipts")
  }

  @Test("client logs are a feed: queue entries together with reports")
  func client() throws {
    let night = try TestNight()
    for day in 10...13 {
      try night.clientLog(
        "transaction_id | product_id | state | transaction_date\n\(day) | book | purchased | 2026-11-\(day) 10:00"
      )
    }
    for day in 14...16 {
      try night.clientLog("product_id | reported_at\nbook.\(day) | 2026-11-\(day) 10:00")
    }
    try night.run(asOf: "2026-11-18 10:00")
    try night.expect("stale_feed", finds: "subject")
    try night.run(asOf: "2026-11-18 10:00:01")
    try night.expect("stale_feed", finds: "subject\nclient")
  }

  private static func resolved(_ night: TestNight) throws -> [[String]] {
    try night.table("changes.csv").rows(where: "change", is: "resolved")
      .rows(where: "rule", is: "stale_feed")
      .columns(["subject", "cause", "record", "file"]).rows
  }

  @Test("a feed resumes also by records that are in no file of the night")
  func resumed() throws {
    let address = "http://127.0.0.1:9/products.json"
    // The last record is after the as-of of the first night.
    let night = try Self.night(Self.deliveries(on: Array(1...10) + [20]))
    night.settings.catalogueURLs = [address]
    func answer(on days: ClosedRange<Int>) throws {
      try night.database.connect().run(
        """
        insert into tieout.feed_day (feed, environment, day, first_at, last_at)
        select $1, '', answered.day, answered.at, answered.at
        from generate_series($2::integer, $3::integer) as number
        cross join lateral (
            values (make_date(2026, 11, number), make_timestamptz(2026, 11, number, 10, 0, 0, 'UTC'))
        ) as answered (day, at)
        """, [address, "\(days.lowerBound)", "\(days.upperBound)"], step: "answers")
    }
    try answer(on: 1...10)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("stale_feed", finds: "subject\ndeliveries\n\(address)")
    try answer(on: 20...20)
    try night.run(asOf: "2026-11-21 03:00")
    let resolved = try Self.resolved(night)
    #expect(
      resolved == [["deliveries", "feed_resumed", "", ""], [address, "feed_resumed", "", ""]])
  }

  @Test("the file that resumes a feed is one with a newer record")
  func newer() throws {
    let night = try Self.night(Self.deliveries(on: Array(1...10)))
    try night.run(asOf: "2026-11-20 03:00")
    try night.deliveries(Self.deliveries(on: [9], hours: ["11:00"]))
    try night.deliveries(Self.deliveries(on: [20], hours: ["11:00"]))
    try night.run(asOf: "2026-11-21 03:00")
    let resolved = try Self.resolved(night)
    #expect(resolved == [["deliveries", "feed_resumed", "feed deliveries", "deliveries/4.csv"]])
  }

  @Test("a file with older records only does not resume a feed")
  func older() throws {
    let night = try Self.night(Self.deliveries(on: Array(1...10)))
    try night.run(asOf: "2026-11-20 03:00")
    try night.deliveries(Self.deliveries(on: [9], hours: ["11:00"]))
    night.settings.staleAfterHours = 900
    try night.run(asOf: "2026-11-21 03:00")
    let resolved = try Self.resolved(night)
    #expect(resolved == [["deliveries", "settings_changed", "stale_after", ""]])
  }
}
