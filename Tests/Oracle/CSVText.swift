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
    case .text(let text):
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
