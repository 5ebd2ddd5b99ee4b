import Reports
import Runs
import Testing

@Suite("Names of periods")
struct PeriodNameTests {
  @Test(
    "the message about a name that is almost a period says what is wrong",
    arguments: [
      ("2026-10-31..2026-10-01", "its last day is before its first one"),
      ("2026-09-31..2026-10-01", "2026-09-31 is not a day"),
      ("2026-10-01..2026-10-32", "2026-10-32 is not a day"),
      ("2026-10-01", "one day is written 2026-10-01..2026-10-01"),
    ])
  func almost(name: String, words: String) {
    let error = #expect(throws: ReconciliationError.self) { _ = try Period(name) }
    #expect(error?.code == .unknown)
    #expect(error?.message.hasPrefix("“\(name)” is not a period: \(words). Give a month ") == true)
  }

  @Test("spaces around a name do not count")
  func spaces() throws {
    #expect(try Period(" 2026-10 ") == Period("2026-10"))
    #expect(try Period("FY2027-P01 ").name == "FY2027-P01")
  }
}
