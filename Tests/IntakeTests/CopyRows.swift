import CopyFormat
import LibCrypto
import Testing

@testable import Intake

/// The type of a staging table's column.
enum ColumnType {
  case int4, int8, uuid, text, timestamptz, bool, bytea
}

/// Reads binary COPY rows back into texts, which tests can compare.
struct CopyRows {
  /// One row by column name; null is `-`.
  typealias Row = [String: String]

  let columns: [(name: String, type: ColumnType)]

  /// All rows of a buffer.
  func rows(of buffer: CopyBuffer) throws -> [Row] {
    var bytes = buffer.bytes[...]
    var rows: [Row] = []
    while !bytes.isEmpty {
      let count = Self.number(&bytes, 2)
      try #require(count == columns.count)
      var row: Row = [:]
      for column in columns {
        let length = Int(Int32(truncatingIfNeeded: Self.number(&bytes, 4)))
        guard length >= 0 else {
          row[column.name] = "-"
          continue
        }
        let value = bytes.prefix(length)
        try #require(value.count == length)
        bytes = bytes.dropFirst(length)
        row[column.name] = try Self.text(value, column.type)
      }
      // An identifier is its number or a text.
      for (number, text) in Self.identifiers {
        guard let value = row.removeValue(forKey: number) else { continue }
        try #require((value == "-") != (row[text] == "-") || row[text] == "-")
        if value != "-" { row[text] = value }
      }
      // As the view of evidence shows it.
      if let code = row.removeValue(forKey: "environment_code") {
        try #require(code != "Production")
        row["environment"] = code.isEmpty ? "Production" : code
      }
      if let isSigned = row.removeValue(forKey: "is_signed") {
        row["trust"] = isSigned == "true" ? "signed" : "apple_response"
      }
      rows.append(row)
    }
    try #require(rows.count == buffer.rows)
    return rows
  }

  /// The columns for the number and for the text of an identifier.
  private static let identifiers = [
    ("transaction_number", "transaction_id"), ("original_number", "original_transaction_id"),
    ("line_item_number", "web_order_line_item_id"),
  ]

  private static func number(_ bytes: inout ArraySlice<UInt8>, _ count: Int) -> Int64 {
    var value: Int64 = 0
    for byte in bytes.prefix(count) { value = value << 8 | Int64(byte) }
    bytes = bytes.dropFirst(count)
    return value
  }

  private static func text(_ value: ArraySlice<UInt8>, _ type: ColumnType) throws -> String {
    var rest = value
    switch type {
    case .int4:
      try #require(value.count == 4)
      return String(Int32(truncatingIfNeeded: number(&rest, 4)))
    case .int8:
      try #require(value.count == 8)
      return String(number(&rest, 8))
    case .bool:
      try #require(value.count == 1)
      return value.first == 1 ? "true" : "false"
    case .uuid:
      try #require(value.count == 16)
      return Array(value).hexadecimal
    case .timestamptz:
      try #require(value.count == 8)
      let microseconds = number(&rest, 8)
      if microseconds == Int64.min { return "-infinity" }
      #expect(microseconds % 1_000_000 == 0, "instants are cut to the second")
      return Instant.text(microseconds / 1_000_000 + 946_684_800)
    case .text:
      let text = try #require(String(validating: value, as: UTF8.self), "text must be UTF-8")
      #expect(!text.utf8.contains(0), "PostgreSQL cannot keep NUL")
      return text
    case .bytea:
      return String(decoding: value, as: UTF8.self)
    }
  }

  static let documents = CopyRows(columns: [
    ("file_id", .int4), ("line", .int8), ("document_hash", .uuid), ("status", .int4),
  ])

  static let evidence = CopyRows(columns: [
    ("file_id", .int4), ("line", .int8), ("pointer", .text), ("environment_code", .text),
    ("transaction_number", .int8), ("transaction_id", .text), ("content_hash", .int8),
    ("evidence_at", .timestamptz), ("original_number", .int8), ("original_transaction_id", .text),
    ("product_id", .text), ("quantity", .int8), ("purchased_at", .timestamptz),
    ("original_purchased_at", .timestamptz), ("expires_at", .timestamptz),
    ("cancelled_at", .timestamptz), ("line_item_number", .int8), ("web_order_line_item_id", .text),
    ("is_trial", .bool),
    ("is_introductory_offer", .bool), ("is_promotional_offer", .bool),
    ("is_family_shared", .bool), ("is_upgraded", .bool), ("price_text", .text), ("currency", .text),
    ("storefront", .text), ("account_id", .text), ("device_id", .text), ("is_signed", .bool),
    ("is_signed_transaction", .bool), ("product_type", .text), ("revocation_percentage", .int4),
    ("account_token", .text), ("dates_disagree", .bool), ("environments_disagree", .bool),
  ])

  static let deliveries = CopyRows(columns: [
    ("file_id", .int4), ("line", .int8), ("content_hash", .int8), ("delivery_id", .text),
    ("transaction_number", .int8), ("transaction_id", .text), ("product_id", .text),
    ("status", .text), ("occurred_at", .timestamptz), ("environment", .text),
    ("original_number", .int8), ("original_transaction_id", .text), ("line_item_number", .int8),
    ("web_order_line_item_id", .text), ("account_id", .text), ("device_id", .text),
    ("server", .text), ("region", .text), ("app_version", .text), ("error", .text),
    ("bytes", .int8), ("revision", .int4),
  ])

  static let catalogue = CopyRows(columns: [
    ("file_id", .int4), ("line", .int8), ("product_id", .text), ("member", .text),
    ("currency", .text), ("storefront", .text), ("price_from", .timestamptz), ("value", .text),
  ])

  static let clientTransactions = CopyRows(columns: [
    ("file_id", .int4), ("line", .int8), ("content_hash", .int8), ("environment", .text),
    ("transaction_id", .text), ("original_transaction_id", .text), ("product_id", .text),
    ("state", .text), ("occurred_at", .timestamptz), ("account_id", .text), ("device_id", .text),
    ("app_version", .text),
  ])

  static let clientInvalidProducts = CopyRows(columns: [
    ("file_id", .int4), ("line", .int8), ("content_hash", .int8), ("product_id", .text),
    ("reported_at", .timestamptz), ("app_version", .text), ("account_id", .text),
    ("device_id", .text),
  ])

  static let acknowledgements = CopyRows(columns: [
    ("file_id", .int4), ("line", .int8), ("content_hash", .int8), ("finding", .text),
    ("until_at", .timestamptz), ("because", .text), ("acknowledged_by", .text),
    ("excerpt", .text), ("raw", .bytea), ("raw_bytes", .int8),
  ])

  static let appleReports = CopyRows(
    columns: StagedRows.appleReportColumns.map { name in
      switch name {
      case "file_id": (name, .int4)
      case "line", "units", "period_begin", "period_end", "begin_on", "end_on": (name, .int8)
      case "report_hash": (name, .uuid)
      default: (name, .text)
      }
    })

  static let rejections = CopyRows(columns: [
    ("file_id", .int4), ("line", .int8), ("kind", .text), ("reason", .text), ("detail", .text),
    ("excerpt", .text), ("raw", .bytea), ("raw_bytes", .int8), ("place", .int8),
    ("records", .int8),
  ])
}
