import ReconciliationTestSupport
import Testing

@Suite("Words of the page about days")
struct PageWordsTests {
  /// A book that was bought four days and seventeen hours before the night, and was due a day later.
  private static func night() throws -> TestNight { try TestNight(copyOf: first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-15 10:00")
    try night.deliver("9", at: "2026-11-15 12:00")
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  @Test("missing deliveries are drawn by days overdue, as money at risk is listed")
  func overdue() throws {
    let page = try Self.night().report("index.html")
    #expect(page.contains("By whole days overdue."))
    #expect(page.contains("0 days overdue: 0; 1–6 days overdue: 1; 7–29 days overdue: 0;"))
    #expect(!page.contains("since the purchase"))
    // The table above the chart has the same ranges.
    for age in ["0 days", "1–6 days", "7–29 days", "30+ days"] {
      #expect(page.contains("<th scope=\"col\">\(age)</th>"))
    }
  }

  @Test("a night after that does not exist is announced, and one that exists is linked")
  func nightAfter() throws {
    let night = try Self.night()
    let newest = try night.report("index.html")
    #expect(newest.contains(">Next night (not yet there) →</a>"))
    try night.run(asOf: "2026-11-19 03:00")
    let past = try night.report("index.html", day: "2026-11-19")
    #expect(past.contains(">Next night →</a>"))
  }
}
