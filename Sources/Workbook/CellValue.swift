import CXlsxWriter
import ExactText
import Glibc

/// The value of a spreadsheet cell.
enum CellValue: Equatable {
  case blank
  case text(String)
  /// A number with a number of decimal places.
  case number(Double, decimals: Int)
  /// Days since the spreadsheet's epoch, 1899-12-30.
  case day(Double)
  /// Days since the spreadsheet's epoch; the fraction is the time of the day in UTC.
  case instant(Double)

  /// The width in characters that a column of a kind needs to show all digits of the value; 0 if it
  /// is no number.
  ///
  /// A spreadsheet shows ##### instead of a number that is wider than its column. It cuts a text,
  /// such as an amount of more than 15 digits, without a sign.
  func leastWidth(in kind: ColumnKind) -> Double {
    if kind == .number, case .text(let words) = self { return Double(words.count + 1) }
    guard case .number(let number, let decimals) = self else { return 0 }
    let digits = Int(log10(max(number.magnitude, 1))) + 1
    let sign = number < 0 ? 1 : 0
    let point = decimals > 0 ? 1 : 0
    // One more is for the space beside the number.
    return Double(sign + digits + (digits - 1) / 3 + point + decimals + 1)
  }
}

/// The kind of values in a column.
enum ColumnKind: Equatable {
  case text
  case number
  case day
  case instant

  /// Determines the kind from the column's name.
  ///
  /// Unknown columns are text, because text keeps every value unchanged.
  init(column: String) {
    if ["day", "period_begin", "period_end"].contains(column) || column.hasSuffix("_on") {
      self = .day
    } else if column.hasSuffix("_at") {
      self = .instant
    } else if Self.numbers.contains(column) || column.hasSuffix("_amount")
      || column.hasSuffix("_units")
    {
      self = .number
    } else {
      self = .text
    }
  }

  private static let numbers: Set = [
    "hours_overdue", "attempts", "transactions", "deliveries", "accounts", "devices",
    "restored_transactions", "surplus_transactions", "units_sold", "gross", "units_refunded",
    "refunds", "net", "units_upgraded", "units_missing", "gross_missing", "findings",
    "acknowledged", "amount", "units", "opening", "sold", "earned", "refunded", "closing", "new",
    "reopened", "reclassified_in", "reclassified_out", "resolved", "returned", "customer_price",
    "proceeds", "commission", "tax", "published", "after_as_of", "evidence_arrived",
    "refund_reversed", "log_arrived", "catalogue_changed", "settings_changed", "file_withdrawn",
    "account_forgotten", "error_corrected", "difference", "restated", "missing", "owed",
    "missing_share", "owed_share", "lift",
  ]

  /// The column whose texts are sentences.
  ///
  /// They are wrapped, because they are longer than a column that fits a page.
  static let wrapped = "detail"

  /// The column's width in characters, unless a number needs more.
  func width(of column: String) -> Double {
    let content: Int =
      switch self {
      case .text:
        switch column {
        case Self.wrapped: 60
        // Wide enough for the words of a total.
        case "month": 28
        case "subject", "restored_transaction_ids": 44
        case "product_id", "closest_product_id", "last_error", "rule": 38
        case let name where name.hasSuffix("_id"): 22
        default: 14
        }
      case .number: 12
      case .day: 12
      case .instant: 20
      }
    // The filter's arrow is next to the name.
    return Double(max(content, column.count + 4))
  }

  /// The cell for a field.
  ///
  /// These values stay text: a number that a spreadsheet cannot keep exactly (it keeps 15 digits),
  /// and a day or an instant outside the spreadsheet's calendar.
  func value(of field: ArraySlice<UInt8>) -> CellValue {
    guard !field.isEmpty else { return .blank }
    switch self {
    case .text: break
    case .number:
      if let number = Self.number(field) { return number }
    case .day:
      if field.count == 10, let day = Self.serialDay(field) { return .day(day) }
    case .instant:
      // 2026-11-19T03:04:05Z
      if field.count == 20, field.last == UInt8(ascii: "Z"),
        let day = Self.serialDay(field.prefix(10))
      {
        let time = field.dropFirst(11).dropLast()
        let parts = time.split(separator: UInt8(ascii: ":")).map {
          Int(String(decoding: $0, as: UTF8.self))
        }
        if parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2] {
          return .instant(day + Double(hour * 3600 + minute * 60 + second) / 86_400)
        }
      }
    }
    return .text(Self.text(field))
  }

  private static func number(_ field: ArraySlice<UInt8>) -> CellValue? {
    let digits = field.first == UInt8(ascii: "-") ? field.dropFirst() : field
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2,
      parts.allSatisfy({ part in !part.isEmpty && part.allSatisfy { (48...57).contains($0) } })
    else { return nil }
    let significant = parts.joined().drop { $0 == 48 }.count
    guard significant <= 15, let number = Double(String(decoding: field, as: UTF8.self)) else {
      return nil
    }
    return .number(number, decimals: parts.count == 2 ? parts[1].count : 0)
  }

  /// Days since 1899-12-30, from 1900-03-01 on.
  ///
  /// Spreadsheets disagree on earlier days.
  private static func serialDay(_ field: ArraySlice<UInt8>) -> Double? {
    let parts = field.split(separator: UInt8(ascii: "-")).map {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1900...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    var date = lxw_datetime(
      year: Int32(year), month: Int32(month), day: Int32(day), hour: 0, min: 0, sec: 0)
    let serial = lxw_datetime_to_excel_datetime(&date)
    return serial >= 61 ? serial : nil
  }

  /// The maximum length of a cell's text, in UTF-16 code units.
  static let mostText = 32_767

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    var field = field
    // In a CSV, the apostrophe prevents that a value is read as a formula. A text cell is not a
    // formula.
    if field.first == UInt8(ascii: "'"), let second = field.dropFirst().first,
      "=+-@\t\r\n".utf8.contains(second)
    {
      field = field.dropFirst()
    }
    var text = String(decoding: withoutEscapes(field), as: UTF8.self)
    // XML allows neither U+FFFE nor U+FFFF, and its parsers refuse a sheet with one of them. The
    // library writes the other characters that XML does not allow, control characters, as escapes.
    if text.unicodeScalars.contains(where: isNoCharacter) {
      text = text.replacingScalars { isNoCharacter($0) ? "\u{FFFD}" : nil }
    }
    guard text.utf16.count > mostText else { return text }
    let mark = "… (shortened)"
    var short = ""
    var count = mark.utf16.count
    for scalar in text.unicodeScalars {
      count += scalar.utf16.count
      guard count <= mostText else { break }
      short.unicodeScalars.append(scalar)
    }
    return short + mark
  }

  private static func isNoCharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{FFFE}" || scalar == "\u{FFFF}"
  }

  /// Escapes text that a spreadsheet would read as the escaped form of a character.
  ///
  /// For instance, a spreadsheet reads `_x0041_` as A. The first underscore is written as
  /// `_x005F_`.
  private static func withoutEscapes(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isEscape(_ start: Int) -> Bool {
      let end = start + 6
      guard end < field.endIndex, field[start] == UInt8(ascii: "_"),
        field[start + 1] == UInt8(ascii: "x"), field[end] == UInt8(ascii: "_")
      else { return false }
      return field[(start + 2)..<end].allSatisfy { byte in
        Character(Unicode.Scalar(byte)).isHexDigit
      }
    }
    guard let first = field.indices.first(where: isEscape) else { return field }
    var text = [UInt8](field[..<first])
    for place in first..<field.endIndex {
      if isEscape(place) { text += "_x005F_".utf8 } else { text.append(field[place]) }
    }
    return text[...]
  }
}
