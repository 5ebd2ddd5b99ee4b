import Foundation

extension ValueKind<String> {
  /// An instant as RFC 3339, kept in UTC without its fraction of a second.
  static let instant = ValueKind.text(
    "an instant as RFC 3339, such as 2026-11-19T03:04:05Z",
    read: { text throws(Complaint) in
      let bytes = Array(text.utf8)
      if let instant = utcInstant(bytes) { return instant }
      if CalendarDay(bytes) != nil {
        throw Complaint(
          problem: "\(quoted(text)) is a day without a time", suggestion: "\(text)T00:00:00Z")
      }
      if utcInstant(bytes + [UInt8(ascii: "Z")]) != nil {
        throw Complaint(
          problem: "\(quoted(text)) does not say its time zone", suggestion: "\(text)Z")
      }
      throw Complaint(problem: "\(quoted(text)) is not an instant")
    })

  /// A calendar day.
  static let day = ValueKind.text(
    "a day as YYYY-MM-DD",
    read: { text throws(Complaint) in
      guard let day = CalendarDay(text.utf8) else {
        throw Complaint(problem: "\(quoted(text)) is not a day")
      }
      return day.text
    })

  /// A time zone by its name in the IANA database.
  static let timeZone = ValueKind.text(
    "the IANA name of a time zone, such as UTC or Europe/Berlin",
    read: { text throws(Complaint) in
      // The IANA database also has these names, for programs of earlier times.
      if let place = namesWithoutPlace[text] {
        throw Complaint(problem: "\(quoted(text)) is an abbreviation", suggestion: place)
      }
      if text == "Factory" || text.wholeMatch(of: /Etc\/GMT[+-]?[0-9]+/) != nil {
        throw Complaint(
          problem: "\(quoted(text)) is not a place; write one such as America/New_York")
      }
      // Foundation also accepts `GMT+3`, which PostgreSQL reads as three hours to the west.
      // Foundation's name for that zone is `GMT+0300`, and its name for UTC is GMT.
      guard let zone = TimeZone(identifier: text), zone.identifier == text || text == "UTC" else {
        let known = ["UTC"] + TimeZone.knownTimeZoneIdentifiers.sorted()
        throw Complaint(
          problem: "\(quoted(text)) is not a time zone",
          suggestion: likelyName(for: text, among: known))
      }
      // An abbreviation means one offset for the whole year, or several places.
      if let place = TimeZone.abbreviationDictionary[text], text != "UTC", text != "GMT" {
        throw Complaint(problem: "\(quoted(text)) is an abbreviation", suggestion: place)
      }
      return text
    })
}

/// The IANA names that are abbreviations, each with a place where clocks show that time.
private let namesWithoutPlace = [
  "CET": "Europe/Paris", "CST6CDT": "America/Chicago", "EET": "Europe/Athens",
  "EST": "America/New_York", "EST5EDT": "America/New_York", "HST": "Pacific/Honolulu",
  "MET": "Europe/Paris", "MST": "America/Phoenix", "MST7MDT": "America/Denver",
  "PST8PDT": "America/Los_Angeles", "WET": "Europe/Lisbon",
]

/// The instant of an RFC 3339 text, in UTC and without a fraction; nil if the text is not one.
private func utcInstant(_ bytes: [UInt8]) -> String? {
  guard bytes.count >= 20, let day = CalendarDay(bytes[0..<10]),
    [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
    bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
    let hour = decimal(bytes[11..<13]), hour < 24,
    let minute = decimal(bytes[14..<16]), minute < 60,
    let second = decimal(bytes[17..<19]), second < 60
  else { return nil }
  var rest = bytes[19...]
  if rest.first == UInt8(ascii: ".") {
    let fraction = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
    guard !fraction.isEmpty else { return nil }
    rest = rest.dropFirst(1 + fraction.count)
  }
  guard let offset = minutesEastOfUTC(Array(rest)) else { return nil }
  let minuteOfDay = hour * 60 + minute - offset
  let dayShift = minuteOfDay < 0 ? -1 : minuteOfDay / 1440
  guard let utcDay = day.moved(by: dayShift) else { return nil }
  let utcMinute = minuteOfDay - dayShift * 1440
  let time = [utcMinute / 60, utcMinute % 60, second].map { padded($0, to: 2) }
  return "\(utcDay.text)T\(time.joined(separator: ":"))Z"
}

/// The offset in `Z` or `+01:00`, in minutes.
private func minutesEastOfUTC(_ zone: [UInt8]) -> Int? {
  if zone == [UInt8(ascii: "Z")] || zone == [UInt8(ascii: "z")] { return 0 }
  guard zone.count == 6, zone[3] == UInt8(ascii: ":"),
    let hours = decimal(zone[1..<3]), hours < 24,
    let minutes = decimal(zone[4..<6]), minutes < 60
  else { return nil }
  switch zone[0] {
  case UInt8(ascii: "+"): return hours * 60 + minutes
  case UInt8(ascii: "-"): return -(hours * 60 + minutes)
  default: return nil
  }
}
