/// A field as RFC 4180 requires: in quotes only if it contains a comma, a quote or a line end.
func quotedForCSV(_ field: String) -> String {
  // Compares scalars, because Swift treats CR and LF together as one character that equals neither.
  let special: Set<Unicode.Scalar> = [",", "\"", "\r", "\n"]
  guard field.unicodeScalars.contains(where: special.contains) else { return field }
  var quoted = "\""
  for scalar in field.unicodeScalars {
    if scalar == "\"" { quoted += "\"" }
    quoted.unicodeScalars.append(scalar)
  }
  return quoted + "\""
}

/// The text without control characters other than tab, CR and LF: each one is replaced by a
/// character that can be seen.
private func printable(_ text: String) -> String {
  var shown = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 9, 10, 13: shown.append(scalar)
    case 0..<0x20: shown.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{2426}")
    case 0x7f: shown.append("\u{2421}")
    case 0x80..<0xa0: shown.append("\u{2426}")
    default: shown.append(scalar)
    }
  }
  return String(shown)
}

/// One field of a report.
enum ReportField {
  /// Text that a spreadsheet must not read as a formula.
  case text(String)
  /// A number, an instant or a day, written as it is.
  case plain(String)

  static func text(_ value: ByteText?) -> ReportField {
    .text(value?.text ?? "")
  }

  static func id(_ value: StoreID?) -> ReportField {
    .text(value?.text ?? "")
  }

  static func number(_ value: Int) -> ReportField {
    .plain(String(value))
  }

  static func instant(_ seconds: Int?) -> ReportField {
    .plain(seconds.map { Instant(seconds: $0).rfc3339 } ?? "")
  }

  var csv: String {
    switch self {
    case .plain(let text): return quotedForCSV(text)
    case .text(let value):
      let text = printable(value)
      let dangerous: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n"]
      guard let first = text.unicodeScalars.first, dangerous.contains(first) else {
        return quotedForCSV(text)
      }
      return quotedForCSV("'" + text)
    }
  }
}

/// A whole report: header and rows, each ended by CRLF.
func reportText(_ header: String, _ rows: [[ReportField]]) -> String {
  ([header] + rows.map { $0.map(\.csv).joined(separator: ",") }).map { $0 + "\r\n" }.joined()
}
