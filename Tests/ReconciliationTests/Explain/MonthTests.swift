import Explain
import ReconciliationTestSupport
import Reports
import Testing

@Suite("Explaining a month")
struct MonthTests {
  private static func overview(
    _ name: String, in night: TestNight
  ) throws -> Explanation.Overview? {
    try Inquiry(about: name, database: night.database.connectionString).explanation.overview
  }

  /// A sale in October, and in November a sale, a refund and a missing delivery.
  private static func night() throws -> TestNight { try TestNight(copyOf: first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nmap")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | price | currency
      1              | book       | 2026-10-10 10:00 |                  | 1.00  | USD
      2              | book       | 2026-11-05 10:00 |                  | 2.00  | USD
      3              | map        | 2026-11-06 10:00 | 2026-11-07 10:00 | 4.00  | USD
      4              | map        | 2026-11-06 10:00 |                  | 8.00  | EUR
      """)
    try night.deliver("1", at: "2026-10-10 10:05")
    try night.deliver("2", at: "2026-11-05 10:05")
    // So the log has that time.
    try night.deliver("1", at: "2026-11-06 12:00")
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  @Test("a month that has not ended has its amounts so far, and says when it can be closed")
  func running() throws {
    let night = try Self.night()
    let month = try #require(try Self.overview("2026-11", in: night))
    #expect(month.kind == .month)
    #expect(
      month.sentence == """
        2026-11 has not ended on 2026-11-20, the day of the newest night, so these amounts can change. The first \
        night of 2026-11-30 or later publishes 2026-11. It is not closed. \
        After a night of a later day, tieout close 2026-11 closes it.
        """)
    let known = month.facts.filter { $0.section == "known" }
    #expect(known.map(\.name) == ["deliveries of its purchases", "EUR", "USD"])
    #expect(known.first?.missing == 1)
    #expect(
      known.compactMap(\.words) == [
        "1 unit sold, gross 8.00",
        "2 units sold, gross 6.00; 1 unit refunded, refunds 4.00, net 2.00",
      ])
    _ = try ClosingActs.of(night).close(Period("2026-11-02..2026-11-04"))
    _ = try ClosingActs.of(night).close(Period("2026-11-06..2026-11-06"))
    let partly = try #require(try Self.overview("2026-11", in: night))
    #expect(
      partly.sentence.hasSuffix(
        """
         publishes 2026-11. 4 of its days are closed: 2026-11-02..2026-11-04 (prepared), \
        2026-11-06..2026-11-06 (prepared). Not closed: 2026-11-01..2026-11-01, \
        2026-11-05..2026-11-05, 2026-11-07..2026-11-30. To close the rest: \
        tieout close 2026-11-01..2026-11-01; tieout close 2026-11-05..2026-11-05. After a night of a later day: \
        tieout close 2026-11-07..2026-11-30
        """))
    let map = try #require(try Self.overview("2026-11 map EUR", in: night))
    #expect(map.facts.filter { $0.section == "known" }.map(\.name).last == "EUR")
    #expect(try Self.overview("2026-11 card", in: night) == nil)
  }

  @Test("a refund or delivery that changed a month is named with the record that has it")
  func decisiveRecord() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    let told = "transaction_id | product_id | purchased_at | cancelled_at | device_id | told_at\n"
    try night.transactions(
      told + """
        1 | book | 2026-10-10 10:00 | | | 2026-10-10 10:00
        2 | book | 2026-10-11 10:00 | | | 2026-10-11 10:00
        """)
    // So the log has that time.
    try night.deliver("1", at: "2026-10-11 10:30")
    try night.run(asOf: "2026-11-20 03:00")
    try night.transactions(
      told + """
        1 | book | 2026-10-10 10:00 | 2026-10-20 10:00 | | 2026-11-20 10:00
        1 | book | 2026-10-10 10:00 | | tablet | 2026-10-12 10:00
        """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      made        | 2              | book       | 2026-10-11 10:05 | delivered
      failed      | 2              | book       | 2026-10-11 10:01 | failed
      """)
    try night.run(asOf: "2026-11-21 03:00")
    let month = try #require(try Self.overview("2026-10", in: night))
    let changes = month.facts.filter { $0.section == "restated" }
    for (words, line) in [("now 1 unit refunded", 1), ("no longer 1 unit missing", 2)] {
      let facts = changes.filter { $0.words?.contains(words) == true && $0.name != "" }
      #expect(!facts.isEmpty, "\(changes)")
      #expect(facts.allSatisfy { $0.line == line }, "\(facts)")
    }
  }

  @Test("a closed period has its amounts, and what has changed it since it was closed")
  func period() throws {
    let night = try Self.night()
    let days = "2026-11-05..2026-11-06"
    #expect(try Self.overview(days, in: night) == nil)
    for name in [days, "FY2027-P01"] { _ = try ClosingActs.of(night).close(Period(name)) }
    func known(_ name: String) throws -> [String] {
      try #require(try Self.overview(name, in: night)).facts.filter { $0.section == "known" }
        .compactMap(\.words)
    }
    let period = try #require(try Self.overview(days, in: night))
    #expect(period.kind == .period)
    #expect(
      period.sentence == """
        \(days) was closed with the numbers of the edition 2026-11-20. Since then nothing has changed it. Its days are \
        in these closed periods: \(days) (prepared).
        """)
    #expect(period.facts.first?.missing == 1)
    // The refund is on a later day.
    #expect(try known(days) == ["1 unit sold, gross 8.00", "2 units sold, gross 6.00"])
    #expect(try known("FY2027-P01") == ["1 unit sold, gross 1.00"])
    #expect(try known("\(days) map EUR") == ["1 unit sold, gross 8.00"])
    #expect(try Self.overview("\(days) card", in: night) == nil)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | price | currency
      4              | map        | 2026-11-06 10:00 | 2026-11-06 12:00 | 8.00  | EUR
      5              | book       | 2026-11-05 11:00 |                  | 3.00  | USD
      """)
    try night.run(asOf: "2026-11-21 03:00")
    let book = try #require(try Self.overview("\(days) book USD", in: night))
    #expect(book.sentence.hasSuffix(" 2026-11-20. Since then one transaction has changed it."))
    let restated = book.facts.filter { $0.section == "restated" }
    #expect(restated.map(\.name) == ["5"])
    #expect(restated.first?.file?.hasPrefix("receipts/") == true)
    // The log does not have the time of the new purchase.
    #expect(try known("\(days) book") == ["1 uncertain", "2 units sold, gross 5.00"])
    #expect(
      try known("\(days) map") == [
        "1 unit sold, gross 8.00; 1 unit refunded, refunds 8.00, net 0.00",
        "1 unit sold, gross 4.00",
      ])
    for name in ["FY2027-P01", days] {
      try ClosingActs.of(night).reopen(Period(name), because: "a test")
    }
    #expect(try Self.overview(days, in: night) == nil)
  }

  @Test("a month and a closed period have the units that were upgraded")
  func upgraded() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | delivery\nmonth | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | upgraded | price | currency
      1              | month      | 2026-11-05 10:00 | 2026-11-07 10:00 | yes      | 5.00  | USD
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let period = "2026-11-05..2026-11-07"
    _ = try ClosingActs.of(night).close(Period(period))
    for name in ["2026-11", period] {
      let known = try #require(try Self.overview(name, in: night)).facts
        .filter { $0.section == "known" }
      #expect(known.compactMap(\.words) == ["1 unit sold, gross 5.00; 1 unit upgraded"], "\(name)")
    }
  }

  @Test("on the day of the newest night, earlier days can be closed, and the day itself cannot")
  func closable() throws {
    let night = try Self.night()
    _ = try ClosingActs.of(night).close(Period("2026-11-19..2026-11-19"))
    let words = "1 of its days is closed: 2026-11-19..2026-11-19 (prepared). Not closed: "
    let month = try #require(try Self.overview("2026-11", in: night))
    #expect(
      month.sentence.hasSuffix(
        " \(words)2026-11-01..2026-11-18, 2026-11-20..2026-11-30. To close the rest: "
          + "tieout close 2026-11-01..2026-11-18. After a night of a later day: "
          + "tieout close 2026-11-20..2026-11-30"), "\(month.sentence)")
    // The night of its last day publishes a month.
    let published = try TestNight.october(asOf: "2026-10-31 03:00")
    _ = try ClosingActs.of(published).close(Period("2026-10-02..2026-10-30"))
    let october = try #require(try Self.overview("2026-10", in: published))
    #expect(
      october.sentence.hasSuffix(
        "Not closed: 2026-10-01..2026-10-01, 2026-10-31..2026-10-31. To close the rest: "
          + "tieout close 2026-10-01..2026-10-01. After a night of a later day: "
          + "tieout close 2026-10-31..2026-10-31"), "\(october.sentence)")
  }

  @Test("uncertain deliveries of a month are counted apart from missing ones")
  func uncertain() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nmap")
    // The log has nothing for this time.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency
      1              | book       | 2026-11-10 10:00 | 1.00  | USD
      2              | map        | 2026-11-10 10:00 | 1.00  | USD
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for (name, words) in [
      ("2026-11", "2 uncertain"), ("2026-11 book", "1 uncertain"),
      ("2026-11 book USD", "1 uncertain"),
    ] {
      let month = try #require(try Self.overview(name, in: night))
      let deliveries = try #require(month.facts.first { $0.section == "known" })
      #expect(deliveries.name == "deliveries of its purchases", "\(name)")
      #expect(deliveries.missing == 0 && deliveries.words == words, "\(name)")
    }
  }

  @Test("a month without sales, and one that has not begun, say so")
  func others() throws {
    let night = try Self.night()
    let september = try #require(try Self.overview("2026-09", in: night))
    #expect(september.facts.map(\.name) == ["no sale and no refund is known"])
    let december = try #require(try Self.overview("2026-12", in: night))
    #expect(december.sentence.hasPrefix("2026-12 has not begun on 2026-11-20, "))
    #expect(try Self.overview("2026-13", in: night) == nil)
  }

  @Test("the file of a change is one that was there then, not a later one about the same sale")
  func laterFile() throws {
    let night = try TestNight.october()
    for (day, account) in [(3, "anna"), (4, "ben")] {
      try night.transactions(
        """
        transaction_id | product_id | purchased_at     | price | currency | account_id
        3              | map        | 2026-10-12 10:00 | 4.00  | USD      | \(account)
        """)
      try night.run(asOf: "2026-11-0\(day) 12:00")
    }
    let month = try #require(try Self.overview("2026-10", in: night))
    let restated = month.facts.filter { $0.section == "restated" }
    #expect(restated.map(\.name) == ["3"])
    let files = try DrawnTable(
      night.database.draw("select path from input_file order by file_id desc limit 2"))
    #expect(files.rows.count == 2)
    #expect(restated.map(\.file) == [files.rows.last?.first])
  }

  @Test("a refund that ended a missing delivery has its own file, and so has a late log")
  func missingFiles() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    let sales = """
      transaction_id | original_transaction_id | product_id | purchased_at     | cancelled_at
      1              | 1                       | book       | 2026-10-10 10:00 |
      2              | 2                       | book       | 2026-10-10 10:00 |
      3              | 3                       | book       | 2026-10-10 10:00 |

      """
    try night.transactions(sales)
    try night.run(asOf: "2026-10-31 03:00")
    let attempts = "delivery_id | transaction_id | product_id | occurred_at | status\n"
    try night.deliveries(attempts + "D1 | 1 | book | 2026-10-10 11:00 | failed")
    try night.run(asOf: "2026-11-01 03:00")
    try night.transactions(
      sales.replacing(
        "1              | 1                       | book       | 2026-10-10 10:00 |",
        with: "1 | 1 | book | 2026-10-10 10:00 | 2026-11-01 10:00"))
    try night.deliveries(attempts + "D2 | 2 | book | 2026-10-10 11:00 | delivered")
    try night.run(asOf: "2026-11-02 03:00")
    let facts = try #require(try Self.overview("2026-10", in: night)).facts
    let files = Dictionary(
      facts.filter { $0.section == "restated" }.map { ($0.name, $0.file ?? "") },
      uniquingKeysWith: { first, _ in first })
    #expect(files["1"]?.hasPrefix("receipts/") == true, "\(files)")
    #expect(files["2"]?.hasPrefix("deliveries/") == true, "\(files)")
  }

  @Test(
    "a reversed refund has the file of the transaction without it, also if it was known before",
    arguments: [false, true])
  func reversedRefund(isLoadedByPastDay: Bool) throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    let header =
      "transaction_id | product_id | purchased_at     | price | currency | signed_at | revoked_at\n"
    try night.signed(header + "1 | book | 2026-10-10 10:00 | 1000 | USD | 2026-10-10 10:00 |")
    try night.signed(
      header + """
        1 | book | 2026-10-10 10:00 | 1000 | USD | 2026-10-20 11:00 | 2026-10-20 10:00
        2 | book | 2026-10-10 10:00 | 1000 | USD | 2026-10-20 11:00 | 2026-10-20 10:00
        """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      1              | book       | 2026-10-10 10:05
      2              | book       | 2026-10-10 10:05
      """)
    try night.run(asOf: "2026-10-31 12:00")
    // The first one repeats evidence from before the refund, which is not stored again.
    try night.signed(
      header + """
        1 | book | 2026-10-10 10:00 | 1000 | USD | 2026-11-01 10:00 |
        2 | book | 2026-10-10 10:00 | 1000 | USD | 2026-11-01 10:00 |
        """)
    if isLoadedByPastDay { try night.run(asOf: "2026-10-30 12:00") }
    try night.run(asOf: "2026-11-02 12:00")
    let month = try #require(try Self.overview("2026-10", in: night))
    let restated = month.facts.filter { $0.section == "restated" }
    #expect(restated.map(\.name) == ["1", "2"])
    #expect(restated.allSatisfy { $0.words?.hasPrefix("refund_reversed: ") == true })
    let newest = try DrawnTable(
      night.database.draw("select path from input_file order by file_id desc limit 1"))
    let path = try #require(newest.rows.first?.first)
    #expect(restated.map(\.file) == [path, path])
    #expect(restated.map(\.line) == [nil, 2])
    let overview = try #require(try Self.overview(path, in: night))
    let reversed = overview.facts.filter { $0.section == "reversed" }
    #expect(reversed.map(\.name) == ["1", "2"])
    #expect(reversed.first?.words == "1 unit of book on 2026-10-20 for USD 1.00")
  }

  @Test("a month that has ended says whether it is closed")
  func closed() throws {
    let night = try TestNight.october()
    func sentence() throws -> String { try Self.overview("2026-10", in: night)?.sentence ?? "" }
    #expect(try sentence().hasSuffix(" It is not closed: tieout close 2026-10 closes it."))
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    #expect(
      try sentence().hasSuffix(" Its days are in these closed periods: 2026-10 (prepared)."))
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a test")
    #expect(try sentence().hasSuffix(" tieout close 2026-10 closes it."))
  }
}
