import Configuration
import Testing

@Suite("Instants, days and time zones")
struct TimeTests {
  @Test(
    "an instant is kept in UTC and in whole seconds; its fraction is cut off",
    arguments: [
      ("2026-11-19T03:04:05Z", "2026-11-19T03:04:05Z"),
      ("2026-11-19t03:04:05z", "2026-11-19T03:04:05Z"),
      ("2026-11-19 03:04:05Z", "2026-11-19T03:04:05Z"),
      ("2026-11-19T03:04:05.999999Z", "2026-11-19T03:04:05Z"),
      ("2026-11-19T03:04:05+00:00", "2026-11-19T03:04:05Z"),
      ("2026-11-19T03:04:05-00:00", "2026-11-19T03:04:05Z"),
      ("2026-11-19T03:04:05.5+05:30", "2026-11-18T21:34:05Z"),
      ("2026-12-31T23:59:59-00:01", "2027-01-01T00:00:59Z"),
      ("2026-01-01T00:00:00+00:01", "2025-12-31T23:59:00Z"),
      ("2024-02-28T23:00:00-23:59", "2024-02-29T22:59:00Z"),
      ("2024-03-01T00:00:00+23:59", "2024-02-29T00:01:00Z"),
      ("2026-03-01T00:00:00+00:01", "2026-02-28T23:59:00Z"),
      ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
      ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ])
  func instants(text: String, kept: String) throws {
    #expect(try settings("as_of", text).asOf == kept)
    #expect(try settings("books_begin", text).booksBegin == kept)
    #expect(try settings(yaml: "as_of: \(text)\n").asOf == kept)
  }

  @Test(
    "text that is not an instant is refused",
    arguments: [
      "now", "2026-11-19", "2026-11-19T03:04:05", "2026-11-19T03:04Z", "2026-11-19T24:00:00Z",
      "2026-11-19T03:60:00Z", "2026-11-19T03:04:60Z", "2026-11-31T00:00:00Z",
      "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "0000-01-01T00:00:00Z",
      "2026-11-19T03:04:05.Z", "2026-11-19T03:04:05+1:00", "2026-11-19T03:04:05+0100",
      "2026-11-19T03:04:05+24:00", "2026-11-19T03:04:05+01:60", "2026-11-19T03:04:05Zulu",
      "2026-11-19_03:04:05Z", "2026-11-19T-3:04:05Z", "20261119T030405Z",
      "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "２026-11-19T03:04:05Z",
    ])
  func noInstant(text: String) throws {
    for key in ["as_of", "books_begin"] {
      #expect(
        try complaint(key: key, text)
          .hasSuffix("allowed: an instant as RFC 3339, such as 2026-11-19T03:04:05Z"))
    }
  }

  @Test("days of the calendar are accepted", arguments: ["2024-02-29", "2400-02-29", "2026-12-31"])
  func days(text: String) throws {
    #expect(try settings("revenue_since", text).revenueSince == text)
  }

  @Test(
    "text that is not a day of the calendar is refused",
    arguments: [
      "2026-02-29", "1900-02-29", "2026-04-31", "2026-1-01", "2026-01-01T00:00:00Z", "2026-01",
      "01.01.2026", "2026/01/01",
    ])
  func noDay(text: String) throws {
    #expect(
      try complaint(key: "revenue_since", text)
        == "command line: \"\(text)\" is not a day; allowed: a day as YYYY-MM-DD")
  }

  @Test(
    "time zones of the IANA database are accepted",
    arguments: [
      "UTC", "GMT", "Etc/UTC", "America/New_York", "Europe/Kyiv", "Asia/Kolkata", "Japan", "GB",
      "PRC", "America/Argentina/Buenos_Aires",
    ])
  func timeZones(name: String) throws {
    #expect(try settings("time_zone", name).timeZone == name)
  }

  @Test(
    "offsets, abbreviations and unknown names are refused as time zones",
    arguments: ["GMT+3", "UTC+2", "+03:00", "PST", "CEST", "Z", "Mars/Base", "../etc/passwd"])
  func noTimeZone(name: String) throws {
    #expect(try complaint(key: "time_zone", name).contains("time zone, such as UTC"))
  }

  @Test(
    "names of the IANA database that are no places are refused, with the name of a place",
    arguments: [
      "EST", "CET", "MST", "HST", "MET", "EET", "WET", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT",
      "Factory", "Etc/GMT+3", "Etc/GMT-14", "Etc/GMT0",
    ])
  func noPlace(name: String) throws {
    let words = try complaint(key: "time_zone", name)
    #expect(words.hasPrefix("command line: \"\(name)\" is "), "\(words)")
    #expect(
      words.contains(/(America|Europe|Pacific)\/[A-Z][A-Za-z_]+.*; |did you mean/), "\(words)")
  }

  @Test("the place of an abbreviation is the one of its country")
  func placeOfAbbreviation() throws {
    #expect(
      try complaint(key: "time_zone", "EST")
        .contains("\"EST\" is an abbreviation; did you mean America/New_York? "))
    #expect(
      try complaint(key: "time_zone", "Etc/GMT+3")
        .contains("\"Etc/GMT+3\" is not a place; write one such as America/New_York; "))
  }
}
