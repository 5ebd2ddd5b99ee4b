import Testing

@testable import Intake

@Suite("Dates")
struct InstantTests {
  private func parsed(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBufferPointer { Instant.parse($0).map { Instant.text($0) } }
  }

  @Test(
    "dates are read in every known form",
    arguments: [
      ("2012-04-30 15:05:55 Etc/GMT", "2012-04-30T15:05:55Z"),
      ("2026-11-19T03:04:05Z", "2026-11-19T03:04:05Z"),
      ("2026-11-19t03:04:05.999999z", "2026-11-19T03:04:05Z"),
      ("2026-11-19T03:04:05-08:30", "2026-11-19T11:34:05Z"),
      ("2026-11-19T03:04:05+0100", "2026-11-19T02:04:05Z"),
      ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
      ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
      ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"),
      ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
      ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
      ("1594755400000", "2020-07-14T19:36:40Z"), ("1594755400999", "2020-07-14T19:36:40Z"),
      ("1594755400000.25", "2020-07-14T19:36:40Z"), ("-1", "1969-12-31T23:59:59Z"),
      ("-1000", "1969-12-31T23:59:59Z"), ("-1000.5", "1969-12-31T23:59:58Z"),
      ("0", "1970-01-01T00:00:00Z"),
    ])
  func known(text: String, instant: String) {
    #expect(parsed(text) == instant)
  }

  @Test(
    "a text that is not a date gives no date",
    arguments: [
      "", "-", "1.", "soon", "2026-11-19", "2026-11-19T03:04Z", "2026-11-19T03:04:05",
      "2026-11-19T24:00:00Z", "2026-11-19T03:60:00Z", "2026-11-19T03:04:61Z",
      "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-00-01T00:00:00Z",
      "2026-04-31T00:00:00Z", "0000-12-31T00:00:00Z", "0001-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59-00:01", "2026-11-19T03:04:05+24:00", "2026-11-19T03:04:05.Z",
      "2012-04-30 08:05:55 America/Los_Angeles", "2026-11-19T03:04:05Z ", "1e12",
      "999999999999999", "99999999999999999999",
    ])
  func unknown(text: String) {
    #expect(parsed(text) == nil)
  }

  @Test("every day of eight centuries is read back as it was written")
  func everyDay() {
    for day in Int64(-135_140)..<157_054 {
      let text = Instant.text(day * 86400 + 12_345)
      #expect(
        Array(text.utf8).withUnsafeBufferPointer { Instant.parseRFC3339($0) } == day * 86400
          + 12_345)
    }
  }

  @Test(
    "numbers become their shortest decimals, if those are certain",
    arguments: [
      (0.1, "0.1"), (1e15, "1000000000000000"), (1.5e-8, "0.000000015"), (1e-10, nil),
      (1e18, nil), (0.1 + 0.2, nil), (123456789.123456, "123456789.123456"), (-0.5, nil),
      (100, "100"), (.infinity, nil),
    ])
  func decimals(number: Double, text: String?) {
    #expect(Amount.shortestDecimal(number) == text)
  }
}
