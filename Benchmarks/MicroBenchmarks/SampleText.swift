/// Four megabytes of text as in an inbox.
enum SampleText {
  private static let bytes = 4 << 20

  /// Answers of `verifyReceipt` with ten transactions each, one answer per line.
  static func receipts() -> String {
    repeated { line in
      let entries = (0..<10).map { place in
        """
        {"quantity":"1","product_id":"com.example.reader.book.0\(place)",\
        "transaction_id":"\(id(line * 10 + place))","original_transaction_id":"\(id(line * 10))",\
        \(date("purchase_date")),\(date("original_purchase_date")),"is_trial_period":"false",\
        "in_app_ownership_type":"PURCHASED"}
        """
      }
      return """
        {"received_at":"2026-11-19T03:04:05Z","account_id":"a-\(line)","device_id":"d-\(line)",\
        "storefront":"USA","verifyReceiptResponse":{"status":0,"environment":"Production",\
        "receipt":{"receipt_type":"Production","bundle_id":"com.example.reader",\
        \(date("receipt_creation_date")),\(date("request_date")),\
        "in_app":[\(entries.joined(separator: ","))]}}}

        """
    }
  }

  /// A content server's log.
  static func deliveries() -> String {
    "delivery_id,transaction_id,product_id,status,occurred_at,account_id,device_id,server,error\r\n"
      + repeated { line in
        """
        v-\(line),\(id(line)),com.example.reader.book.007,delivered,2026-11-18T12:34:56Z,\
        a-\(line),d-\(line),cdn-\(line % 8),\r\n
        """
      }
  }

  /// An id of fifteen digits.
  ///
  /// The ids have no repetitions that gzip could compress.
  private static func id(_ number: Int) -> UInt64 {
    100_000_000_000_000 + UInt64(number) &* 0x9e37_79b9_7f4a_7c15 % 900_000_000_000_000
  }

  private static func repeated(_ record: (Int) -> String) -> String {
    var text = ""
    var line = 0
    while text.utf8.count < bytes {
      text += record(line)
      line += 1
    }
    return text
  }

  /// Apple writes every date three times.
  private static func date(_ name: String) -> String {
    """
    "\(name)":"2026-11-18 12:34:56 Etc/GMT","\(name)_ms":"1795005296000",\
    "\(name)_pst":"2026-11-18 04:34:56 America/Los_Angeles"
    """
  }
}
